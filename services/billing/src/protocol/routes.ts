import { isBillingEmail, rateLimits } from '@escucho/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Checkout } from '../checkouts/repository.ts';
import type { CheckoutService } from '../checkouts/service.ts';
import { billingErrors } from '../errors.ts';
import {
  BASE_OPTION,
  type Catalogue,
  toBrandingDto,
  toOfferingsDto,
  toProductDto,
} from '../offerings/catalogue.ts';
import { type Environment, isAppUserId } from '../subscribers/policy.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { PURCHASE_TOKEN_HEADER, type PurchaseTokens } from '../tokens.ts';
import { type Keyring, parse, text } from './envelope.ts';

const purchaseRequest = z.object({
  app_user_id: z.string(),
  product_id: text(200),
  email: z.string(),
  presented_offering_identifier: text(200),
  offer_id: z.optional(z.nullable(text(200))),
});

const errorMessages: Record<number, string> = {
  1: 'The purchase could not be set up.',
  3: 'The charge failed.',
};

function toOperationDto({ status, errorCode, expiresAt }: Checkout, now: Date) {
  const error = errorCode === null ? null : { code: errorCode, message: errorMessages[errorCode] ?? '' };
  return { operation: { status, is_expired: status === 'started' && expiresAt <= now, error } };
}

interface ProtocolDeps {
  authenticate: Keyring;
  catalogue: Catalogue;
  subscribers: SubscriberService;
  checkouts: CheckoutService;
  purchaseTokens: PurchaseTokens;
  clock: () => Date;
}

interface UserRoute {
  Params: { user: string };
  Querystring: { id?: unknown };
}

/** Registers the six endpoints that pages call (RCB-01). */
export function registerProtocol(
  app: FastifyInstance,
  { authenticate, catalogue, subscribers, checkouts, purchaseTokens, clock }: ProtocolDeps,
): void {
  function requireEnvironment(request: FastifyRequest): Environment {
    const caller = authenticate(request);
    if (caller.kind !== 'public') throw billingErrors.wrongKeyKind();
    return caller.environment;
  }
  app.addHook('onRequest', async (request) => {
    authenticate(request);
  });

  // Servers send the requests of all users from one address.
  const getRateLimits = (request: FastifyRequest) =>
    authenticate(request).kind === 'secret' ? [] : rateLimits.billing;
  const limited = { config: { rateLimits: getRateLimits } };
  app.get<UserRoute>('/v1/subscribers/:user/offerings', limited, async (request) => {
    if (!isAppUserId(request.params.user)) throw billingErrors.invalidUserId();
    return toOfferingsDto(catalogue);
  });

  app.get<UserRoute>('/v1/subscribers/:user', limited, async (request, reply) => {
    const isServer = authenticate(request).kind === 'secret';
    const { isNew, body } = await subscribers.getInfo(request.params.user, { isServer });
    return reply.status(isNew ? 201 : 200).send(body);
  });

  app.get<UserRoute>('/rcbilling/v1/subscribers/:user/products', limited, async (request) => {
    const isTrialEligible = await subscribers.mayHaveTrial(request.params.user);
    const requested = new Set([request.query.id].flat());
    const products = catalogue.products.filter(({ identifier }) => requested.has(identifier));
    return { product_details: products.map((product) => toProductDto(product, isTrialEligible)) };
  });

  app.get('/rcbilling/v1/branding', limited, async () => toBrandingDto(catalogue));

  app.post('/rcbilling/v1/subscribe', { config: { rateLimits: rateLimits.purchase } }, async (request) => {
    const environment = requireEnvironment(request);
    const { app_user_id: appUserId, email, ...purchase } = parse(purchaseRequest, request.body);
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    const subscriber = await purchaseTokens.verify(request.headers[PURCHASE_TOKEN_HEADER], appUserId);
    if (!isBillingEmail(email)) throw billingErrors.invalidEmail();
    for (const limit of rateLimits.purchaseByUser) await app.rateLimiter.consume(limit, appUserId);
    const { id, setup } = await checkouts.start(environment, subscriber, {
      email,
      product: purchase.product_id,
      offering: purchase.presented_offering_identifier,
      option: purchase.offer_id ?? BASE_OPTION,
    });
    return {
      operation_session_id: id,
      next_action: 'collect_payment_info',
      data: {
        client_secret: setup.clientSecret,
        publishable_api_key: setup.publishableKey,
        stripe_account_id: setup.accountId,
      },
    };
  });

  app.get<{ Params: { id: string } }>('/rcbilling/v1/checkout/:id', limited, async (request) =>
    toOperationDto(await checkouts.getStatus(request.params.id), clock()),
  );
}
