import { createTestDatabase } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { seedAccount } from './index.ts';
import { poolId, secret, startPool } from './testing/pool.ts';

it('a seeded account signs in; seeding again changes nothing', async () => {
  const connection = await createTestDatabase();
  const options = { connection, poolId, secret };
  const demo = { email: 'Demo@escucho.test', password: 'Escucho2026', firstName: 'Demo', lastName: 'Reader' };
  const id = await seedAccount(options, demo);
  expect(await seedAccount(options, { ...demo, password: 'Otra2026x' })).toBe(id);
  const pool = await startPool(connection);
  const reply = await pool.signIn('demo@escucho.test', 'Escucho2026');
  const user = await pool.call('GetUser', { AccessToken: reply.at('AuthenticationResult', 'AccessToken') });
  expect(user.at('Username')).toBe(id);
  expect(user.body).toMatchObject({
    UserAttributes: expect.arrayContaining([
      { Name: 'email_verified', Value: 'true' },
      { Name: 'given_name', Value: 'Demo' },
      { Name: 'family_name', Value: 'Reader' },
    ]),
  });
});
