/** A refusal in the provider's protocol: its code, ref clients know by number, and the status it goes with. */
export class BillingError extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number, status: number, message: string) {
    super(message);
    this.name = 'BillingFault';
    this.code = code;
    this.status = status;
  }
}

const fault = (code: number, status: number, message: string) => () =>
  new BillingError(code, status, message);

/** Every refusal of the protocol (RCB-01). */
export const faults = {
  storeProblem: fault(7101, 422, 'There is no card gateway for this key.'),
  gateway: fault(7101, 422, 'The card gateway refused to begin.'),
  invalidEmail: fault(7012, 400, 'The email address is not valid.'),
  invalidUserId: fault(
    7220,
    400,
    'The app user id is empty, too long or one of the names that stand for nobody.',
  ),
  invalidKey: fault(7225, 401, 'Invalid API Key.'),
  wrongKeyKind: fault(7243, 403, 'This needs a key of another kind.'),
  badRequest: (message: string, status = 400) => new BillingError(7226, status, message),
  notEligible: fault(7232, 403, 'The subscriber is not eligible for this offer.'),
  alreadySubscribed: fault(7772, 409, 'The subscriber is already subscribed.'),
  unknownOffer: fault(7814, 404, 'There is no such offer for this product.'),
  unknownProduct: fault(7226, 404, 'There is no such product.'),
  unknownSession: fault(7226, 404, 'There is no such checkout.'),
  notFound: fault(7226, 404, 'There is nothing at this address.'),
};
