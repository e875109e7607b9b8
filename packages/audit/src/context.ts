import { AsyncLocalStorage } from 'node:async_hooks';
import type { Device } from '@escucho/contracts';
import { fastifyRequestContext, requestContext } from '@fastify/request-context';
import type { FastifyInstance } from 'fastify';
import { parseDevice, shortenNetwork } from './personal-data.ts';

/** The part of a logger that audit events are written to. */
interface AuditLog {
  info(details: object, message: string): void;
}

/** Where an event comes from: a request, a background job or a command. */
export interface AuditContext {
  /** `request`: the user whom an event concerns or, of a failure, nobody who is known. */
  readonly source: 'request' | 'admin' | 'system';
  /** Whether this process sent the request: it has the context of its cause. */
  readonly isInternal: boolean;
  /** The account of the operating system that runs a command, or the kind of key or webhook of a request. */
  readonly actorName: string | null;
  readonly network: string | null;
  readonly device: Device;
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
  isInternal: false,
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
    defaultStoreValues: (request) => {
      // A request that a handler or job of this process sends to another service has the origin of its cause.
      const cause = findContext();
      if (cause) return { audit: { ...cause, isInternal: true } };
      const { ip } = request;
      return {
        audit: {
          source: 'request',
          isInternal: false,
          actorName: null,
          // Few requests record an event. The address is unknown once the client has gone.
          get network() {
            return shortenNetwork(ip);
          },
          get device() {
            return parseDevice(request.headers['user-agent']);
          },
          requestId: request.id,
          log: request.log,
        },
      };
    },
  });
}

/**
 * States that an administrator with a key, or another system, causes the events of this request, and not the user whom
 * they concern. Does nothing where this process sent the request for a user.
 */
export function setAuditSource(source: 'admin' | 'system', actorName: string): void {
  const context = requestContext.get('audit');
  if (!context || context.isInternal) return;
  const origin = source === 'system' ? { network: null, device: null } : {};
  requestContext.set('audit', { ...context, source, actorName, ...origin });
}

/** Performs `work` as a background job: its events are caused by the system. */
export const runAsSystem = <Result>(requestId: string, log: AuditLog, work: () => Result): Result =>
  workContext.run({ ...unknownContext, requestId, log }, work);

/** Performs `work` as an admin command, run by an account of the operating system. */
export const runAsAdmin = <Result>(actorName: string, log: AuditLog, work: () => Result): Result =>
  workContext.run({ ...unknownContext, source: 'admin', actorName, log }, work);
