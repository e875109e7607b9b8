import type { Session as WireSession } from '@escucho/contracts';
import type { Session } from './repository.ts';

/** A session as its person recognises it. In: the one that asks, by its id. */
export function sessionOnTheWire(session: Session, currentId: string): WireSession {
  return {
    id: session.id,
    agent: session.agent,
    signedInAt: session.signedInAt.toISOString(),
    usedAt: session.usedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  };
}
