import { createHash } from 'node:crypto';

/**
 * Returns an id that follows from a name, so that addresses stay the same when a database is created again: a UUID of
 * version 8 (RFC 9562).
 */
export function createStableId(kind: 'article' | 'playlist' | 'notification', name: string): string {
  const bytes = createHash('sha256').update(`escucho ${kind} ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
