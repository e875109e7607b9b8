import { openJobConnections } from '@escucho/jobs';
import { createApp } from '@escucho/service-kit';
import { billing } from '../index.ts';

// Starts a provider in its own process, so that a test can kill it. The argument is its options as JSON; it prints its address.
const options = JSON.parse(process.argv[2] ?? '{}');
const app = createApp();
const jobs = await openJobConnections({ connection: options.connection, log: app.log });
await app.register(billing, { prefix: '/billing', jobs, ...options });
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
