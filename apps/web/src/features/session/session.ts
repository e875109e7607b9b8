export { refreshProfile, signOut, startSession, updateUser } from './runner.ts';
export { signInWithToken } from './sign-in.ts';
export { getSessionStatus, onSignedOut, useSession } from './store.ts';
