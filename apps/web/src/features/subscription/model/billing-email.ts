import { limits } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { MessageKey } from '#shared/i18n/i18n.ts';

const key = (name: MessageKey): MessageKey => name;

/** Where receipts go (section 5); looser than the e-mail of an account. Messages are names of texts. */
export const billingEmailForm = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { message: key('checkout.emailRequired'), abort: true }),
      z.maxLength(limits.email.max, key('checkout.emailInvalid')),
      z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, key('checkout.emailInvalid')),
    ),
});
