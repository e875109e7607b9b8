import { openJobConnections } from '@escucho/jobs';
import { createApp } from '@escucho/service-kit';
import { createLocalJWKSet } from 'jose';
import { portal } from '../index.ts';

// Runs a portal in a process of its own, so that a test can kill it. Argument: the options as JSON, keys as a JSON Web Key Set.
// Prints its base URL.
const { keys, tokens, ...options } = JSON.parse(process.argv[2] ?? '{}');
const app = createApp();
await app.register(portal, {
  prefix: '/api',
  jobs: await openJobConnections({ connection: options.connection, log: app.log }),
  tokens: { ...tokens, keys: createLocalJWKSet(keys) },
  ...options,
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
