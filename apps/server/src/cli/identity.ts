import { parseArgs } from 'node:util';
import { createIdentityAdmin, type UserSummary } from '@escucho/identity';
import { openMatchingInstance } from '../instance.ts';
import { migrateAll } from '../storage.ts';
import {
  assertNoArguments,
  type Command,
  type CommandLine,
  confirmDeletion,
  confirmOption,
  getArgument,
  isEntryPoint,
  runCommand,
} from './command.ts';

const MAX_LISTED = 200;

const help = `npm run identity -- COMMAND

  list [TEXT]      list the newest ${MAX_LISTED} accounts whose email address contains TEXT
  disable NAME     disable an account and revoke its sessions
  enable NAME      enable an account
  reset NAME       require a new password, to be set with a code sent by email
  remove-factors NAME  remove lost second factors, recovery codes and passkeys, and revoke all sessions
  delete NAME      delete an account; the user's data in the portal is not deleted; --yes confirms it in scripts
  rotate-keys      publish new signing keys, used in ten minutes; all sessions stay valid

NAME is an email address, an id, or a username such as google_1234. For the embedded identity provider only.`;

type Admin = ReturnType<typeof createIdentityAdmin>;

const formatUser = ({ username, email, status, enabled }: UserSummary) =>
  [(email ?? '-').padEnd(36), enabled ? status : `${status}, disabled`, username].join('  ');

/** Creates a command that administers the embedded identity provider. */
function withAdmin(run: (admin: Admin, args: string[]) => Promise<string>): Command {
  return async ({ args, settings, storage }) => {
    if (settings.externalIdentity)
      throw new Error('The identity provider is external: administer its accounts there.');
    const { connection } = storage;
    await migrateAll(connection);
    const { userPoolId: poolId, identitySecret: secret } = await openMatchingInstance(settings, connection);
    const { smtp } = settings.embeddedIdentity;
    const admin = createIdentityAdmin({
      connection,
      poolId,
      secret,
      ...(smtp && { smtp }),
    });
    try {
      return await run(admin, args);
    } finally {
      await admin.close();
    }
  };
}

function getName(args: string[]): string {
  const name = getArgument(args);
  if (name === undefined) throw new Error('Which account? Give an email address, an id or a username.');
  return name;
}

const formatChange = (label: string, { email, username }: UserSummary) => `${label}: ${email ?? username}`;

/** Creates a command that changes one account. */
const changeUser = (label: string, run: (admin: Admin, name: string) => Promise<UserSummary>): Command =>
  withAdmin(async (admin, args) => formatChange(label, await run(admin, getName(args))));

/** `npm run identity`. */
export const identityCommandLine: CommandLine = {
  name: 'identity',
  help,
  commands: {
    list: withAdmin(async (admin, args) => {
      const users = await admin.listUsers(getArgument(args) ?? '', MAX_LISTED + 1);
      const lines = users.slice(0, MAX_LISTED).map(formatUser);
      if (users.length > MAX_LISTED) lines.push('Older accounts are not listed: give a TEXT to find them.');
      return lines.length === 0 ? 'No accounts.' : lines.join('\n');
    }),
    disable: changeUser('Disabled', (admin, name) => admin.disableUser(name)),
    enable: changeUser('Enabled', (admin, name) => admin.enableUser(name)),
    reset: changeUser('Requires a new password', (admin, name) => admin.resetPassword(name)),
    'remove-factors': changeUser('Signs in by password only', (admin, name) => admin.removeFactors(name)),
    delete: withAdmin(async (admin, args) => {
      const { values, positionals } = parseArgs({ args, options: confirmOption, allowPositionals: true });
      const name = getName(positionals);
      await confirmDeletion(`the account ${name}`, values);
      return formatChange('Deleted', await admin.deleteUser(name));
    }),
    'rotate-keys': withAdmin(async (admin, args) => {
      assertNoArguments(args);
      await admin.rotateKeys();
      return 'New keys are published. They sign tokens in ten minutes.';
    }),
  },
};

if (isEntryPoint(import.meta.filename)) await runCommand(identityCommandLine);
