import { createIdentityAdmin, type UserSummary } from '@escucho/identity';
import { loadInstance } from '../instance.ts';
import { migrateAll } from '../storage.ts';
import { type Command, runCommand } from './command.ts';

const help = `npm run identity -- COMMAND

  list [TEXT]      list accounts whose address contains a text, newest first
  disable NAME     disable an account and revoke every session
  enable NAME      enable an account
  reset NAME       require a new password, set by a mailed code
  delete NAME      delete an account; the user's data in the portal is not deleted
  rotate-keys      publish new keys that sign tokens in ten minutes; all sessions stay valid

NAME is an address, an id, or a username such as google_1234. For the embedded identity provider only.`;

type Admin = ReturnType<typeof createIdentityAdmin>;

const line = ({ username, email, status, enabled }: UserSummary) =>
  [(email ?? '-').padEnd(36), enabled ? status : `${status}, disabled`, username].join('  ');

/** Creates a command that administers the embedded identity provider. */
function withAdmin(work: (admin: Admin, args: string[]) => Promise<string>): Command {
  return async ({ args, settings, storage }) => {
    if (settings.outsideIdentity) throw new Error('The identity provider is elsewhere: administer it there.');
    const { userPoolId: poolId, identitySecret: secret } = await loadInstance(settings.dataDir);
    await migrateAll(storage.connection);
    const admin = createIdentityAdmin({ connection: storage.connection, poolId, secret });
    try {
      return await work(admin, args);
    } finally {
      await admin.close();
    }
  };
}

/** Creates a command about one account. */
function about(done: string, work: (admin: Admin, name: string) => Promise<UserSummary>): Command {
  return withAdmin(async (admin, [name]) => {
    if (name === undefined) throw new Error('Whom? Name an address, an id or a username.');
    const person = await work(admin, name);
    return `${done}: ${person.email ?? person.username}`;
  });
}

await runCommand(
  {
    list: withAdmin(async (admin, [text = '']) => {
      const people = await admin.listUsers(text, 200);
      return people.length === 0 ? 'Nobody.' : people.map(line).join('\n');
    }),
    disable: about('Disabled', (admin, name) => admin.disableUser(name)),
    enable: about('Enabled', (admin, name) => admin.enableUser(name)),
    reset: about('Asked for a new password', (admin, name) => admin.resetPassword(name)),
    delete: about('Deleted', (admin, name) => admin.deleteUser(name)),
    'rotate-keys': withAdmin(async (admin) => {
      await admin.rotateKeys();
      return 'New keys are published, and sign in ten minutes.';
    }),
  },
  help,
);
