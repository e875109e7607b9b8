import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadLibrary, notifyReaders, openFileStore } from '@escucho/portal';
import { directoryOf, migrateAll } from '../storage.ts';
import { runCommand } from './command.ts';

const help = `npm run content -- COMMAND

  load [DIRECTORY]     load finished pieces (default: content/) into the catalogue; what is there already stays

  notify --title-en TEXT --body-en TEXT --title-es TEXT --body-es TEXT
                       write a notification for every reader; those who are there see it at once

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
      const mediaStore = await openFileStore(settings.mediaRoot);
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
  },
  help,
);
