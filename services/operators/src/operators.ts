import { AppError, type Platform, platforms } from '@escucho/contracts';
import { negotiateLanguage, sendPage } from '@escucho/service-kit';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type GatewayOptions, handleGatewayRequest } from './gateway.ts';
import { createLinkQuery } from './links.ts';
import { renderIndexPage, renderOperatorPage } from './pages.ts';

interface OperatorsOptions
  extends Pick<GatewayOptions, 'secret' | 'key'>,
    Partial<Pick<GatewayOptions, 'clock' | 'slowResponseMs'>> {
  /** The URL of links into Escucho, without a query. */
  entryUrl: string;
}

const DEFAULT_SLOW_RESPONSE_MS = 15_000;

function getPlatform(request: FastifyRequest): Platform {
  const { platform: name } = Object(request.params);
  const platform = platforms.find((each) => each === name);
  if (!platform) throw new AppError('not_found');
  return platform;
}

const getLanguage = (request: FastifyRequest) => negotiateLanguage(request.headers['accept-language']);

/**
 * The operator simulator (EXT-06): for each operator a page with test subscribers and their links into Escucho, and the
 * gateway that Escucho calls. Anybody can sign in through it, so it is for development only.
 */
export const operators: FastifyPluginAsync<OperatorsOptions> = async (app, options) => {
  const { secret, key, entryUrl, clock = () => new Date() } = options;
  const { slowResponseMs = DEFAULT_SLOW_RESPONSE_MS } = options;
  const gatewayOptions = { secret, key, clock, slowResponseMs };
  const basePath = app.prefix;

  app.get('/', (request, reply) => sendPage(reply, renderIndexPage(getLanguage(request), basePath)));

  app.get('/:platform', (request, reply) => {
    const page = renderOperatorPage(getLanguage(request), {
      platform: getPlatform(request),
      basePath,
      createLink: (subscriber) => `${entryUrl}?${createLinkQuery(subscriber, secret, clock())}`,
    });
    return sendPage(reply, page);
  });

  // Not limited: the caller has the gateway's key.
  app.post('/:platform/gateway/subscribers/find', { config: { rateLimits: [] } }, (request, reply) =>
    handleGatewayRequest(getPlatform(request), gatewayOptions, request, reply),
  );
};
