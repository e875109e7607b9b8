export { refreshProfile, signOut, startSession, userChanged } from './runner.ts';
export { onSignedOut, sessionStatus, useSession } from './store.ts';
export { enterWithToken } from './third-party.ts';
