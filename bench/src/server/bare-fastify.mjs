// The ceiling of the startup time: Fastify with one route.
import Fastify from 'fastify';

const app = Fastify();
app.get('/', () => 'ok');
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
