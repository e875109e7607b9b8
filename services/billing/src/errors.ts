/** An error response of the protocol: its numeric code and the HTTP status. */
export class BillingError extends Error {
  readonly code: number;
  readonly status: number;
  /** Distinguishes errors of one numeric code; the protocol's clients ignore it. */
  readonly reason: string | undefined;

  constructor(code: number, status: number, message: string, reason?: string) {
    super(message);
    this.name = 'BillingError';
    this.code = code;
    this.status = status;
    this.reason = reason;
  }
}

const error = (code: number, status: number, message: string, reason?: string) => () =>
  new BillingError(code, status, message, reason);

/** Every error of the protocol (RCB-01). */
export const billingErrors = {
  storeProblem: error(7101, 422, 'There is no card gateway for this key.'),
  gatewayRefused: error(7101, 422, 'The card gateway refused to begin.'),
  invalidEmail: error(7012, 400, 'The email address is not valid.'),
  invalidUserId: error(7220, 400, 'The app user id is empty, too long or a placeholder.'),
  tokenRequired: error(7224, 401, 'A purchase needs a purchase token.', 'purchase_token_required'),
  tokenInvalid: error(7224, 401, 'The purchase token is not valid.', 'purchase_token_invalid'),
  tokenExpired: error(7224, 401, 'The purchase token has expired.', 'purchase_token_expired'),
  tokenOfAnotherUser: error(7224, 403, 'The purchase token is another user’s.', 'purchase_token_foreign'),
  invalidKey: error(7225, 401, 'Invalid API Key.'),
  wrongKeyKind: error(7243, 403, 'This needs a key of another kind.'),
  tooManyRequests: error(7638, 429, 'Too many requests. Try again later.'),
  badRequest: (message: string, status = 400) => new BillingError(7226, status, message),
  notEligible: error(7232, 403, 'The subscriber is not eligible for this offer.'),
  alreadySubscribed: error(7772, 409, 'The subscriber is already subscribed.'),
  unknownOffer: error(7814, 404, 'There is no such offer for this product.'),
  unknownProduct: error(7226, 404, 'There is no such product.', 'product_not_found'),
  unknownSession: error(7226, 404, 'There is no such checkout.'),
  subscriberNotFound: error(7259, 404, 'There is no such subscriber.', 'subscriber_not_found'),
  subscriptionNotFound: error(7226, 404, 'The subscriber has no subscription.', 'subscription_not_found'),
  paymentNotFound: error(7226, 404, 'There is no such payment.', 'payment_not_found'),
  cardNotFound: error(7226, 404, 'The subscriber has no card.', 'card_not_found'),
  cancelRefused: error(7226, 409, 'The subscription cannot be cancelled.', 'cancel_refused'),
  resumeRefused: error(7226, 409, 'The subscription cannot be resumed.', 'resume_refused'),
  planChangeRefused: error(7226, 409, 'The plan cannot be changed now.', 'plan_change_refused'),
  endedAtGateway: error(7226, 409, 'The subscription has ended at the card gateway.', 'ended_at_gateway'),
  changeInProgress: error(
    7226,
    409,
    'Another request is changing the subscription. Try again later.',
    'change_in_progress',
  ),
  cardSetupInvalid: error(
    7226,
    409,
    'The card form is not completed, or is not the subscriber’s.',
    'card_setup_invalid',
  ),
  disputeOpen: error(7226, 409, 'A dispute about the payment is open.', 'dispute_open'),
  methodNotAllowed: error(7226, 405, 'This address does not support that method.'),
  notFound: error(7226, 404, 'There is nothing at this address.'),
};
