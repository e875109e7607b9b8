import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
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
import { createS3Client, type S3Location } from './s3-client.ts';

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

    async put(key, bytes) {
      if (!isKey(key)) throw new Error('Not a key of the media store');
      // An upload whose stream fails is aborted with all its parts.
      const upload = new Upload({
        client,
        params: { ...toObject(key), Body: bytes, ContentType: getContentType(key) },
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
