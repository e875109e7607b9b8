import { createSmtpTransport, keepGoing } from '@escucho/service-kit';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createCodes } from './codes/service.ts';
import { type Database, open } from './database.ts';
import { createGuests } from './guests/service.ts';
import { registerOAuth } from './hosted/hosted.ts';
import { createPostman, queueMailer } from './mail/queue.ts';
import { outboxMailer } from './mail/repository.ts';
import { checkIssuer, type IdentityOptions, poolNameOf } from './options.ts';
import { accountOperations } from './protocol/account-operations.ts';
import { adminOperations } from './protocol/admin-operations.ts';
import { registerEnvelope } from './protocol/envelope.ts';
import { createGate } from './protocol/gate.ts';
import { identityPoolOperations } from './protocol/identity-pool-operations.ts';
import type { Operation } from './protocol/operation.ts';
import { ownAccountOperations } from './protocol/own-account-operations.ts';
import { registerDiscovery, registerOperations } from './protocol/routes.ts';
import { sessionOperations } from './protocol/session-operations.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { sessionRepository } from './sessions/repository.ts';
import { registerSessions } from './sessions/routes.ts';
import { createSessions } from './sessions/service.ts';
import { createPasswordSignIn } from './srp/service.ts';
import { sweep } from './sweep.ts';
import { createKeyring, keys } from './tokens/keys.ts';
import { createTokens } from './tokens/tokens.ts';
import { createOwnAccount } from './users/own-account.ts';
import { createUserRepository } from './users/repository.ts';
import { createUsers } from './users/service.ts';

const handshakesAtOnce = 200;
const sweepEvery = 600_000;
const sendEvery = 1000;

/**
 * The identity provider, to be mounted at a prefix: Cognito's JSON operations for one pool and one client, its keys
 * and discovery document. The database must be migrated. Any number of processes may serve one pool.
 */
export const identity: FastifyPluginAsync<IdentityOptions> = async (app, options) => {
  const { connection, issuer, poolId, clientId, rotation, clock = () => new Date() } = options;
  const poolName = poolNameOf(poolId);
  checkIssuer(issuer, poolId);
  const secrets = createSecrets(options.secret, poolId);
  const db = open(connection, 'escucho identity');
  app.addHook('onClose', () => db.destroy());

  const users = createUserRepository(secrets);
  const mail = options.smtp ? queueMailer(secrets) : outboxMailer;
  const codes = createCodes({ secrets, mail, clock });
  const accounts = createUsers({ db, secrets, poolName, users, sessions: sessionRepository, codes, clock });
  const rotationGrace = rotation?.graceSeconds;
  const sessions = createSessions({ db, users, sessions: sessionRepository, clientId, rotationGrace, clock });
  const signIn = createPasswordSignIn({ db, secrets, poolName, users: accounts, sessions, clock });
  const keyring = createKeyring(db, secrets, clock);
  await Promise.all([keyring('access'), keyring('id')]);
  const tokens = createTokens({
    issuer,
    clientId,
    lifetime: (options.tokenMinutes ?? 60) * 60,
    keyring,
    publicKey: keys({ connection, clock }),
    clock,
  });
  const gate = createGate(handshakesAtOnce);
  const ownAccount = createOwnAccount({
    ...{ db, poolName, users, sessions, signIn, codes, mail, clock },
    sessionRows: sessionRepository,
  });
  const userPool = {
    ...accountOperations({ clientId, users: accounts, gate }),
    ...sessionOperations({
      ...{ clientId, sessions, signIn, tokens, gate },
      passwordAuth: options.passwordAuth === true,
      customAuth: options.customAuth === true,
      rotating: rotation !== undefined,
    }),
    ...ownAccountOperations({ sessions, tokens, ownAccount, gate }),
    ...(options.adminKey !== undefined && adminOperations({ db, poolId, adminKey: options.adminKey, users })),
  };
  const { identityPoolId } = options;
  const identityPool =
    identityPoolId === undefined
      ? {}
      : identityPoolOperations(createGuests({ secrets, issuer, identityPoolId, tokens, clock }));
  const operations = new Map([
    ...targets('AWSCognitoIdentityProviderService', userPool),
    ...targets('AWSCognitoIdentityService', identityPool),
  ]);

  await app.register(async (protocol) => {
    registerEnvelope(protocol);
    registerOperations(protocol, operations, secrets);
    registerDiscovery(protocol, { db, poolId, issuer, oauth: options.oauth });
  });
  await app.register(async (own) => registerSessions(own, { sessions, tokens }));
  if (options.oauth) {
    await registerOAuth(app, options.oauth, {
      ...{ db, clientId, secrets, users, sessions, signIn, tokens, gate, clock },
    });
  }

  if (options.smtp) sendMail(app, options.smtp, { db, secrets, clock });
  const sweeping = setInterval(() => {
    sweep(db, clock()).catch((error: Error) =>
      app.log.warn({ reason: error.message }, 'identity sweep failed'),
    );
  }, sweepEvery);
  sweeping.unref();
  app.addHook('onClose', async () => clearInterval(sweeping));
};

/** Operations by how a request's header names them. */
const targets = (service: string, operations: Record<string, Operation>) =>
  Object.entries(operations).map(([name, operation]) => [`${service}.${name}`, operation] as const);

/** Keeps sending what is in the queue while the app runs. */
function sendMail(
  app: FastifyInstance,
  smtp: NonNullable<IdentityOptions['smtp']>,
  { db, secrets, clock }: { db: Database; secrets: Secrets; clock: () => Date },
): void {
  const letterbox = createSmtpTransport(smtp);
  const report = (detail: object, message: string) => app.log.warn(detail, message);
  const { round } = createPostman({ db, secrets, letterbox, report, clock });
  const stop = keepGoing(round, sendEvery, (error) =>
    app.log.warn({ reason: error.message }, 'identity mail round failed'),
  );
  // What was added last ends first: this before the database is let go.
  app.addHook('onClose', async () => {
    await stop();
    letterbox.close();
  });
}
