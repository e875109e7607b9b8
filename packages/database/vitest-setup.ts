import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { createTemplate, dropTemplate, startTestCluster } from './src/testing.ts';

/** Services whose tables are in every test database: schema and service have the same name. */
const SERVICES = ['billing', 'identity', 'portal'];

/** Runs once before all test files: a server, and the migrated database that test databases are copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const schemas = SERVICES.map((schema) => ({
    schema,
    directory: fileURLToPath(new URL(`../../services/${schema}/migrations`, import.meta.url)),
  })).filter(({ directory }) => existsSync(directory));
  const { connection, stop } = await startTestCluster();
  try {
    const name = `template_escucho_${randomBytes(4).toString('hex')}`;
    const server = await createTemplate({ connection, name, schemas });
    project.provide('database', server);
    return async () => {
      await dropTemplate(server);
      await stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
