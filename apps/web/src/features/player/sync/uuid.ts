/** A new id (UUID, version 4). Browsers have `crypto.randomUUID` over HTTPS only, and a house's own server may do without. */
export function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Two bytes hold the version and the variant, the others are chance.
  const marked = bytes.map((byte, at) =>
    at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
