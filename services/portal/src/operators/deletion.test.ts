import { findAuditEvents } from '@escucho/audit';
import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { deleteUserAfterInsert } from '../testing/deletions.ts';
import { diego, rosa, startOperatorPortal } from '../testing/operator-portal.ts';

const portal = await startOperatorPortal();
const { send, db, clock, subscribers, state, tableChecksums, signIn, findOutcome } = portal;
const { bitel, entel, cnt, antel } = portal.links;
const { deleteAccountByLink } = api.operators;

/** Sends a link for the deletion of its account and returns the status and the error code. */
async function deleteByLink(link: unknown) {
  const response = await send(deleteAccountByLink, { body: link });
  return [response.statusCode, response.json().error?.code];
}

/** Signs in the subscriber of a link, whose plan then ends. */
async function signInAndEndPlan() {
  const session = await signIn(bitel());
  subscribers.set(rosa.id, { ...rosa, status: 'expired' }).set(rosa.msisdn, { ...rosa, status: 'expired' });
  clock.advance(3600);
  await expect.poll(() => findOutcome(session.accessToken)).toEqual([401, 'operator_plan_ended']);
  return session;
}

const findUser = (id: string) => db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();

it('a link deletes the account of a subscriber whose plan has ended, with its data', async () => {
  const { accessToken, user } = await signInAndEndPlan();
  expect(await portal.findRefusal(bitel())).toEqual([403, 'subscription_required']);
  const response = await send(api.account.deleteAccount, { token: accessToken });
  expect(response.json().error.code).toBe('reauthentication_required');
  expect(await deleteByLink(bitel())).toEqual([200, undefined]);
  expect(await findUser(user._id)).toBeUndefined();
  expect(await findOutcome(accessToken)).toEqual([401, 'unauthorized']);
});

it('a link deletes the account of an active subscriber, and no other account', async () => {
  const { user } = await signIn(bitel());
  const { user: other } = await signIn(entel());
  expect(await deleteByLink(bitel())).toEqual([200, undefined]);
  expect(await findUser(user._id)).toBeUndefined();
  expect(await findUser(other._id)).toBeDefined();
});

it.each([
  ['without a signature', () => ({ platform: 'bitel', msisdn: rosa.msisdn }), 'forbidden'],
  ['with another secret', () => bitel(rosa.msisdn, { secret: 'not the secret that we share' }), 'forbidden'],
  ['of another operator', () => ({ ...antel(), platform: 'bitel' }), 'forbidden'],
  ['that is too old', () => bitel(rosa.msisdn, { age: 300 }), 'link_expired'],
  ['with a token of another subscriber', () => cnt(rosa.msisdn), 'forbidden'],
])('a link %s deletes nothing', async (_name, link, code) => {
  await signIn(bitel());
  await signIn(cnt());
  const before = await tableChecksums();
  expect(await deleteByLink(link())).toEqual([403, code]);
  expect(await tableChecksums()).toEqual(before);
});

it('a link whose subscriber is deleted while it signs in is refused as a used one', async () => {
  const iris = { ...rosa, id: 'iris', msisdn: '51930000009' };
  subscribers.set(iris.msisdn, iris);
  const refused = await deleteUserAfterInsert(db, 'operator:bitel:iris', () =>
    portal.findRefusal(bitel(iris.msisdn)),
  );
  expect(refused).toEqual([403, 'link_expired']);
});

it('records a refused deletion as account_deletion_failed, and no failed sign-in', async () => {
  const types = ['account_deletion_failed', 'sign_in_failed'] as const;
  const count = async () => (await findAuditEvents(db, { types }, 1000)).length;
  const before = await count();
  await deleteByLink(bitel(rosa.msisdn, { age: 300 }));
  expect(await count()).toBe(before + 1);
  const [event] = await findAuditEvents(db, { types }, 1);
  expect(event).toMatchObject({
    type: 'account_deletion_failed',
    userId: null,
    details: { method: 'bitel', reason: 'link_expired' },
  });
});

it.each([
  ['bitel', bitel],
  ['entel', entel],
] as const)('a link of %s that was used deletes nothing', async (_name, createLink) => {
  const link = createLink();
  const { user } = await signIn(link);
  expect(await deleteByLink(link)).toEqual([403, 'link_expired']);
  expect(await findUser(user._id)).toBeDefined();
});

it('a link that deleted an account does not delete the next one', async () => {
  await signIn(entel());
  const link = entel();
  expect(await deleteByLink(link)).toEqual([200, undefined]);
  const { user } = await signIn(entel());
  expect(await deleteByLink(link)).toEqual([403, 'link_expired']);
  expect(await portal.findRefusal(link)).toEqual([403, 'link_expired']);
  expect(await findUser(user._id)).toBeDefined();
});

it('a number that is assigned to somebody else does not delete the former user', async () => {
  const { user } = await signIn(bitel());
  subscribers.set(rosa.msisdn, { ...diego, id: 'next-owner', msisdn: rosa.msisdn });
  expect(await deleteByLink(bitel())).toEqual([404, 'not_found']);
  expect(await findUser(user._id)).toBeDefined();
});

it('a subscriber unknown to the operator gets 404 not_found', async () => {
  expect(await deleteByLink(bitel('51930000009'))).toEqual([404, 'not_found']);
});

it('an operator that does not respond deletes nothing, and the link stays valid', async () => {
  const { user } = await signIn(bitel());
  const link = bitel();
  state.behavior = 'error';
  expect(await deleteByLink(link)).toEqual([503, 'unavailable']);
  expect(await findUser(user._id)).toBeDefined();
  state.behavior = 'normal';
  expect(await deleteByLink(link)).toEqual([200, undefined]);
});

it('a deletion that the database interrupts deletes nothing, and the link stays valid', async () => {
  const { user } = await signIn(bitel());
  const link = bitel();
  await sql`create function interrupt() returns trigger language plpgsql as $$
    begin raise query_canceled; end $$`.execute(db);
  await sql`create trigger interrupt before delete on users execute function interrupt()`.execute(db);
  expect(await deleteByLink(link)).toEqual([503, 'unavailable']);
  expect(await findUser(user._id)).toBeDefined();
  await sql`drop trigger interrupt on users`.execute(db);
  expect(await deleteByLink(link)).toEqual([200, undefined]);
});

it('[API-03] the log contains no number, token, signature or secret', () => {
  expect(portal.findLoggedSecrets()).toEqual([]);
});
