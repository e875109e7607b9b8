import { AsyncLocalStorage } from 'node:async_hooks';
import { fastifyRequestContext, requestContext } from '@fastify/request-context';
import type { FastifyInstance } from 'fastify';
import { parseDevice, shortenNetwork } from './personal-data.ts';

/** The part of a logger that audit events are written to. */
export interface AuditLog {
  info(details: object, message: string): void;
}

/** Where an event comes from: a request, a background job or a command. */
export interface AuditContext {
  /** `request`: the user whom an event concerns or, of a failure, nobody who is known. */
  readonly source: 'request' | 'admin' | 'system';
  /** The account of the operating system that runs a command. */
  readonly actorName: string | null;
  readonly network: string | null;
  readonly device: { readonly browser: string; readonly system: string } | null;
  /** The id of the request or of the job. */
  readonly requestId: string | null;
  readonly log: AuditLog | undefined;
}

declare module '@fastify/request-context' {
  interface RequestContextData {
    audit: AuditContext;
  }
}

const unknownContext: AuditContext = {
  source: 'system',
  actorName: null,
  network: null,
  device: null,
  requestId: null,
  log: undefined,
};

/** The context of the background job or command that is being performed. */
const workContext = new AsyncLocalStorage<AuditContext>();

const findContext = () => requestContext.get('audit') ?? workContext.getStore();

/** Returns the context of the request, job or command that is being performed. */
export const getAuditContext = (): AuditContext => findContext() ?? unknownContext;

/** Provides every request's context to the events that are recorded while it is handled. */
export function registerAuditContext(app: FastifyInstance): void {
  app.register(fastifyRequestContext, {
    defaultStoreValues: (request) => ({
      // A request that a handler or job of this process sends to another service has the origin of its cause.
      audit: findContext() ?? {
        source: 'request',
        actorName: null,
        network: shortenNetwork(request.ip),
        device: parseDevice(request.headers['user-agent']),
        requestId: request.id,
        log: request.log,
      },
    }),
  });
}

/** Performs `work` as a background job: its events are caused by the system. */
export const runAsSystem = <Result>(requestId: string, log: AuditLog, work: () => Result): Result =>
  workContext.run({ ...unknownContext, requestId, log }, work);

/** Performs `work` as an admin command, run by an account of the operating system. */
export const runAsAdmin = <Result>(actorName: string, log: AuditLog, work: () => Result): Result =>
  workContext.run({ ...unknownContext, source: 'admin', actorName, log }, work);
