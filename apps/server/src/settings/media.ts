import { resolve } from 'node:path';
import type { MediaLocation } from '@escucho/portal';
import { EnvError, readEnv } from '@escucho/service-kit';
import * as z from 'zod/mini';
import { withoutSlash } from './kinds.ts';

/** `file:` and a path, or `s3://`, a bucket's name and a folder in it. */
const mediaStore = /^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?)$/;

const storeName = z.string().check(z.regex(mediaStore, 'must be file:PATH or s3://BUCKET/PREFIX'));
const storeKeys = {
  AWS_ENDPOINT_URL_S3: z.optional(withoutSlash),
  AWS_REGION: z._default(z.string(), 'us-east-1'),
  AWS_ACCESS_KEY_ID: z.optional(z.string()),
  AWS_SECRET_ACCESS_KEY: z.optional(z.string()),
};
const named = z.object({ MEDIA_STORE: storeName, ...storeKeys });

/** Where recordings and pictures lie: variables of the environment. */
export const mediaVariables = { MEDIA_STORE: z.optional(storeName), ...storeKeys };

type StoreKeys = Omit<z.output<typeof named>, 'MEDIA_STORE'>;

/** A media store by its checked name, a bucket with its endpoint, region and keys. Throws `EnvError`. */
export function mediaPlaceOf(env: StoreKeys, text: string): MediaLocation {
  if (text.startsWith('file:')) return { directory: resolve(text.slice('file:'.length)) };
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new EnvError(['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: the one is of no use without the other']);
  }
  const [bucket = '', ...prefix] = text.slice('s3://'.length).split('/');
  return {
    bucket,
    prefix: prefix.filter((part) => part !== '').join('/'),
    endpoint: env.AWS_ENDPOINT_URL_S3,
    region: env.AWS_REGION,
    keys: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}

/**
 * A media store by its name. In: `file:PATH` or `s3://BUCKET/PREFIX`, and the environment with the bucket's endpoint,
 * region and keys. Throws `EnvError`.
 */
export function readMediaPlace(text: string | undefined, env: NodeJS.ProcessEnv): MediaLocation {
  const { MEDIA_STORE: name, ...keys } = readEnv(named, { ...env, MEDIA_STORE: text });
  return mediaPlaceOf(keys, name);
}
