import { createServer } from 'node:http';
import { listenOnLoopback } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { startBucket } from '../testing/fakes/s3.ts';
import { openS3Store } from './s3-store.ts';

/** A bucket whose policy allows its folder only: listing anything else, and asking for the bucket itself, is refused. */
const restricted = createServer(({ method, url = '' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const isFolder = /^\/sound\/?$/.test(pathname) && searchParams.get('prefix') === 'a/folder/';
  const isAllowed = method === 'GET' && isFolder;
  response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'application/xml' });
  const body = isAllowed ? '<ListBucketResult/>' : '<Error><Code>AccessDenied</Code></Error>';
  response.end(method === 'HEAD' ? undefined : body);
});
const restrictedPort = await listenOnLoopback(restricted);
const bucket = await startBucket();

it('the check of a bucket needs no permission beyond its folder', async () => {
  const endpoint = `http://127.0.0.1:${restrictedPort}`;
  const location = { ...bucket.toLocation('a/folder'), bucket: 'sound', endpoint };
  await openS3Store(location).check();
  await expect(openS3Store({ ...location, prefix: 'another' }).check()).rejects.toMatchObject({
    name: 'AccessDenied',
  });
});

it('the check of a bucket that does not respond fails before a probe gives up', async () => {
  const port = await listenOnLoopback(createServer(() => {}));
  const endpoint = `http://127.0.0.1:${port}`;
  const check = openS3Store({ ...bucket.toLocation('a/folder'), endpoint }).check();
  await expect(check).rejects.toMatchObject({ name: 'AbortError' });
}, 5000);

it('the check of a missing bucket fails', async () => {
  const location = { ...bucket.toLocation('a/folder'), bucket: 'missing' };
  await expect(openS3Store(location).check()).rejects.toThrow(/bucket does not exist/);
});
