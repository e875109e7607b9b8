import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishNotification } from '@escucho/portal';
import { NotificationTextError, parseNotificationText } from '@escucho/portal/content';
import * as z from 'zod/mini';
import { migrateAll } from '../storage.ts';
import type { Command } from './command.ts';

const fileSchema = z.array(
  z.object({
    key: z.string().check(z.minLength(1), z.maxLength(100)),
    titleEn: z.string(),
    bodyEn: z.string(),
    titleEs: z.string(),
    bodyEs: z.string(),
  }),
);

const text = { type: 'string' } as const;
const options = { 'title-en': text, 'body-en': text, 'title-es': text, 'body-es': text };

/**
 * Reads the notifications of a file.
 *
 * @throws Error that names the invalid entry and field
 */
async function readNotifications(file: string) {
  const content = await readFile(resolve(file), 'utf8').catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  const result = fileSchema.safeParse(data);
  if (!result.success) {
    const fields = new Set(result.error.issues.map(({ path }) => path.join('.') || 'the list'));
    throw new Error(
      `${file} is not a JSON list of {key, titleEn, bodyEn, titleEs, bodyEs}. Look at: ${[...fields].join(', ')}.`,
    );
  }
  return result.data.map(({ key, ...text }) => {
    try {
      return { key, text: parseNotificationText(text) };
    } catch (error) {
      throw error instanceof NotificationTextError ? new Error(`${file}, ${key}: ${error.message}`) : error;
    }
  });
}

/** `content notify`: sends every user the notification of the options, or those of a file. */
export const notifyCommand: Command = async ({ args, storage: { connection } }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [file] = positionals;
  await migrateAll(connection);
  if (file !== undefined) {
    const notifications = await readNotifications(file);
    for (const { key, text } of notifications) await publishNotification({ connection, key, text });
    return `Sent ${notifications.length} notifications to every user.`;
  }
  const id = await publishNotification({
    connection,
    text: {
      titleEn: values['title-en'],
      bodyEn: values['body-en'],
      titleEs: values['title-es'],
      bodyEs: values['body-es'],
    },
  });
  return `Notified every user (${id}).`;
};
