import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadLibrary, moveMedia, notifyReaders, openMediaStore } from '@escucho/portal';
import { readMediaPlace } from '../settings.ts';
import { directoryOf, migrateAll } from '../storage.ts';
import { runCommand } from './command.ts';
import { progressBar } from './progress.ts';

const help = `npm run content -- COMMAND

  load [DIRECTORY]     load finished pieces (default: content/) into the catalogue; what is there already stays

  notify --title-en TEXT --body-en TEXT --title-es TEXT --body-es TEXT
                       write a notification for every reader; those who are there see it at once

  move-media --from STORE --to STORE
                       copy every file, compared with its name before and after; again, only what is missing.
                       STORE is file:PATH or s3://BUCKET/PREFIX, reached by the AWS_… settings

How pieces are written, narrated and drawn: content/README.md.`;

const log = {
  info() {},
  warn: (detail: object, message: string) => console.warn(message, detail),
  error: (detail: object, message: string) => console.error(message, detail),
};

await runCommand(
  {
    async load({ args, settings, storage }) {
      const { connection } = storage;
      await migrateAll(connection);
      const mediaStore = await openMediaStore(settings.mediaPlace);
      const directory = args[0] === undefined ? directoryOf('@escucho/content') : resolve(args[0]);
      const { loaded, unchanged, failed } = await loadLibrary({ connection, mediaStore, directory, log });
      if (failed.length > 0) process.exitCode = 1;
      return `${loaded.length} loaded, ${unchanged.length} unchanged, ${failed.length} left out.`;
    },
    async notify({ args, storage: { connection } }) {
      const text = { type: 'string' } as const;
      const options = { 'title-en': text, 'body-en': text, 'title-es': text, 'body-es': text };
      const { values } = parseArgs({ args, options });
      await migrateAll(connection);
      const words = {
        ...{ titleEn: values['title-en'], bodyEn: values['body-en'] },
        ...{ titleEs: values['title-es'], bodyEs: values['body-es'] },
      };
      return `Notified every reader (${await notifyReaders({ connection, words })}).`;
    },
    async 'move-media'({ args }) {
      const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
      const from = await openMediaStore(readMediaPlace(values.from, process.env));
      const to = await openMediaStore(readMediaPlace(values.to, process.env));
      const bar = progressBar();
      const { copied, present, failed } = await moveMedia({ from, to, onFile: bar.update });
      for (const { key, reason } of failed) bar.say(`${key}: ${reason}`);
      bar.clear();
      if (failed.length > 0) process.exitCode = 1;
      return `${copied} copied, ${present} there before, ${failed.length} failed.`;
    },
  },
  help,
);
