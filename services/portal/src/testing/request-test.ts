import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createProof, startFakeGateway } from './fakes/operator-gateway.ts';
import { type Request, startPortal } from './portal.ts';
import { createProgressEntry, createValidRequests } from './valid-requests.ts';

export const locations = ['params', 'query', 'body'] as const;
export type Location = (typeof locations)[number];

/** Starts a portal with two users and their data, and returns a valid request to each endpoint. */
export async function startRequestTest() {
  // The stream of notifications ends at once, so that it can be requested like the other endpoints.
  const { gateways, subscribers } = await startFakeGateway();
  const portal = await startPortal({
    streams: { perUser: 100, total: 100, heartbeatMs: 5, maxHeartbeats: 1 },
    operators: { gateways },
  });
  const {
    send,
    createUser,
    issuer,
    log,
    secret,
    articleId,
    playlistId,
    insertPlaylist,
    tableChecksums,
    clock,
  } = portal;
  const me = await createUser({ subscribed: true });
  const other = await createUser({ subscribed: true });
  const leaver = await createUser();
  const myPlaylist = await insertPlaylist(me.id, 'Mine alone', ['el-gato']);
  const unwanted = await insertPlaylist(me.id, 'Mine no more', ['el-gato']);
  const othersPlaylist = await insertPlaylist(other.id, 'Not yours at all', ['el-gato']);
  const othersFavourites = await insertPlaylist(other.id, 'default', ['el-gato'], 'auto');
  const idToken = await issuer.id(me.subject, {
    claims: { email: me.email, given_name: 'Ana', family_name: 'Ruiz' },
  });

  const msisdn = '51930000001';
  subscribers.set(msisdn, { id: 'rosa', msisdn, status: 'active' });
  const proof = createProof(clock, { platform: 'bitel', msisdn });

  const device = randomUUID();
  const progressEntry = createProgressEntry({ article: articleId('el-gato'), device });
  await send(api.listening.saveProgress, { token: me.token, body: progressEntry });

  const requests = createValidRequests({
    idToken,
    msisdn,
    proof,
    deletionProof: createProof(clock, { platform: 'bitel', msisdn }),
    article: articleId('el-gato'),
    secondArticle: articleId('long-walk'),
    thirdArticle: articleId('green-door'),
    systemPlaylist: playlistId('latest'),
    playlist: myPlaylist,
    unwantedPlaylist: unwanted,
    bookmark: randomUUID(),
    device,
    product: 'monthly',
  });
  const validRequests = requests.map(([name, , target, request]) => [name, target, request] as const);

  /** Returns a request of the first user with another value in a field. */
  const setField = (request: Request, location: Location, field: string, value: unknown): Request => ({
    ...request,
    token: me.token,
    [location]: { ...Object(request[location]), [field]: value },
  });

  /** Runs the work and expects that no table has changed. */
  async function expectNoChange(work: () => Promise<void>): Promise<void> {
    const before = await tableChecksums();
    await work();
    expect(await tableChecksums()).toEqual(before);
  }

  /** Defines the tests of the log of a file's requests. Call it at the end of the file. */
  function testLog(): void {
    describe('the log', () => {
      it('[API-03] has every request, but no token, signature, query or secret', async () => {
        const text = log.join('');
        expect(text).toContain('/api/auth/sign-in-cognito');
        const forgeries = Object.values(await issuer.forgeries(me.subject)).map(({ token }) => token);
        const secrets = [
          me.token,
          idToken,
          other.token,
          secret,
          'signature=',
          'filter=',
          me.email,
          ...forgeries,
        ];
        for (const hidden of secrets.filter((hidden) => hidden !== '')) expect(text).not.toContain(hidden);
        for (const segment of me.token.split('.')) expect(text).not.toContain(segment);
        expect(text).not.toContain('drop table');
      });

      it('[API-03] has no server error', () => {
        const failures = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
        expect(failures).toEqual([]);
      });
    });
  }

  return {
    ...portal,
    me,
    other,
    leaver,
    idToken,
    msisdn,
    proof,
    progressEntry,
    myPlaylist,
    othersPlaylist,
    othersFavourites,
    validRequests,
    setField,
    expectNoChange,
    testLog,
  };
}
