import { S3Client } from '@aws-sdk/client-s3';

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
