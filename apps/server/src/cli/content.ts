import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadLibrary, moveMedia, openMediaStore } from '@escucho/portal';
import { readMediaPlace } from '../settings/media.ts';
import { directoryOf, migrateAll } from '../storage.ts';
import { runCommand } from './command.ts';
import { curatingCommands } from './curate.ts';
import { importCommand } from './import.ts';
import { log } from './log.ts';
import { notifyCommand } from './notify.ts';
import { progressBar } from './progress.ts';

const help = `npm run content -- COMMAND

  import PATH|FEED     take in a folder of recordings, or a podcast feed by its address or file; again, only what
                       changed. docs/operations.md says what may lie in the folder
    --language en|es --level A1…C2 --topic WORD --narrator NAME --kind article|audiobook
                       said of all pieces that do not say it themselves
    --playlist NAME    put what is new at the head of a system playlist
    --quiet            tell readers nothing
    --allow-private    let the feed point to addresses of this machine and its network

  list [TEXT]          what is in the catalogue and what was taken out, whose name or title holds a text
  edit NAME --title … --summary … --level … --kind … --topic … --narrator … --published YYYY-MM-DD
                       change what is known of it; later loads and imports leave these changes alone
  unpublish NAME…      take it out of lists, searches and playlists, and keep it
  publish NAME… [--quiet]
                       bring it back with its places, and tell readers; forget that it was removed
  remove NAME…         delete it and its media for good
  playlists [FILE]     list the system's playlists, or make them of a file like content/playlists.json
  place PLAYLIST NAME… put articles at the head of a system playlist
  hide PLAYLIST…, show PLAYLIST…
                       take a system playlist off Discover, or put it back
                       PLAYLIST is its name in quotes, or the key that its file gave it

  load [DIRECTORY]     load finished pieces (default: content/) into the catalogue; what is there already stays

  notify --title-en TEXT --body-en TEXT --title-es TEXT --body-es TEXT
                       write a notification for every reader; those who are there see it at once
  notify FILE          the same for a JSON list of {key, titleEn, bodyEn, titleEs, bodyEs}, each key once

  notifications        list the newest notifications with their ids
  take-back ID…        take notifications out of every reader's list, for good

  move-media --from STORE --to STORE
                       copy every file, compared with its name before and after; again, only what is missing.
                       STORE is file:PATH or s3://BUCKET/PREFIX, reached by the AWS_… settings

How pieces are written, narrated and drawn: content/README.md.`;

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
    import: importCommand,
    ...curatingCommands,
    notify: notifyCommand,
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
