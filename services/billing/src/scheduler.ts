import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from './checkouts/service.ts';
import type { SubscriptionService } from './subscriptions/service.ts';

const EVERY = 1000;
const AT_ONCE = 8;

interface Services {
  checkouts: CheckoutService;
  subscriptions: SubscriptionService;
}

/** Does what is due, once a second, as long as the app runs; any number of processes may do so at once. */
export function keepGoing(app: FastifyInstance, { checkouts, subscriptions }: Services): void {
  let going: Promise<void> | undefined;
  let isClosing = false;
  const failed = (error: unknown) =>
    app.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'billing round failed');

  async function round(): Promise<void> {
    await checkouts.resume();
    while (!isClosing && (await subscriptions.round(AT_ONCE, failed)) === AT_ONCE);
  }
  const timer = setInterval(() => {
    going ??= round()
      .catch(failed)
      .finally(() => {
        going = undefined;
      });
  }, EVERY);
  timer.unref();
  // What was added last ends first: this before the database is let go.
  app.addHook('onClose', async () => {
    isClosing = true;
    clearInterval(timer);
    await going;
  });
}
