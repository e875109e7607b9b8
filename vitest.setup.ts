import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createTemplate, dropTemplate, startTestCluster } from '@escucho/database/testing';
import { createJobQueue, migrateJobQueue } from '@escucho/jobs';
import type { TestProject } from 'vitest/node';

/** Services whose tables are in every test database: schema and service have the same name. */
const SERVICES = ['billing', 'identity', 'portal'];

/** Starts a database server and migrates the database that test databases are copied from, once before all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const schemas = SERVICES.map((schema) => ({
    schema,
    directory: fileURLToPath(new URL(`services/${schema}/migrations`, import.meta.url)),
  }));
  schemas.push({
    schema: 'audit',
    directory: fileURLToPath(new URL('packages/audit/migrations', import.meta.url)),
  });
  const { connection, stop } = await startTestCluster();
  try {
    const name = `template_escucho_${randomBytes(4).toString('hex')}`;
    const server = await createTemplate({ connection, name, schemas });
    for (const service of SERVICES) {
      await migrateJobQueue({ ...connection, database: name }, createJobQueue(service));
    }
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
