import type { Database } from './database.ts';
import type { Catalogue } from './offerings/catalogue.ts';
import type { Gateways } from './subscriptions/processing.ts';

/** What the services of the billing provider share. */
export interface BillingDeps {
  db: Database;
  catalogue: Catalogue;
  gateways: Gateways;
  /**
   * The page where users manage their subscription: the `management_url` of subscribers without a customer portal, and where
   * the portal returns to or, when it cannot open, redirects.
   */
  managementUrl: string;
  /** Whether webhook events are sent; otherwise none are stored. */
  hasWebhook: boolean;
  report: (details: object, message: string) => void;
  clock: () => Date;
}
