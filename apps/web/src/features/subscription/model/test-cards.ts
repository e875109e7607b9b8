import * as z from 'zod/mini';
import type { MessageKey } from '#shared/i18n/i18n.ts';

/** What the embedded sandbox's cards do; whatever else passes for a card is accepted. */
export type CardBehaviour = 'succeeds' | 'declined' | 'poor' | 'asks' | 'asks_later' | 'expired' | 'slow';

interface TestCard {
  number: string;
  does: CardBehaviour;
  label: MessageKey;
}

export const testCards: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', does: 'succeeds', label: 'checkout.cardSucceeds' },
  { number: '4000 0000 0000 0002', does: 'declined', label: 'checkout.cardDeclined' },
  { number: '4000 0000 0000 9995', does: 'poor', label: 'checkout.cardPoor' },
  { number: '4000 0025 0000 3155', does: 'asks', label: 'checkout.cardAsks' },
  { number: '4000 0027 6000 3184', does: 'asks_later', label: 'checkout.cardAsksLater' },
  { number: '4000 0000 0000 0069', does: 'expired', label: 'checkout.cardExpired' },
  { number: '4000 0000 0000 8005', does: 'slow', label: 'checkout.cardSlow' },
];

/** Why a card is refused, in words; null: it is not. */
export const refusals: Readonly<Record<CardBehaviour, MessageKey | null>> = {
  succeeds: null,
  slow: null,
  asks: null,
  asks_later: null,
  declined: 'checkout.wasDeclined',
  poor: 'checkout.wasPoor',
  expired: 'checkout.wasExpired',
};

const digitsOf = (text: string) => text.replace(/[\s-]/g, '');

/** The check digit that every card number has. */
function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Whether MM/YY names a month that is not over. In: the text, and now. */
function isAhead(text: string, now: Date): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d\d)$/.exec(text.trim()) ?? [];
  return month !== undefined && new Date(2000 + Number(year), Number(month), 1) > now;
}

/** What a card does, by its number. */
export const behaviourOf = (number: string): CardBehaviour =>
  testCards.find((card) => digitsOf(card.number) === digitsOf(number))?.does ?? 'succeeds';

const required = { message: 'field_required', abort: true };

/** The rules of the test card form. In: now. */
export const testCardForm = (now: Date) =>
  z.object({
    number: z.string().check(z.minLength(1, required), z.refine(isCardNumber, 'field_invalid')),
    expiry: z.string().check(
      z.minLength(1, required),
      z.refine((text) => isAhead(text, now), 'field_invalid'),
    ),
    code: z.string().check(z.minLength(1, required), z.regex(/^\d{3,4}$/, 'field_invalid')),
  });
