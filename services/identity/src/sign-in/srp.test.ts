import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  computePublicB,
  computeScrambler,
  computeSharedSecret,
  computeVerifier,
  deriveSignatureKey,
  g,
  k,
  modPow,
  N,
  pad,
  parsePublicA,
  parseTimestamp,
  signPasswordClaim,
} from './srp.ts';

const poolName = 'Ab12Cd34E';
const userId = '7a1e0f6c-3b7d-4f0e-9c55-0d3a5a0b1c2d';
const timestamp = 'Mon Jan 5 07:08:09 UTC 2026';
const secretBlock = Buffer.from('secret-block-for-test-vector');

const vectors = [
  {
    password: 'Pässw0rd: mit Leerzeichen 🙂',
    salt: 0xc0ffee00112233445566778899aabbccn,
    a: BigInt(`0x${'0123456789abcdef'.repeat(16)}`),
    b: BigInt(`0x${'fedcba9876543210'.repeat(4)}`),
    v: 'c38ad11ef66f6debadb1b32b09d06a0f945ef1248dd072238b178b4cac98d44e',
    A: 'a38fb1d51d94bab67b85bfa082a654a1fee9b9a6ce0dc7223591727069d90d80',
    B: '2704c18cf0b79a664164552a853f98e874e5b207162ee0420e599d1661485e21',
    u: '4f519b70b36a9eaeb92e721f2a9711a2f5a3c7ed120ff74f44e7c149ab812c85',
    S: 'ce108b10a2b517c16b0ab090792afced638bcc2cb0c3e7210559bff45120fec6',
    K: '0a43d85dbd5fd929450947cdcdcfaf75',
    signature: 'G4HbzFXJ5lvQ/nyECdlHroLcFuVDhuEAMLVpvvNCv54=',
  },
  {
    password: 'Abcdefg1',
    salt: 0x0b0en,
    a: 2n ** 400n + 2677n,
    b: BigInt(`0x${'77'.repeat(32)}`),
    v: '23fd579672257666a69745882ddfe37c110744317774cea547ce303b378ee878',
    A: 'beeb353147a4dd32cf84c572eecefc988f02a1232b24385bde2753d31b261c22',
    B: 'a7ec0753fd8dbe506c8a21d02fd13fc2e9d3bdc6b950738fea63e1c948519777',
    u: '9fdb0191c375e55c9b7f0bb1a313dfa893a772b571593fe4e2862ba2dcbbab25',
    S: 'ce4bdaa5f4b24618f3216c2b9d176d47aa2efcb211034ca6034adc08202b31b6',
    K: 'eb52a6675a86e9e4ef7537404e223f80',
    signature: 'PhiT3FIsl4BFgMvz/KNJTdaQue5NwtCv1/bVgaPULvs=',
  },
];

const fingerprint = (value: bigint) => createHash('sha256').update(value.toString(16)).digest('hex');

describe('SRP', () => {
  it('[IDP-01] derives the multiplier k of the group', () => {
    expect(k.toString(16)).toBe('538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6');
  });

  it.each(vectors)('[IDP-01] every step of the exchange matches the vector of $password', (vector) => {
    const v = computeVerifier(poolName, userId, vector.password, vector.salt);
    const A = modPow(g, vector.a);
    const B = computePublicB(v, vector.b);
    const u = computeScrambler(A, B);
    const S = computeSharedSecret(A, v, u, vector.b) ?? 0n;
    const key = deriveSignatureKey(S, u);
    expect([v, A, B, S].map(fingerprint)).toEqual([vector.v, vector.A, vector.B, vector.S]);
    expect(u.toString(16)).toBe(vector.u);
    expect(key.toString('hex')).toBe(vector.K);
    const claim = { poolName, userId, secretBlock, timestamp };
    expect(signPasswordClaim(key, claim).toString('base64')).toBe(vector.signature);
  });

  it.each([
    ['zero', '0'],
    ['N', N.toString(16)],
    ['2N', (2n * N).toString(16)],
    ['empty', ''],
    ['not hexadecimal', '0x12'],
    ['a number of 1025 digits', '1'.repeat(1025)],
  ])('[IDP-03] refuses an SRP_A that is %s', (_, hex) => {
    expect(parsePublicA(hex)).toBeUndefined();
  });

  it('[IDP-01] A may have upper-case digits, leading zeros and an odd length', () => {
    expect(parsePublicA('00ABC')).toBe(0xabcn);
  });

  it.each([
    ['A is a multiple of N', 2n * N, 5n],
    ['u is zero', 7n, 0n],
  ])('[IDP-03] computes no shared secret where %s', (_, A, u) => {
    expect(computeSharedSecret(A, 3n, u, 11n)).toBeUndefined();
  });

  it.each([
    ['a base of 0', 0n, 5n, 0n],
    ['a base of 1', 1n, 5n, 1n],
    ['a base of N - 1 and an odd exponent', N - 1n, 5n, N - 1n],
    ['a base of N - 1 and an even exponent', N - 1n, 6n, 1n],
    ['an exponent of 0', 9n, 0n, 1n],
    ['a base above N', N + 3n, 2n, 9n],
    ['a base outside the subgroup', N - 2n, 3n, N - 8n],
  ])('modPow is correct for %s', (_, base, exponent, result) => {
    expect(modPow(base, exponent)).toBe(result);
  });

  it.each([
    [0n, '00'],
    [0x7fn, '7f'],
    [0x80n, '0080'],
    [0x100n, '0100'],
  ])('%d is hashed as the bytes %s', (value, hex) => {
    expect(pad(value).toString('hex')).toBe(hex);
  });
});

describe('TIMESTAMP', () => {
  it.each([
    ['Mon Jan 5 07:08:09 UTC 2026', '2026-01-05T07:08:09.000Z'],
    ['Thu Dec 31 23:59:59 UTC 2026', '2026-12-31T23:59:59.000Z'],
    ['Sun Feb 29 00:00:00 UTC 2032', '2032-02-29T00:00:00.000Z'],
  ])('[IDP-01] parses %s', (text, moment) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(moment);
  });

  it.each([
    '',
    '2026-01-05T07:08:09Z',
    'Mon Jan 5 07:08:09 GMT 2026',
    'lun ene 5 07:08:09 UTC 2026',
    'Mon Jan 5 24:08:09 UTC 2026',
    'Mon Feb 30 07:08:09 UTC 2026',
    'Mon Jan 5 7:08:09 UTC 2026',
    'Mon Jan 5 07:08:09 UTC 2026 ',
  ])('[IDP-03] rejects "%s"', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
