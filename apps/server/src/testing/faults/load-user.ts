import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '../../instance.ts';
import { password } from '../product.ts';

/** Between two attempts of a request that failed, and between two writes. */
const PAUSE_MS = 100;
/** Between two attempts to start a purchase, of which a user has 30 an hour. */
const PURCHASE_PAUSE_MS = 2_000;
const TIMEOUT_MS = 60_000;

/** The outcome of a request: a status, or 0 where the connection failed. */
interface Outcome {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

export interface LoadUserOptions {
  /** Where the requests go, which may differ between requests. */
  getOrigin: () => string;
  instance: Instance;
  email: string;
  /** Completes the card form of a purchase at the payment gateway. */
  completeSetup: (clientSecret: string) => { customer: unknown };
}

/**
 * Creates a user who saves positions, bookmarks and playlists, and buys a subscription, over HTTP. Like the app, the user
 * sends a failed request again until it succeeds, and gets a new access token where the old one is refused.
 */
export async function createLoadUser({ getOrigin, instance, email, completeSetup }: LoadUserOptions) {
  const device = randomUUID();
  const acknowledged = { positions: [] as number[], rows: [] as string[], purchases: 0 };
  /** When a write was acknowledged, by `performance.now()`. */
  const acknowledgedAt: number[] = [];
  /** How many requests had a status, by its name. */
  const failures = new Map<string, number>();
  const problems: string[] = [];
  let tokens = { AccessToken: '', RefreshToken: '', IdToken: '' };
  let customer = '';

  async function request(path: string, init: RequestInit): Promise<Outcome> {
    try {
      const response = await fetch(getOrigin() + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      const { status, headers } = response;
      if (status === 503 && !headers.has('retry-after') && !path.startsWith('/billing'))
        problems.push(`${path}: 503 without Retry-After`);
      return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
    } catch {
      return { status: 0, body: {} };
    }
  }

  const sendOperation = (name: string, body: object) =>
    request('/identity', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
      },
      body: JSON.stringify({ ClientId: instance.clientId, ...body }),
    });

  /** Repeats a request until it succeeds. Failures that a client cannot explain are problems. */
  async function repeat(name: string, send: () => Promise<Outcome>, pauseMs = PAUSE_MS) {
    for (;;) {
      const { status, body } = await send();
      if (status >= 200 && status < 300) return body;
      const failure = `${name.startsWith('/media') ? 'media ' : ''}${status === 0 ? 'no response' : status}`;
      failures.set(failure, (failures.get(failure) ?? 0) + 1);
      const isExplained = [0, 401, 503].includes(status) || (name.startsWith('/billing') && status === 422);
      if (!isExplained) problems.push(`${name}: ${status} ${JSON.stringify(body)}`);
      if (!isExplained && status < 500) return body;
      if (status === 401) await renewTokens(body);
      await delay(pauseMs);
    }
  }

  async function refresh(): Promise<void> {
    const AuthParameters = { REFRESH_TOKEN: tokens.RefreshToken };
    const { status, body } = await sendOperation('InitiateAuth', {
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters,
    });
    if (status === 200) tokens = { ...tokens, ...body.AuthenticationResult };
  }

