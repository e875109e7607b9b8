import { singleLineText } from '@escucho/contracts';
import * as z from 'zod/mini';

const title = singleLineText(120).check(z.trim(), z.minLength(1));
const body = singleLineText(500).check(z.trim(), z.minLength(1));
const words = z.object({ titleEn: title, bodyEn: body, titleEs: title, bodyEs: body });

/** A notification's words as somebody gives them. */
export type NotificationText = { [Name in keyof z.infer<typeof words>]: string | undefined };

/** What is wrong with a notification's words, for whoever writes it. */
export class NotificationTextError extends Error {
  override readonly name = 'NotificationTextError';
}

/** Words that can be shown: both languages, one line each, titles up to 120 characters and bodies up to 500. Throws `BadWords`. */
export function parseNotificationText(given: NotificationText): z.infer<typeof words> {
  const result = words.safeParse(given);
  if (result.success) return result.data;
  const faults = [...new Set(result.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new NotificationTextError(
    `A notification needs titles (one line, 120 characters at most) and bodies (500) in both languages. Look at: ${faults}.`,
  );
}
