import { expect, it } from 'vitest';
import { nextSession, type Profile, type SessionEvent, type SessionState } from './session-machine.ts';

const profile: Profile = {
  user: {
    _id: '00000000-0000-4000-8000-000000000001',
    email: 'ana@example.org',
    firstName: 'Ana',
    lastName: 'Torres',
    displayName: 'Ana Torres',
    platform: null,
    isExternal: false,
  },
  subscription: { isActive: false, store: null, willRenew: false, expiresAt: null },
};
const other: Profile = { ...profile, user: { ...profile.user, _id: '00000000-0000-4000-8000-000000000002' } };

const starting: SessionState = { at: 'starting' };
const renewingKnown: SessionState = { at: 'renewing', profile };
const renewingUnknown: SessionState = { at: 'renewing', profile: null };
const introducing: SessionState = { at: 'introducing' };
const signedIn: SessionState = { at: 'signed-in', profile };
const leaving: SessionState = { at: 'leaving' };
const signedOut: SessionState = { at: 'signed-out', failure: null };
const cut: SessionState = { at: 'signed-out', failure: 'network' };

const opened = (token: 'none' | 'valid' | 'stale', kept: Profile | null): SessionEvent => ({
  type: 'opened',
  token,
  profile: kept,
});
const unreachable: SessionEvent = { type: 'unreachable', failure: 'network' };
const introduced: SessionEvent = { type: 'introduced', profile: other };
const elsewhere: SessionEvent = { type: 'signed-in-elsewhere', profile: other };

const changes: readonly [title: string, from: SessionState, event: SessionEvent, to: SessionState][] = [
  ['nothing stored: signed out', starting, opened('none', null), signedOut],
  ['a kept profile without a token does not count', starting, opened('none', profile), signedOut],
  ['a good token of a known reader: in at once', starting, opened('valid', profile), signedIn],
  ['a good token of nobody known: asks the portal who it is', starting, opened('valid', null), introducing],
  ['a stale token is renewed', starting, opened('stale', profile), renewingKnown],
  ['a stale token of nobody known is renewed too', starting, opened('stale', null), renewingUnknown],
  ['[AUTH-10] renewed: in', renewingKnown, { type: 'renewed' }, signedIn],
  ['[AUTH-10] renewed, but nobody known: asks the portal', renewingUnknown, { type: 'renewed' }, introducing],
  ['[AUTH-10] a refused renewal ends the session', renewingKnown, { type: 'renewal-refused' }, signedOut],
  ['[AUTH-10] also while the app is in use', signedIn, { type: 'renewal-refused' }, signedOut],
  ['no network: a known reader stays in', renewingKnown, unreachable, signedIn],
  ['no network: nobody known has to sign in again', renewingUnknown, unreachable, cut],
  ['no network while the portal is asked', introducing, unreachable, cut],
  ['no network matters no more once in', signedIn, unreachable, signedIn],
  ['tokens come from the provider: the portal is told', signedOut, { type: 'tokens-received' }, introducing],
  ['tokens come again: nothing', signedIn, { type: 'tokens-received' }, signedIn],
  ['the portal knows the reader: in', introducing, introduced, { at: 'signed-in', profile: other }],
  ['a newer profile replaces the kept one', signedIn, introduced, { at: 'signed-in', profile: other }],
  ['a profile that comes too late is not let in', signedOut, introduced, signedOut],
  ['[SHELL-03] logout leaves', signedIn, { type: 'sign-out-asked' }, leaving],
  ['[AUTH-09] a refused call leaves', signedIn, { type: 'unauthorized' }, leaving],
  ['[AUTH-09] refused while the portal is asked: leaves', introducing, { type: 'unauthorized' }, leaving],
  ['[AUTH-09] a second refusal changes nothing', leaving, { type: 'unauthorized' }, leaving],
  ['[AUTH-09] a refusal once out does not start it again', signedOut, { type: 'unauthorized' }, signedOut],
  ['leaving ends signed out', leaving, { type: 'left' }, signedOut],
  ['leaving is not stopped by an answer under way', leaving, introduced, leaving],
  ['only who leaves has left', signedIn, { type: 'left' }, signedIn],
  ['another tab signs out: this one follows', signedIn, { type: 'signed-out-elsewhere' }, signedOut],
  ['also while leaving', leaving, { type: 'signed-out-elsewhere' }, signedOut],
  ['another tab signs in: this one follows', signedOut, elsewhere, { at: 'signed-in', profile: other }],
  ['another tab signs somebody else in', signedIn, elsewhere, { at: 'signed-in', profile: other }],
  ['a page opens once', signedIn, opened('none', null), signedIn],
];

it.each(changes)('%s', (_title, from, event, to) => {
  expect(nextSession(from, event)).toEqual(to);
});

it('hands back the very same state when nothing changes, so that nothing is done twice', () => {
  for (const [, from, event, to] of changes) if (from === to) expect(nextSession(from, event)).toBe(from);
});
