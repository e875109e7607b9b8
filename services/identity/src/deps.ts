import type { RateLimiter } from '@escucho/service-kit';
import type { VerificationCodeService } from './codes/service.ts';
import type { Secrets } from './crypto.ts';
import type { Database } from './database.ts';
import type { Notifier } from './mail/templates.ts';
import type { ChallengeSessions } from './sign-in/challenge-session.ts';
import type { UserRepository } from './users/repository.ts';

/** What the services of a user pool share. */
export interface PoolDeps {
  db: Database;
  secrets: Secrets;
  /** The pool's name, which clients hash into their SRP proofs. */
  poolName: string;
  /** The id of the pool's one client. */
  clientId: string;
  users: UserRepository;
  codes: VerificationCodeService;
  challengeSessions: ChallengeSessions;
  notifyOwner: Notifier;
  rateLimiter: RateLimiter;
  clock: () => Date;
}
