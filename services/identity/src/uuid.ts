/** Whether a text is a UUID, in lower case as ours are written. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** A UUID that looks like a random one (version 4), made of 16 given bytes or more. */
export function uuidFrom(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const variant = '89ab'[(bytes[8] ?? 0) & 3];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
