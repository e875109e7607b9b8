import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Checkout } from '../checkouts/repository.ts';
import type { CheckoutService } from '../checkouts/service.ts';
import { faults } from '../faults.ts';
import { baseOption, type CatalogueFile } from '../offerings/catalogue.ts';
import { brandingOnTheWire, offeringsOnTheWire, productOnTheWire } from '../offerings/presenter.ts';
import { type Environment, isAppUserId, isEmail } from '../subscribers/policy.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { parsed, text } from './input.ts';
import type { Keyring } from './keys.ts';

const purchase = z.object({
  app_user_id: z.string(),
  product_id: text(200),
  email: z.string(),
  presented_offering_identifier: text(200),
  offer_id: z.optional(z.nullable(text(200))),
});

const failureWords: Record<number, string> = {
  1: 'The purchase could not be set up.',
  2: 'The card could not be kept.',
  3: 'The charge failed.',
};

function operationOnTheWire({ status, errorCode, expiresAt }: Checkout, now: Date) {
  const error = errorCode === null ? null : { code: errorCode, message: failureWords[errorCode] ?? '' };
  return { operation: { status, is_expired: status === 'started' && expiresAt <= now, error } };
}

interface Services {
  callerOf: Keyring;
  catalogue: CatalogueFile;
  subscribers: SubscriberService;
  checkouts: CheckoutService;
  clock: () => Date;
}

interface OfUser {
  Params: { user: string };
  Querystring: { id?: unknown };
}

/** The six calls that pages make (RCB-01). */
export function registerProtocol(
  app: FastifyInstance,
  { callerOf, catalogue, subscribers, checkouts, clock }: Services,
): void {
  /** For a page's key. Out: play money or real. */
  function environmentOf(request: FastifyRequest): Environment {
    const caller = callerOf(request);
    if (caller.kind !== 'public') throw faults.keyOfAnotherKind();
    return caller.environment;
  }
  app.addHook('onRequest', async (request) => {
    callerOf(request);
  });

  app.get<OfUser>('/v1/subscribers/:user/offerings', async (request) => {
    if (!isAppUserId(request.params.user)) throw faults.userInvalid();
    return offeringsOnTheWire(catalogue);
  });

  app.get<OfUser>('/v1/subscribers/:user', async (request, reply) => {
    const { isNew, body } = await subscribers.info(request.params.user);
    return reply.status(isNew ? 201 : 200).send(body);
  });

  app.get<OfUser>('/rcbilling/v1/subscribers/:user/products', async (request) => {
    const mayHaveTrial = await subscribers.mayHaveTrial(request.params.user);
    const asked = new Set([request.query.id].flat());
    const products = catalogue.products.filter(({ identifier }) => asked.has(identifier));
    return { product_details: products.map((product) => productOnTheWire(product, mayHaveTrial)) };
  });

  app.get('/rcbilling/v1/branding', async () => brandingOnTheWire(catalogue));

  app.post('/rcbilling/v1/subscribe', async (request) => {
    const environment = environmentOf(request);
    const { app_user_id: appUserId, email, ...bought } = parsed(purchase, request.body);
    if (!isAppUserId(appUserId)) throw faults.userInvalid();
    if (!isEmail(email)) throw faults.emailInvalid();
    const { id, setup } = await checkouts.begin(environment, {
      ...{ appUserId, email, product: bought.product_id },
      offering: bought.presented_offering_identifier,
      option: bought.offer_id ?? baseOption,
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

  app.get<{ Params: { id: string } }>('/rcbilling/v1/checkout/:id', async (request) =>
    operationOnTheWire(await checkouts.status(request.params.id), clock()),
  );
}
