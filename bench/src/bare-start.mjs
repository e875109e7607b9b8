// The least that can be started: Fastify with one answer. Its port comes by PORT.
import Fastify from 'fastify';

const app = Fastify();
app.get('/', () => 'ok');
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
