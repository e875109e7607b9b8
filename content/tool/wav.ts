import { readFileSync, writeFileSync } from 'node:fs';

/** Mono sound: samples between -1 and 1, `rate` of them a second. */
export interface Sound {
  rate: number;
  samples: Float32Array;
}

/** Reads a mono WAV file of 16 bits. */
export function readWav(file: string): Sound {
  const bytes = readFileSync(file);
  let rate = 0;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', offset, offset + 4);
    const size = bytes.readUInt32LE(offset + 4);
    const body = offset + 8;
    if (id === 'fmt ') {
      const format = [bytes.readUInt16LE(body), bytes.readUInt16LE(body + 2), bytes.readUInt16LE(body + 14)];
      if (format.join() !== '1,1,16') throw new Error(`${file} is not mono 16-bit PCM`);
      rate = bytes.readUInt32LE(body + 4);
    } else if (id === 'data') {
      const count = Math.floor(Math.min(size, bytes.length - body) / 2);
      const samples = Float32Array.from({ length: count }, (_, i) => bytes.readInt16LE(body + 2 * i) / 32768);
      return { rate, samples };
    }
    offset = body + size + (size % 2);
  }
  throw new Error(`${file} has no data chunk`);
}

/** Writes a sound as a mono WAV file of 16 bits. */
export function writeWav(file: string, { rate, samples }: Sound): void {
  const bytes = Buffer.alloc(44 + 2 * samples.length);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * samples.length, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples.length, 40);
  for (const [i, sample] of samples.entries()) {
    bytes.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(sample * 32768))), 44 + 2 * i);
  }
  writeFileSync(file, bytes);
}
