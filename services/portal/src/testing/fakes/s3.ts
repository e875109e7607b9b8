import crypto from 'node:crypto';
import { addCleanup, createFolder } from '@escucho/database/testing';
import S3rver from 's3rver';
import type { S3Location } from '../../media/s3-store.ts';

const BUCKET = 'escucho';

// S3rver encrypts the token of a next page with DES, which OpenSSL 3 lacks. Triple DES with the same key three times is DES.
const { createCipheriv } = crypto;
crypto.createCipheriv = ((algorithm: string, key: Buffer, ...others: [Buffer]) =>
  algorithm === 'des'
    ? createCipheriv('des-ede3-cbc', Buffer.concat([key, key, key]), ...others)
    : createCipheriv(algorithm, key, ...others)) as typeof createCipheriv;

/** Starts an S3 server with one bucket on loopback, which is stopped after the tests. */
export async function startBucket() {
  const directory = await createFolder();
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const close = () => server.close();
  addCleanup(close);
  const endpoint = `http://127.0.0.1:${port}`;
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return {
    close,
    endpoint,
    /** Returns the location of a folder in the bucket. */
    toLocation: (prefix: string): S3Location => ({
      bucket: BUCKET,
      prefix,
      endpoint,
      region: 'us-east-1',
      keys,
    }),
  };
}
