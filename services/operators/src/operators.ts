import { AppError, type Platform } from '@escucho/contracts';
import { negotiateLanguage, pageHeaders } from '@escucho/service-kit';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { answerGateway } from './gateway.ts';
import { queryOf } from './links.ts';
import { indexPage, operatorPage } from './page.ts';
import { platformOf } from './subscribers.ts';

/** What the simulated operators share with Escucho, and how they are. */
export interface Settings {
  /** What they sign links with, and tokens of their own. */
  secret: string;
  /** What whoever asks their gateways must send as a bearer. */
  key: string;
  /** Where links lead, without a query. */
  entry: string;
  clock: () => Date;
  /** How long the gateway takes for a slow subscriber, in milliseconds. */
  slowness: number;
}

export type OperatorsOptions = Pick<Settings, 'secret' | 'key' | 'entry'> &
  Partial<Pick<Settings, 'clock' | 'slowness'>>;

function platformIn(request: FastifyRequest): Platform {
  const platform = platformOf(String(Object(request.params).platform));
  if (!platform) throw new AppError('not_found');
  return platform;
}

const show = (reply: FastifyReply, page: string) =>
  reply.headers(pageHeaders()).type('text/html; charset=utf-8').send(page);

/**
 * The operator simulator of the embedded default, to be mounted at a prefix (EXT-06): a page for each operator with its
 * test subscribers, each with a link as the operator would make it, and the gateway that Escucho asks. It lets anybody
 * in who presses a button, so it belongs on machines for trying out only.
 */
export const operators: FastifyPluginAsync<OperatorsOptions> = async (app, options) => {
  const settings: Settings = { clock: () => new Date(), slowness: 15_000, ...options };
  const { secret, entry, clock } = settings;
  const base = app.prefix;

  app.get('/', (request, reply) =>
    show(reply, indexPage(negotiateLanguage(request.headers['accept-language']), base)),
  );

  app.get('/:platform', (request, reply) => {
    const page = operatorPage(negotiateLanguage(request.headers['accept-language']), {
      ...{ platform: platformIn(request), base },
      linkOf: (subscriber) => `${entry}?${queryOf(subscriber, secret, clock())}`,
    });
    return show(reply, page);
  });

  app.post('/:platform/gateway/subscribers/find', (request, reply) =>
    answerGateway(platformIn(request), settings, request, reply),
  );
};
