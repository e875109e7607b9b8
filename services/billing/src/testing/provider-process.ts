import { createApp } from '@escucho/service-kit';
import { billing } from '../index.ts';

// A provider in a process of its own, so that a test can kill it. In: its options as JSON. Out: its address on a line.
const app = createApp();
await app.register(billing, { prefix: '/billing', ...JSON.parse(process.argv[2] ?? '{}') });
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
