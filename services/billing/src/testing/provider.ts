import { randomUUID } from 'node:crypto';
import { billingApi, buildPath, type Endpoint } from '@escucho/contracts';
import { addCleanup, createTestDatabase } from '@escucho/database/testing';
import { openJobConnections } from '@escucho/jobs';
import { createApp } from '@escucho/service-kit';
import type { InjectOptions } from 'fastify';
import { openBillingDatabase } from '../database.ts';
import { type BillingOptions, billing } from '../index.ts';

export const keys = {
  sandbox: 'rcb_sb_test',
  production: 'rcb_test',
  secret: 'sk_of_the_tests_which_is_long_enough_to_be_one',
};

interface StartedPurchase {
  data: { client_secret: string; publishable_api_key: string; stripe_account_id: string };
  operation_session_id: string;
  next_action: string;
}

/**
 * Starts the billing provider at /billing, on a database and a clock of its own.
 *
 * @param options - options of the plugin that differ from the defaults
 */
export async function startProvider({
  time = { now: Date.parse('2026-11-20T10:00:00Z') },
  performJobs = true,
  ...options
}: Partial<BillingOptions> & { time?: { now: number }; performJobs?: boolean } = {}) {
  const connection = options.connection ?? (await createTestDatabase());
  const clock = () => new Date(time.now);
  const app = createApp();
  const jobs = performJobs ? await openJobConnections({ connection, log: app.log }) : undefined;
  app.addHook('onClose', async () => jobs?.close());
  addCleanup(() => app.close());
  await app.register(billing, {
    prefix: '/billing',
    connection,
    jobs,
    keys,
    sandbox: true,
    clock,
    address: 'https://escucho.test/billing',
    managementUrl: 'https://escucho.test/settings/subscription',
    ...options,
  });
  const db = openBillingDatabase(connection, { name: 'billing tests', maxConnections: 4 });
  addCleanup(() => db.destroy());

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    key = keys.sandbox,
    headers: Record<string, string> = {},
  ) {
    const request: InjectOptions = {
      method,
      url: `/billing${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        'x-is-sandbox': 'true',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const response = await app.inject(request);
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  }

  const get = (path: string, key?: string) => send('GET', path, undefined, key);
  const post = (path: string, body: unknown, key?: string) => send('POST', path, body, key);

  /** Calls the management API as a server. */
  const callApi = (
    target: Pick<Endpoint, 'method' | 'path'>,
    user: string,
    body?: object,
    key = keys.secret,
  ) => send(target.method, buildPath(target, { params: { appUserId: user } }), body, key);
  const findCurrent = async (user: string) => (await callApi(billingApi.findManagement, user)).body.current;
  const listReceipts = async (user: string) => (await callApi(billingApi.findReceipts, user)).body.docs;
  const refund = (user: string, receipt: string) => {
    const params = { appUserId: user, receipt };
    return send(billingApi.refund.method, buildPath(billingApi.refund, { params }), undefined, keys.secret);
  };

  const newUser = () => randomUUID();

  const toPurchase = (user: string, fields: object = {}) => ({
    app_user_id: user,
    product_id: 'escucho_monthly',
    email: 'ana@user.test',
    presented_offering_identifier: 'default',
    ...fields,
  });

  /** Requests a purchase token as the app's server. */
  const createPurchaseToken = async (user: string): Promise<string> => {
    const path = `/v1/subscribers/${encodeURIComponent(user)}/purchase-tokens`;
    return (await send('POST', path, undefined, keys.secret)).body.token;
  };

  /** Requests a purchase as a page does, with the token of its user unless another is given. */
  const requestPurchase = async (user: string, fields: object = {}, key?: string, token?: string) =>
    send('POST', '/rcbilling/v1/subscribe', toPurchase(user, fields), key, {
      'x-purchase-token': token ?? (await createPurchaseToken(user)) ?? '',
    });

  /** Starts a purchase. Throws where it is refused. */
  async function subscribe(user: string, fields: object = {}): Promise<StartedPurchase> {
    const { status, body } = await requestPurchase(user, fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }

  const confirmCard = (secret: string, outcome = 'succeeded', fields: object = {}) =>
    post('/sandbox/confirm', { client_secret: secret, outcome, ...fields });

  const getStatus = async (session: string) =>
    (await get(`/rcbilling/v1/checkout/${session}`)).body.operation;

  /** Makes a whole purchase, of the monthly plan unless `fields` say otherwise. Returns its session. */
  async function buy(user: string, fields: object = {}, card: object = {}): Promise<string> {
    const { data, operation_session_id: session } = await subscribe(user, fields);
    await confirmCard(data.client_secret, 'succeeded', card);
    return session;
  }

  const advanceClock = async (user: string, seconds: number) =>
    (await post('/sandbox/advance', { app_user_id: user, seconds })).body.subscriber;

  const getInfo = async (user: string) => (await get(`/v1/subscribers/${user}`)).body.subscriber;

  return {
    app,
    db,
    connection,
    time,
    clock,
    keys,
    send,
    get,
    post,
    callApi,
    findCurrent,
    listReceipts,
    refund,
    newUser,
    createPurchaseToken,
    requestPurchase,
    subscribe,
    confirmCard,
    getStatus,
    buy,
    advanceClock,
    getInfo,
  };
}

/** Seconds in a day. */
export const DAY = 86_400;
