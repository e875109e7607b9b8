import { readFileSync } from 'node:fs';
import { getErrorMessage } from '@escucho/database';
import * as z from 'zod/mini';
import { type Instance, parseSecrets } from '../instance.ts';
import { EnvError, listOfNames, wholeNumberOf } from './variables.ts';

/** The parts of the product that a process may serve, and the background jobs of all of them. */
export const roles = ['web', 'portal', 'identity', 'billing', 'jobs'] as const;
export type Role = (typeof roles)[number];

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });

/** Environment variables of an installation with several processes. */
export const processVariables = {
  ROLES: z._default(listOfNames(roles), [...roles]),
  DATABASE_URL: z.optional(databaseUrl),
  DATABASE_DIRECT_URL: z.optional(databaseUrl),
  DATABASE_READ_URL: z.optional(databaseUrl),
  SECRETS: z.optional(z.string()),
  SHUTDOWN_DELAY_SECONDS: z._default(wholeNumberOf('seconds', { min: 0, max: 60 }), 0),
};

type Variables = z.output<z.ZodMiniObject<typeof processVariables>> & { PUBLIC_URL?: string | undefined };

/** Returns whether roles need the database: the web app alone does not. */
export const usesDatabase = (served: readonly Role[]): boolean => served.some((role) => role !== 'web');

/**
 * Checks that a process that serves only a part of the product can reach the others.
 *
 * @throws EnvError
 */
export function checkRoles(env: Variables): void {
  const { ROLES, PUBLIC_URL, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL } = env;
  const problems: string[] = [];
  if (DATABASE_DIRECT_URL && !DATABASE_URL)
    problems.push('DATABASE_DIRECT_URL: needs DATABASE_URL, the address of the pooler of the same database');
  if (DATABASE_READ_URL && !DATABASE_URL)
    problems.push('DATABASE_READ_URL: needs DATABASE_URL, the address of the primary of the same database');
  const isPartial = roles.some((role) => !ROLES.includes(role));
  if (isPartial && !PUBLIC_URL)
    problems.push('PUBLIC_URL: needed with ROLES, because the other processes are reached there');
  if (isPartial && usesDatabase(ROLES) && !DATABASE_URL)
    problems.push('DATABASE_URL: needed with ROLES, because all processes share a database');
  if (problems.length > 0) throw new EnvError(problems);
}

/**
 * Returns the secrets of the installation, if the environment has them.
 *
 * @throws EnvError without repeating them
 */
export function readSecrets({ SECRETS }: { SECRETS?: string | undefined }): Instance | undefined {
  if (SECRETS === undefined) return undefined;
  const secrets = parseSecrets(SECRETS);
  if (secrets) return secrets;
  throw new EnvError(['SECRETS: must be the content of a secrets.json with all its members']);
}

/**
 * Replaces each variable NAME_FILE by NAME with the content of the file, without spaces around it: secrets of Docker,
 * Kubernetes and systemd are files.
 *
 * @param names - the names of all settings
 * @throws EnvError with every file that cannot be read or is empty, and every variable that is set twice
 */
export function readVariableFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const problems: string[] = [];
  const variables = { ...env };
  for (const name of names) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name}, ${name}_FILE: set one of them`);
    delete variables[`${name}_FILE`];
    try {
      variables[name] = readFileSync(file, 'utf8').trim();
      // As an empty variable it would count as unset: the product would start with an embedded database, for instance.
      if (variables[name] === '') problems.push(`${name}_FILE: ${file} is empty`);
    } catch (error) {
      problems.push(`${name}_FILE: ${getErrorMessage(error)}`);
    }
  }
  if (problems.length > 0) throw new EnvError(problems);
  return variables;
}
