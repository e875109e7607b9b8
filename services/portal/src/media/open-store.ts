import { openFileStore } from './file-store.ts';
import type { S3Place } from './s3-store.ts';
import type { MediaStore } from './store.ts';

/** Where media lie: a directory, or a bucket. */
export type MediaPlace = { directory: string } | S3Place;

/** Opens the store at a place. Amazon's client is loaded only where a bucket is named. */
export async function openMediaStore(place: MediaPlace): Promise<MediaStore> {
  if ('directory' in place) return openFileStore(place.directory);
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(place);
}
