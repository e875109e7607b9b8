import * as z from 'zod/mini';
import type { MessageKey } from '#shared/i18n/i18n.ts';

/** The behavior of the embedded sandbox's test cards; any other valid card number is accepted. */
export type CardBehavior =
  | 'accepted'
  | 'declined'
  | 'insufficient_funds'
  | 'requires_confirmation'
  | 'renewals_require_confirmation'
  | 'expired'
  | 'slow';

interface TestCard {
  number: string;
  behavior: CardBehavior;
  label: MessageKey;
}

export const testCards: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', behavior: 'accepted', label: 'checkout.cardSucceeds' },
  { number: '4000 0000 0000 0002', behavior: 'declined', label: 'checkout.cardDeclined' },
  { number: '4000 0000 0000 9995', behavior: 'insufficient_funds', label: 'checkout.cardInsufficientFunds' },
  {
    number: '4000 0025 0000 3155',
    behavior: 'requires_confirmation',
    label: 'checkout.cardRequiresConfirmation',
  },
  {
    number: '4000 0027 6000 3184',
    behavior: 'renewals_require_confirmation',
    label: 'checkout.cardRenewalsRequireConfirmation',
  },
  { number: '4000 0000 0000 0069', behavior: 'expired', label: 'checkout.cardExpired' },
  { number: '4000 0000 0000 8005', behavior: 'slow', label: 'checkout.cardSlow' },
];

/** The messages of refused cards; null for accepted ones. */
export const declineMessages: Readonly<Record<CardBehavior, MessageKey | null>> = {
  accepted: null,
  slow: null,
  requires_confirmation: null,
  renewals_require_confirmation: null,
  declined: 'checkout.declined',
  insufficient_funds: 'checkout.insufficientFunds',
  expired: 'checkout.expired',
};

const toDigits = (text: string) => text.replace(/[\s-]/g, '');

/** Returns whether a text is a card number, by its length and the Luhn check digit. */
function isCardNumber(text: string): boolean {
  const digits = toDigits(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Returns whether an `MM/YY` date has not expired. */
function isUnexpired(text: string, now: Date): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d\d)$/.exec(text.trim()) ?? [];
  return month !== undefined && new Date(2000 + Number(year), Number(month), 1) > now;
}

/** Returns a card's behavior by its number. */
export const getCardBehavior = (number: string): CardBehavior =>
  testCards.find((card) => toDigits(card.number) === toDigits(number))?.behavior ?? 'accepted';

const required = { message: 'field_required', abort: true };

/** Creates the schema of the test card form. */
export const createTestCardForm = (now: Date) =>
  z.object({
    number: z.string().check(z.minLength(1, required), z.refine(isCardNumber, 'field_invalid')),
    expiry: z.string().check(
      z.minLength(1, required),
      z.refine((text) => isUnexpired(text, now), 'field_invalid'),
    ),
    code: z.string().check(z.minLength(1, required), z.regex(/^\d{3,4}$/, 'field_invalid')),
  });
