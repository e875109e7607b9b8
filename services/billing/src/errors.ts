/** An error response of the protocol: its numeric code and the HTTP status. */
export class BillingError extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number, status: number, message: string) {
    super(message);
    this.name = 'BillingError';
    this.code = code;
    this.status = status;
  }
}

const error = (code: number, status: number, message: string) => () =>
  new BillingError(code, status, message);

/** Every error of the protocol (RCB-01). */
export const billingErrors = {
  storeProblem: error(7101, 422, 'There is no card gateway for this key.'),
  gatewayRefused: error(7101, 422, 'The card gateway refused to begin.'),
  invalidEmail: error(7012, 400, 'The email address is not valid.'),
  invalidUserId: error(7220, 400, 'The app user id is empty, too long or a placeholder.'),
  invalidKey: error(7225, 401, 'Invalid API Key.'),
  wrongKeyKind: error(7243, 403, 'This needs a key of another kind.'),
  badRequest: (message: string, status = 400) => new BillingError(7226, status, message),
  notEligible: error(7232, 403, 'The subscriber is not eligible for this offer.'),
  alreadySubscribed: error(7772, 409, 'The subscriber is already subscribed.'),
  unknownOffer: error(7814, 404, 'There is no such offer for this product.'),
  unknownProduct: error(7226, 404, 'There is no such product.'),
  unknownSession: error(7226, 404, 'There is no such checkout.'),
  methodNotAllowed: error(7226, 405, 'This address does not support that method.'),
  notFound: error(7226, 404, 'There is nothing at this address.'),
};
