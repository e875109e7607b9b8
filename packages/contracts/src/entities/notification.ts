import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';

/** Notification (specification, section 3), in the user's language. */
export const notification = z.object({ _id: id, title: z.string(), body: z.string(), createdAt: dateTime });
export type Notification = z.infer<typeof notification>;
