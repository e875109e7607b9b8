import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { expect, it } from 'vitest';
import { type Connection, withClient } from './connection.ts';
import { createFolder, createTestDatabase, listenOnLoopback } from './testing.ts';

const connection = await createTestDatabase();
const folder = await createFolder();

/** A kind of name in a certificate (RFC 5280, section 4.2.1.6). */
const IP_ADDRESS = 7;

/** Writes a certificate to a file, which is its own authority. */
async function createCertificate(name: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: IP_ADDRESS, ip: '127.0.0.1' }] }],
  });
  const file = join(folder, `${name}.pem`);
  await writeFile(file, cert);
  return { key, cert, file };
}
const certificate = await createCertificate('database');
const otherCertificate = await createCertificate('other');

// Agrees to TLS as PostgreSQL does, and passes on what it decrypts.
const { key, cert } = certificate;
const proxy = createServer((client) => {
  client.once('data', () => {
    client.write('S');
    const decrypted = new TLSSocket(client, { isServer: true, key, cert });
    const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
    for (const socket of [client, decrypted, upstream]) socket.on('error', () => upstream.destroy());
    decrypted.pipe(upstream).pipe(decrypted);
  });
});
const encrypted = { ...connection, host: '127.0.0.1', port: await listenOnLoopback(proxy) };

const connections: [string, Connection][] = [
  ['without TLS', connection],
  ['over TLS', { ...encrypted, tls: { verify: true, ca: certificate.file } }],
  ['over TLS to any server', { ...encrypted, tls: { verify: false } }],
];

it.each(connections)('%s, a row of several reads and the rows after it arrive', async (_, connection) => {
  await withClient({ connection, name: 'tls test' }, async (client) => {
    const { rows } = await client.query<{ text: string; hash: string }>(`
      with long as (select string_agg(md5(n::text), '') as text from generate_series(1, 20000) as n)
      select text, md5(text) as hash from long
      union all select n::text, md5(n::text) from generate_series(1, 1000) as n`);
    expect(rows).toHaveLength(1001);
    expect(rows[0]?.text).toHaveLength(640_000);
    for (const { text, hash } of rows) expect(createHash('md5').update(text).digest('hex')).toBe(hash);
  });
});

it('a certificate that the authority has not signed is refused', async () => {
  const connection = { ...encrypted, tls: { verify: true, ca: otherCertificate.file } };
  await expect(withClient({ connection, name: 'tls test' }, async () => {})).rejects.toThrow(
    'self-signed certificate',
  );
});
