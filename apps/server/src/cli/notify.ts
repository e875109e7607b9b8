import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishNotification } from '@escucho/portal';
import { NotificationTextError, parseNotificationText } from '@escucho/portal/content';
import * as z from 'zod/mini';
import { migrateAll } from '../storage.ts';
import type { Command } from './command.ts';

const words = { titleEn: z.string(), bodyEn: z.string(), titleEs: z.string(), bodyEs: z.string() };
const fileSchema = z.array(z.object({ key: z.string().check(z.minLength(1), z.maxLength(100)), ...words }));

const text = { type: 'string' } as const;
const options = { 'title-en': text, 'body-en': text, 'title-es': text, 'body-es': text };

/** Reads the notifications of a file. Throws an Error that names the invalid entry and field. */
async function noticesIn(file: string) {
  const content = await readFile(resolve(file), 'utf8').catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  const read = fileSchema.safeParse(data);
  if (!read.success) {
    const faults = new Set(read.error.issues.map(({ path }) => path.join('.') || 'the list'));
    throw new Error(
      `${file} is not a JSON list of {key, titleEn, bodyEn, titleEs, bodyEs}. Look at: ${[...faults].join(', ')}.`,
    );
  }
  return read.data.map(({ key, ...words }) => {
    try {
      return { key, words: parseNotificationText(words) };
    } catch (error) {
      throw error instanceof NotificationTextError ? new Error(`${file}, ${key}: ${error.message}`) : error;
    }
  });
}

/** `content notify`: notifies every user, by options or by a file. */
export const notifyCommand: Command = async ({ args, storage: { connection } }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [file] = positionals;
  await migrateAll(connection);
  if (file !== undefined) {
    const notices = await noticesIn(file);
    for (const { key, words } of notices) await publishNotification({ connection, key, text: words });
    return `${notices.length} notifications are there for every reader.`;
  }
  const words = {
    ...{ titleEn: values['title-en'], bodyEn: values['body-en'] },
    ...{ titleEs: values['title-es'], bodyEs: values['body-es'] },
  };
  return `Notified every reader (${await publishNotification({ connection, text: words })}).`;
};
