import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { LRUCache } from 'lru-cache';
import {
  getContentType,
  isKey,
  MediaNotFoundError,
  type MediaStore,
  type StoredFile,
} from './media-store.ts';

/** An access key of AWS or of another provider of S3; temporary ones have a session token. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** A folder in an S3-compatible bucket, and how to connect. */
export interface S3Location {
  bucket: string;
  /** Without slashes at its ends; may be empty. */
  prefix: string;
  /** Undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Undefined for the credentials of the machine's role or profile. */
  keys: AwsKeys | undefined;
}

/** Every user who listens occupies a connection; the SDK's default of 50 would delay the next one. */
const MAX_SOCKETS = 2000;

/** Creates a client for a bucket. It connects with the first request. */
export function createS3Client({ endpoint, region, keys }: S3Location): S3Client {
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true };
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(keys && { credentials: keys }),
    // Other providers may not support the newer checksums; keys are checksums themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: agent, httpsAgent: agent, connectionTimeout: 5000, socketTimeout: 60_000 },
  });
}

const MAX_CACHED_STATS = 20_000;

const isNotFound = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** A bucket that accepts connections may never respond; the probes of proxies and of Kubernetes wait up to 5 s. */
const CHECK_TIMEOUT_MS = 3000;
const STAT_TIMEOUT_MS = 10_000;

/** Opens a store in an S3-compatible bucket. Connects with the first call. */
export function openS3Store(location: S3Location): MediaStore {
  const client = createS3Client(location);
  const { bucket: Bucket, prefix } = location;
  const folder = prefix === '' ? '' : `${prefix}/`;
  const toObject = (key: string) => ({ Bucket, Key: `${folder}${key}` });
  // Without a lifetime, because the file of a key never changes.
  const stats = new LRUCache<string, StoredFile>({ max: MAX_CACHED_STATS });

  async function requestStat(key: string): Promise<StoredFile | undefined> {
    try {
      const { ContentLength: size = 0, LastModified: modified = new Date(0) } = await client.send(
        new HeadObjectCommand(toObject(key)),
        { abortSignal: AbortSignal.timeout(STAT_TIMEOUT_MS) },
      );
      return { size, modified };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    async stat(key) {
      if (!isKey(key)) return undefined;
      const file = stats.get(key) ?? (await requestStat(key));
      if (file) stats.set(key, file);
      return file;
    },

    async read(key, range) {
      if (!isKey(key)) throw new MediaNotFoundError(key);
      const header = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...toObject(key), ...header }));
        if (Body instanceof Readable) return Body;
      } catch (error) {
        stats.delete(key);
        if (!isNotFound(error)) throw error;
      }
      throw new MediaNotFoundError(key);
    },

    async put(key, source) {
      if (!isKey(key)) throw new Error('Not a key of the media store');
      const Body = typeof source === 'string' ? createReadStream(source) : source;
      // An upload whose stream fails is aborted with all its parts.
      const upload = new Upload({
        client,
        params: { ...toObject(key), Body, ContentType: getContentType(key) },
      });
      await upload.done();
    },

    async remove(key) {
      if (!isKey(key)) return;
      stats.delete(key);
      await client.send(new DeleteObjectCommand(toObject(key)));
    },

    async *keys() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: folder })) {
        yield* Contents.map(({ Key = '' }) => Key.slice(folder.length)).filter(isKey);
      }
    },

    async check() {
      // HeadBucket is refused where a policy allows the folder only.
      await client.send(new ListObjectsV2Command({ Bucket, Prefix: folder, MaxKeys: 1 }), {
        abortSignal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      });
    },
  };
}
