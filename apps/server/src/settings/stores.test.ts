import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

describe('settings of backups', () => {
  it('are a location, a schedule, recipients and days', () => {
    const env = { BACKUP_TO: 'file:/srv/sets', BACKUP_SCHEDULE: '17 3 * * *', BACKUP_KEEP_DAYS: '7' };
    expect(readSettings({ ...env, BACKUP_RECIPIENTS: recipient }).backup).toEqual({
      location: { directory: resolve('/srv/sets') },
      schedule: '17 3 * * *',
      keepDays: 7,
      recipients: [recipient],
    });
    expect(readSettings({}).backup).toBeUndefined();
  });

  it.each([
    ['a schedule without a location', { BACKUP_SCHEDULE: '17 3 * * *' }, /BACKUP_TO: needed/],
    [
      'a schedule that is none',
      { BACKUP_TO: 'file:/srv', BACKUP_SCHEDULE: 'daily' },
      /BACKUP_SCHEDULE: must be/,
    ],
    ['an unknown store', { BACKUP_TO: 'ftp://example.org' }, /BACKUP_TO: must be file:PATH or s3/],
    [
      'a secret key',
      { BACKUP_TO: 'file:/srv', BACKUP_RECIPIENTS: 'AGE-SECRET-KEY-1' },
      /BACKUP_RECIPIENTS.*: must/,
    ],
    [
      'a mistyped key',
      { BACKUP_TO: 'file:/srv', BACKUP_RECIPIENTS: recipient.slice(0, -1) },
      /BACKUP_RECIPIENTS.*: must/,
    ],
    ['no days', { BACKUP_TO: 'file:/srv', BACKUP_KEEP_DAYS: '0' }, /BACKUP_KEEP_DAYS: must be 1 or more/],
  ])('are refused with %s', (_, env, problem) => {
    expect(() => readSettings(env)).toThrow(problem);
  });

  it('encrypt what production stores in a bucket', () => {
    const env = {
      NODE_ENV: 'production',
      DEMO: 'true',
      PUBLIC_URL: 'https://escucho.example',
      HOST: '0.0.0.0',
      BACKUP_TO: 's3://sets/escucho',
    };
    expect(() => readSettings(env)).toThrow(/BACKUP_RECIPIENTS: must be a public key of age/);
    expect(readSettings({ ...env, ALLOW_INSECURE: 'backup' }).backup?.recipients).toEqual([]);
    expect(readSettings({ ...env, BACKUP_RECIPIENTS: recipient }).backup?.recipients).toEqual([recipient]);
  });
});
