import { resolve } from 'node:path';
import { backup, restore } from '@escucho/database';
import { migrateAll } from '../storage.ts';
import { runCommand } from './command.ts';
import { jobsCommand } from './jobs.ts';

const help = `npm run db -- COMMAND

  migrate                  apply pending migrations
  backup FILE              write all data of the database to a gzip file
  restore FILE             restore a backup into an empty database
  restore FILE --replace   the same, deleting existing data
  jobs                     list dead jobs of all services: jobs that failed on every attempt
  jobs retry [SERVICE]     run dead jobs again, of one service or of all

Passwords are encrypted with the secrets in the data directory: store secrets.json with every backup.`;

function getFile(args: readonly string[]): string {
  const file = args.find((arg) => !arg.startsWith('--'));
  if (file === undefined) throw new Error('Which file? npm run db -- backup FILE');
  return resolve(file);
}

await runCommand(
  {
    jobs: jobsCommand,
    async migrate({ storage }) {
      const applied = await migrateAll(storage.connection);
      return applied.length === 0 ? 'The tables are up to date.' : `Applied ${applied.join(', ')}.`;
    },
    async backup({ args, storage }) {
      const file = getFile(args);
      const { tables } = await backup({ connection: storage.connection, file });
      return `Wrote ${tables} tables to ${file}.`;
    },
    async restore({ args, storage }) {
      const file = getFile(args);
      await migrateAll(storage.connection);
      const { tables } = await restore({
        connection: storage.connection,
        file,
        replace: args.includes('--replace'),
      });
      return `Filled ${tables} tables from ${file}.`;
    },
  },
  help,
);
