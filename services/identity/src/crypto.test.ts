import { describe, expect, it } from 'vitest';
import { createSecrets } from './crypto.ts';
import { poolId, secret } from './testing/pool.ts';

const secrets = createSecrets(secret, poolId);
const plaintext = Buffer.from('a software token');
const ciphertext = secrets.encrypt('software-token', 'user 1', plaintext);

describe('encryption', () => {
  it('[IDP-03] has a new nonce for each message, and decrypts', () => {
    const messages = Array.from({ length: 50 }, () => secrets.encrypt('software-token', 'user 1', plaintext));
    expect(new Set(messages.map((message) => message.subarray(0, 12).toString('hex'))).size).toBe(50);
    for (const message of messages)
      expect(secrets.decrypt('software-token', 'user 1', message)).toEqual(plaintext);
  });

  const changeByte = (at: number) => ciphertext.map((byte, index) => (index === at ? byte ^ 1 : byte));
  it.each([
    ['for another purpose', secrets, 'mail', 'user 1', ciphertext],
    ['for another user', secrets, 'software-token', 'user 2', ciphertext],
    ['by another pool', createSecrets(secret, 'local_Zz98Yx76W'), 'software-token', 'user 1', ciphertext],
    ['with another nonce', secrets, 'software-token', 'user 1', changeByte(0)],
    ['with another tag', secrets, 'software-token', 'user 1', changeByte(12)],
    ['with another text', secrets, 'software-token', 'user 1', changeByte(28)],
    ['without its end', secrets, 'software-token', 'user 1', ciphertext.subarray(0, 20)],
  ] as const)('[IDP-03] does not decrypt %s', (_, keys, purpose, context, message) => {
    expect(keys.decrypt(purpose, context, Buffer.from(message))).toBeUndefined();
  });
});
