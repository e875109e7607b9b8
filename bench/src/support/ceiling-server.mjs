// The ceilings of the API's requests: Fastify routes that verify the token as the product does (`/memory/N`), also run the
// statements of the product's request (`/database/N`), and send the product's bytes.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { jwtVerify } from 'jose';
import pg from 'pg';

const CONNECTIONS = 10;
const TOKEN_TTL_MS = 60_000;

async function listen({ secret, connection, responses }) {
  const pool = new pg.Pool({ ...connection, max: CONNECTIONS, options: '-c search_path=portal,public' });
  const key = new TextEncoder().encode(secret);
  const verifiedUntil = new Map();

  async function verifyToken(authorization) {
    if ((verifiedUntil.get(authorization) ?? 0) > Date.now()) return;
    await jwtVerify(authorization.slice('Bearer '.length), key);
    verifiedUntil.set(authorization, Date.now() + TOKEN_TTL_MS);
  }

  /** Runs the statements of a transaction in order on one connection, others at once. */
  async function runStatements(statements) {
    if (!statements.some(({ text }) => text === 'begin'))
      return Promise.all(statements.map((statement) => pool.query(statement)));
    const outside = statements.slice(
      0,
      statements.findIndex(({ text }) => text === 'begin'),
    );
    await Promise.all(outside.map((statement) => pool.query(statement)));
    const client = await pool.connect();
    for (const statement of statements.slice(outside.length)) await client.query(statement);
    return client.release();
  }

  /** Gives statements a new id where each request of the product has one. */
  function renewId(statements, newId) {
    if (newId === undefined) return statements;
    const id = randomUUID();
    const renew = (value) => {
      if (Array.isArray(value)) return value.map(renew);
      return value === newId ? id : value;
    };
    return statements.map(({ values, ...statement }) => ({ ...statement, values: values.map(renew) }));
  }

  const app = Fastify();
  for (const [index, { status, headers, body, statements, newId }] of responses.entries()) {
    const bytes = Buffer.from(body, 'base64');
    const send = (reply) => reply.status(status).headers(headers).send(bytes);
    app.all(`/memory/${index}`, async (request, reply) => {
      await verifyToken(request.headers.authorization);
      return send(reply);
    });
    app.all(`/database/${index}`, async (request, reply) => {
      await verifyToken(request.headers.authorization);
      await runStatements(renewId(statements, newId));
      return send(reply);
    });
  }
  process.send(await app.listen({ port: 0, host: '127.0.0.1' }));
}

process.once('message', listen);
