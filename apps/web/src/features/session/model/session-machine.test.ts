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
const otherProfile: Profile = {
  ...profile,
  user: { ...profile.user, _id: '00000000-0000-4000-8000-000000000002' },
};

const starting: SessionState = { status: 'starting' };
const refreshingWithProfile: SessionState = { status: 'refreshing', profile };
const refreshingWithoutProfile: SessionState = { status: 'refreshing', profile: null };
const loadingProfile: SessionState = { status: 'loading-profile' };
const signedIn: SessionState = { status: 'signed-in', profile };
const signingOut: SessionState = { status: 'signing-out', reason: 'requested' };
const rejected: SessionState = { status: 'signing-out', reason: 'unauthorized' };
const signedOut: SessionState = { status: 'signed-out', failure: null };
const unreachableSignedOut: SessionState = { status: 'signed-out', failure: 'network' };

const started = (token: 'none' | 'valid' | 'stale', storedProfile: Profile | null): SessionEvent => ({
  type: 'started',
  token,
  profile: storedProfile,
});
const unreachable: SessionEvent = { type: 'unreachable', failure: 'network' };
const unauthorized: SessionEvent = { type: 'sign-out', reason: 'unauthorized' };
const profileLoaded: SessionEvent = { type: 'profile-loaded', profile: otherProfile };
const otherTabSignedIn: SessionEvent = { type: 'other-tab-signed-in', profile: otherProfile };

const changes: readonly [title: string, from: SessionState, event: SessionEvent, to: SessionState][] = [
  ['without a token the session starts signed out', starting, started('none', null), signedOut],
  ['a stored profile without a token starts signed out', starting, started('none', profile), signedOut],
  ['a valid token with a stored profile starts signed in', starting, started('valid', profile), signedIn],
  [
    'a valid token without a stored profile loads the profile',
    starting,
    started('valid', null),
    loadingProfile,
  ],
  ['a stale token is refreshed', starting, started('stale', profile), refreshingWithProfile],
  [
    'a stale token without a stored profile is refreshed',
    starting,
    started('stale', null),
    refreshingWithoutProfile,
  ],
  [
    '[AUTH-10] refreshed tokens with a profile sign in',
    refreshingWithProfile,
    { type: 'tokens-refreshed' },
    signedIn,
  ],
  [
    '[AUTH-10] refreshed tokens without a profile load the profile',
    refreshingWithoutProfile,
    { type: 'tokens-refreshed' },
    loadingProfile,
  ],
  [
    '[AUTH-10] a refused refresh ends the session',
    refreshingWithProfile,
    { type: 'refresh-refused' },
    signedOut,
  ],
  [
    '[AUTH-10] a refused refresh ends the session while signed in',
    signedIn,
    { type: 'refresh-refused' },
    signedOut,
  ],
  ['a refresh without network signs a known user in', refreshingWithProfile, unreachable, signedIn],
  [
    'a refresh without network signs an unknown user out',
    refreshingWithoutProfile,
    unreachable,
    unreachableSignedOut,
  ],
  ['loading the profile without network signs out', loadingProfile, unreachable, unreachableSignedOut],
  ['a missing network does not sign out once signed in', signedIn, unreachable, signedIn],
  [
    'tokens received while signed out load the profile',
    signedOut,
    { type: 'tokens-received' },
    loadingProfile,
  ],
  ['tokens received while signed in change nothing', signedIn, { type: 'tokens-received' }, signedIn],
  [
    'the loaded profile signs in',
    loadingProfile,
    profileLoaded,
    { status: 'signed-in', profile: otherProfile },
  ],
  [
    'a newer profile replaces the current one',
    signedIn,
    profileLoaded,
    { status: 'signed-in', profile: otherProfile },
  ],
  ['a profile that arrives after signing out is ignored', signedOut, profileLoaded, signedOut],
  [
    '[SHELL-03] a requested sign-out starts signing out',
    signedIn,
    { type: 'sign-out', reason: 'requested' },
    signingOut,
  ],
  ['[AUTH-09] an unauthorized call starts signing out', signedIn, unauthorized, rejected],
  [
    '[AUTH-09] an unauthorized call while the profile loads starts signing out',
    loadingProfile,
    unauthorized,
    rejected,
  ],
  [
    '[SUB-02] an ended operator plan starts signing out',
    signedIn,
    { type: 'sign-out', reason: 'plan-ended' },
    { status: 'signing-out', reason: 'plan-ended' },
  ],
  ['[AUTH-09] another unauthorized call changes nothing', signingOut, unauthorized, signingOut],
  ['[AUTH-09] an unauthorized call once signed out changes nothing', signedOut, unauthorized, signedOut],
  ['a page shown again after signing out is signed out', signingOut, { type: 'page-shown' }, signedOut],
  ['a profile that arrives while signing out is ignored', signingOut, profileLoaded, signingOut],
  ['a page shown again while signed in changes nothing', signedIn, { type: 'page-shown' }, signedIn],
  ['a sign-out in another tab signs out', signedIn, { type: 'other-tab-signed-out' }, signedOut],
  ['a sign-out in another tab ends signing out', signingOut, { type: 'other-tab-signed-out' }, signedOut],
  [
    'a sign-in in another tab signs in',
    signedOut,
    otherTabSignedIn,
    { status: 'signed-in', profile: otherProfile },
  ],
  [
    'a sign-in of another user in another tab replaces the user',
    signedIn,
    otherTabSignedIn,
    { status: 'signed-in', profile: otherProfile },
  ],
  ['a second start changes nothing', signedIn, started('none', null), signedIn],
];

it.each(changes)('%s', (_title, from, event, to) => {
  expect(nextSession(from, event)).toEqual(to);
});

it('returns the same object when nothing changes, so that no effect runs twice', () => {
  for (const [, from, event, to] of changes) if (from === to) expect(nextSession(from, event)).toBe(from);
});
