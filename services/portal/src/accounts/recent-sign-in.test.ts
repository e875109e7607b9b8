import { api, type Endpoint } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { createOperatorTokens, toOperatorSubject } from './tokens.ts';

const { send, issuer, createUser, clock, rowCounts, tokenSecret, db } = await startPortal();
const MAX_AGE_SECONDS = 600;

const protectedEndpoints = Object.values(api)
  .flatMap((noun): Endpoint[] => Object.values(noun))
  .filter(({ requiresRecentSignIn }) => requiresRecentSignIn);

it('export and deletion of an account require a recent sign-in', () => {
  expect(new Set(protectedEndpoints)).toEqual(
    new Set([api.account.exportAccount, api.account.deleteAccount]),
  );
});

describe.each(protectedEndpoints.map((target) => [`${target.method} ${target.path}`, target] as const))(
  '%s',
  (_name, target) => {
    it('refuses an old sign-in with 401 reauthentication_required, in a token just refreshed', async () => {
      const { subject } = await createUser();
      const before = await rowCounts();
      const token = await issuer.access(subject, {
        claims: { auth_time: clock.seconds() - MAX_AGE_SECONDS - 1 },
      });
      const response = await send(target, { token, headers: { 'accept-language': 'es' } });
      expect(response.statusCode).toBe(401);
      expect(response.json().error).toMatchObject({
        code: 'reauthentication_required',
        message: 'Vuelve a iniciar sesión para confirmar que eres tú.',
      });
      expect(response.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_user_authentication", max_age=600',
      );
      expect(await rowCounts()).toEqual(before);
      expect((await send(api.auth.me, { token })).statusCode).toBe(200);
    });

    it('refuses a token that does not say when the user signed in', async () => {
      const { subject } = await createUser();
      const token = await issuer.access(subject, { claims: { auth_time: undefined } });
      const response = await send(target, { token });
      expect([response.statusCode, response.json().error.code]).toEqual([401, 'reauthentication_required']);
    });

    it('accepts a sign-in of ten minutes ago', async () => {
      const { subject } = await createUser();
      const token = await issuer.access(subject, {
        claims: { auth_time: clock.seconds() - MAX_AGE_SECONDS },
      });
      expect((await send(target, { token })).statusCode).toBe(200);
    });

    it('accepts an operator’s user for ten minutes after signing in through the operator', async () => {
      const subject = toOperatorSubject('entel', `59170000${target.method}`);
      const { id } = await createUser();
      await db.updateTable('users').set({ subject, platform: 'entel' }).where('id', '=', id).execute();
      const token = await createOperatorTokens(tokenSecret, clock.now).issue(subject);
      clock.advance(MAX_AGE_SECONDS + 1);
      expect((await send(target, { token })).json().error.code).toBe('reauthentication_required');
      const next = await createOperatorTokens(tokenSecret, clock.now).issue(subject);
      expect((await send(target, { token: next })).statusCode).toBe(200);
    });
  },
);
