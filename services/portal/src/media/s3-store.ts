import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { contentTypeOf, isKey, MediaGone, type MediaStore, type Stored } from './store.ts';

/** A bucket, the folder in it, and how to reach it. */
export interface S3Place {
  bucket: string;
  /** Without slashes around it; may be empty. */
  prefix: string;
  /** Amazon's own unless said. */
  endpoint: string | undefined;
  region: string;
  /** Those of the machine's role or profile unless said. */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Files never change under their key, so what is known of them stays true. */
const REMEMBERED = 20_000;
/** Each reader who listens holds a connection; the client's own 50 would make the next one wait. */
const SOCKETS = 2000;

function clientOf({ endpoint, region, keys }: S3Place): S3Client {
  const agent = { maxSockets: SOCKETS, keepAlive: true };
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(keys && { credentials: keys }),
    // Stores that are not Amazon's may not know the newer checksums; the key says what the bytes must be.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: agent, httpsAgent: agent, connectionTimeout: 5000, socketTimeout: 60_000 },
  });
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** A store in an S3-compatible bucket. Nothing is asked of it before the first call. */
export function openS3Store(place: S3Place): MediaStore {
  const client = clientOf(place);
  const { bucket: Bucket, prefix } = place;
  const nameOf = (key: string) => ({ Bucket, Key: prefix === '' ? key : `${prefix}/${key}` });
  const known = new Map<string, Stored>();

  async function head(key: string): Promise<Stored | undefined> {
    try {
      const { ContentLength: size = 0, LastModified: modified = new Date(0) } = await client.send(
        new HeadObjectCommand(nameOf(key)),
      );
      return { size, modified };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    async stat(key) {
      if (!isKey(key)) return undefined;
      const found = known.get(key) ?? (await head(key));
      if (!found) return undefined;
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, found);
      return found;
    },

    async read(key, part) {
      if (!isKey(key)) throw new MediaGone(key);
      const range = part && { Range: `bytes=${part.start}-${part.end}` };
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...nameOf(key), ...range }));
        if (Body instanceof Readable) return Body;
      } catch (error) {
        known.delete(key);
        if (!isMissing(error)) throw error;
      }
      throw new MediaGone(key);
    },

    async put(key, bytes) {
      if (!isKey(key)) throw new Error('Not a key of the media store');
      // Where the bytes end in a fault, nothing may be kept: the upload is given up and its parts with it.
      const upload = new Upload({
        client,
        params: { ...nameOf(key), Body: bytes, ContentType: contentTypeOf(key) },
      });
      await upload.done();
    },

    async remove(key) {
      if (!isKey(key)) return;
      known.delete(key);
      await client.send(new DeleteObjectCommand(nameOf(key)));
    },

    async *keys() {
      const start = prefix === '' ? '' : `${prefix}/`;
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: start })) {
        yield* Contents.map(({ Key = '' }) => Key.slice(start.length)).filter(isKey);
      }
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket }));
    },
  };
}
