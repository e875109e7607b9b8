export { signOut, startSession } from './runner.ts';
export { onSignedOut, sessionStatus, useSession } from './store.ts';