  async function signIn(): Promise<void> {
    const AuthParameters = { USERNAME: email, PASSWORD: password };
    const signedIn = await repeat('sign-in', () =>
      sendOperation('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
    );
    tokens = signedIn.AuthenticationResult;
  }

  /** Gets new tokens after a response of 401; an export needs a recent sign-in. */
  const renewTokens = (body: Outcome['body']) =>
    body.error?.code === 'reauthentication_required' ? signIn() : refresh();

  const call = (method: string, path: string, body?: object, type = 'application/json') =>
    repeat(path, () =>
      request(path, {
        method,
        headers: { authorization: `Bearer ${tokens.AccessToken}`, ...(body && { 'content-type': type }) },
        ...(body && {
          body:
            type === 'application/json'
              ? JSON.stringify(body)
              : new URLSearchParams(Object.entries(body)).toString(),
        }),
      }),
    );

  await signIn();
  const { user } = await call('POST', '/api/auth/sign-in-cognito', { idToken: tokens.IdToken });
  const { docs } = await call('GET', '/api/catalogue/articles?kind=article');
  const track = String(docs[0]._id);

  async function savePosition(): Promise<void> {
    const sequence = acknowledged.positions.length + 1;
    const at = new Date().toISOString();
    const entry = { track, device, sequence, position: sequence % 90, cause: 'tick', at };
    await call('POST', '/api/listening/progress', entry);
    acknowledged.positions.push(sequence);
  }
  async function saveBookmark(): Promise<void> {
    const id = randomUUID();
    await call('PUT', `/api/bookmarks/${id}`, { track, position: 1, note: id });
    acknowledged.rows.push(id);
  }
  async function savePlaylist(): Promise<void> {
    const name = randomUUID().slice(-12);
    await call('POST', '/api/playlist', { name }, 'application/x-www-form-urlencoded');
    acknowledged.rows.push(name);
  }

  /** Buys the monthly plan: a token, the card form, and polling until the payment succeeded. */
  async function buy(): Promise<void> {
    const { token } = await call('POST', '/api/subscription/purchase-token', {});
    const headers = { authorization: `Bearer ${instance.billing.productionKey}` };
    const order = {
      app_user_id: user._id,
      product_id: 'escucho_monthly',
      email,
      presented_offering_identifier: 'default',
    };
    const { data, operation_session_id: session } = await repeat(
      '/billing subscribe',
      () =>
        request('/billing/rcbilling/v1/subscribe', {
          method: 'POST',
          headers: { ...headers, 'x-purchase-token': token, 'content-type': 'application/json' },
          body: JSON.stringify(order),
        }),
      PURCHASE_PAUSE_MS,
    );
    // The problem is recorded.
    if (!data) return;
    customer = String(completeSetup(data.client_secret).customer);
    for (;;) {
      const path = `/billing/rcbilling/v1/checkout/${session}`;
      const { operation } = await repeat('/billing checkout', () => request(path, { headers }));
      if (operation.status === 'succeeded') break;
      if (operation.status === 'failed') problems.push(`the purchase failed: ${JSON.stringify(operation)}`);
      if (operation.status === 'failed') return;
      await delay(PAUSE_MS);
    }
    acknowledged.purchases += 1;
  }

  /** Requests a code for a new password, which is mailed. */
  async function requestPasswordCode(): Promise<void> {
    await repeat('password code', () => sendOperation('ForgotPassword', { Username: email }));
  }

  const acknowledge = async (write: Promise<void>) => {
    await write;
    acknowledgedAt.push(performance.now());
  };

  /**
   * Receives the audio of the audiobook as a player does, slowly, and requests the rest where a response breaks off.
   *
   * @returns the bytes, and how often a response broke off
   */
  async function listen(): Promise<{ bytes: Buffer; interruptions: number }> {
    // The event of the purchase arrives in the background.
    while (!(await call('GET', '/api/subscription')).subscription.isActive) await delay(PAUSE_MS);
    const audiobooks = await call('GET', '/api/catalogue/articles?kind=audiobook');
    const { url } = await call('GET', `/api/listening/audio/${audiobooks.docs[0]._id}`);
    const { pathname, search } = new URL(String(url));
    let bytes = Buffer.alloc(0);
    for (let interruptions = 0, size = 1; ; interruptions += 1) {
      try {
        const headers = { range: `bytes=${bytes.length}-` };
        const response = await fetch(getOrigin() + pathname + search, { headers });
        size = Number(response.headers.get('content-range')?.split('/')[1]);
        for await (const chunk of response.body ?? []) {
          bytes = Buffer.concat([bytes, chunk]);
          await delay(PAUSE_MS);
        }
      } catch {
        await delay(PAUSE_MS);
      }
      if (bytes.length === size) return { bytes, interruptions };
    }
  }

  /** Requests a file of the media store, which must be whole. */
  async function readMedia(): Promise<void> {
    const { pathname, search } = new URL(String(docs[0].image));
    await repeat('/media', () => request(pathname + search, {}));
  }

  return {
    email,
    acknowledged,
    acknowledgedAt,
    failures,
    problems,
    getCustomer: () => customer,
    /** Writes until `isStopped`; the last write is completed. */
    async write(isStopped: () => boolean): Promise<void> {
      for (let round = 1; !isStopped(); round += 1) {
        await acknowledge(savePosition());
        if (round % 5 === 0) await acknowledge(saveBookmark());
        if (round % 8 === 0) await acknowledge(savePlaylist());
        await delay(PAUSE_MS);
      }
    },
    async readMedia(isStopped: () => boolean): Promise<void> {
      for (; !isStopped(); await delay(PAUSE_MS)) await readMedia();
    },
    buy,
    requestPasswordCode,
    listen,
    /** Returns the acknowledged writes that the product does not have. */
    async findLost(): Promise<string[]> {
      const { records } = await call('GET', '/api/account/export');
      const text = JSON.stringify(records);
      const saved = new Set(
        records.listening_event.map((row: { sequence: number | string }) => Number(row.sequence)),
      );
      const { subscription } = await call('GET', '/api/subscription');
      return [
        ...acknowledged.positions.filter((sequence) => !saved.has(sequence)).map((n) => `position ${n}`),
        ...acknowledged.rows.filter((id) => !text.includes(id)),
        ...(acknowledged.purchases > 0 && !subscription.isActive ? ['the subscription'] : []),
      ];
    },
  };
}

export type LoadUser = Awaited<ReturnType<typeof createLoadUser>>;
