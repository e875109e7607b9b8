/** Creates a random UUID (version 4). `crypto.randomUUID` does not exist on pages that are served without HTTPS. */
export function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562: byte 6 holds the version, byte 8 the variant.
  const withVersion = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = Array.from(withVersion, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
