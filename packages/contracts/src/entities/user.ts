import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';

/** The mobile operators by which readers come. */
export const platform = z.enum(['bitel', 'entel', 'cnt', 'antel']);
export type Platform = z.infer<typeof platform>;

/** User (specification, section 3); `platform` is set for operators' readers only. */
export const user = z.object({
  _id: id,
  email: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  displayName: z.string(),
  platform: z.nullable(platform),
  isExternal: z.boolean(),
});
export type User = z.infer<typeof user>;

/** What the reader's subscription allows now (SUB-02, SUB-04). */
export const subscription = z.object({
  isActive: z.boolean(),
  store: z.nullable(z.string()),
  willRenew: z.boolean(),
  expiresAt: z.nullable(dateTime),
});
export type Subscription = z.infer<typeof subscription>;
