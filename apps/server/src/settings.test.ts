import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnvError } from './settings/variables.ts';
import { readSettings, settingNames } from './settings.ts';

const mail = { SMTP_URL: 'smtps://mail.example:465', MAIL_FROM: 'no-reply@escucho.example' };

describe('readSettings', () => {
  it('without variables uses port 3000 on loopback, embedded services and demo accounts', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('./data'),
      publicUrl: 'http://localhost:3000',
      followHost: true,
      mediaLocation: { directory: resolve('./data/media') },
      databaseUrl: undefined,
      externalIdentity: undefined,
      demo: true,
    });
  });
});

it('.env.example lists every setting, and no other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual([...settingNames].sort());
});

describe('optional features of the embedded identity provider', () => {
  const all = ['implicit', 'guests', 'USER_PASSWORD_AUTH', 'CUSTOM_AUTH'];
  const publicAddress = { PUBLIC_URL: 'https://escucho.example' };

  it.each([
    ['without settings', {}, all],
    ['at http://localhost:8080', { PUBLIC_URL: 'http://localhost:8080' }, all],
    ['at https://escucho.localhost', { PUBLIC_URL: 'https://escucho.localhost' }, all],
    ['at 127.0.0.2', { HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.2:3000' }, all],
    ['at ::1', { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }, all],
    [
      'in production on loopback',
      { NODE_ENV: 'production', DEMO: 'true', PUBLIC_URL: 'http://localhost' },
      all,
    ],
    ['at a public URL', publicAddress, []],
    ['at a public URL that begins like loopback', { PUBLIC_URL: 'http://127.0.0.1.example' }, []],
    ['at a public URL that begins with localhost', { PUBLIC_URL: 'http://localhost.example' }, []],
    ['on every interface', { HOST: '0.0.0.0' }, []],
    ['on every interface with a loopback URL', { HOST: '::', PUBLIC_URL: 'http://localhost:3000' }, []],
    ['on an address of the network', { HOST: '192.168.1.4' }, []],
    ['on a named host', { HOST: 'escucho.example' }, []],
    ['with an empty list', { IDENTITY_ALLOW: '' }, []],
    ['with none', { IDENTITY_ALLOW: 'none' }, []],
    ['with a list on loopback', { IDENTITY_ALLOW: 'guests' }, ['guests']],
    [
      'with a list at a public URL',
      { ...publicAddress, IDENTITY_ALLOW: 'implicit, CUSTOM_AUTH' },
      ['implicit', 'CUSTOM_AUTH'],
    ],
    ['with an empty list at a public URL', { ...publicAddress, IDENTITY_ALLOW: '' }, []],
  ])('[AUTH-12] [AUTH-13] %s', (_, env, allowed) => {
    expect(readSettings({ ...mail, ...env }).embeddedIdentity.allowedFeatures).toEqual(allowed);
  });
});

describe('TRUST_PROXY', () => {
  it.each(['loopback', '10.0.0.0/8, fd00::/8', '::1,uniquelocal'])('accepts %s', (TRUST_PROXY) => {
    expect(readSettings({ TRUST_PROXY }).trustProxy).toBe(TRUST_PROXY);
  });

  const production = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'no-reply@escucho.example',
    ALLOW_INSECURE: 'public_url',
  };
  it.each([
    ['a public URL', { PUBLIC_URL: 'https://escucho.example' }],
    ['a public URL without TLS', { PUBLIC_URL: 'http://192.0.2.7', HOST: 'localhost' }],
  ])('is required in production for %s on a loopback address', (_, env) => {
    expect(() => readSettings({ ...production, ...env })).toThrow(/TRUST_PROXY: needed/);
    expect(readSettings({ ...production, ...env, TRUST_PROXY: 'loopback' }).exposed).toBe(true);
  });

  it.each([
    ['a URL of this machine', { PUBLIC_URL: 'http://localhost:3000' }],
    ['a public address without a proxy', { PUBLIC_URL: 'http://escucho.example', HOST: '0.0.0.0' }],
    ['a load balancer that keeps addresses', { PUBLIC_URL: 'https://escucho.example', HOST: '0.0.0.0' }],
  ])('is not required for %s', (_, env) => {
    expect(readSettings({ ...production, ...env }).trustProxy).toBe(undefined);
  });
});

describe('Amazon Cognito', () => {
  it('is configured by pool and client id alone', () => {
    const { externalIdentity, demo } = readSettings({
      IDENTITY_USER_POOL_ID: 'eu-west-1_Ab12Cd34E',
      IDENTITY_CLIENT_ID: 'abc',
    });
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12Cd34E';
    expect(externalIdentity).toEqual({
      endpoint: 'https://cognito-idp.eu-west-1.amazonaws.com',
      userPoolId: 'eu-west-1_Ab12Cd34E',
      clientId: 'abc',
      issuer,
      jwksUri: `${issuer}/.well-known/jwks.json`,
      oauthDomain: undefined,
    });
    expect(demo).toBe(false);
  });
});

describe('the media store', () => {
  const [endpoint, keys] = [undefined, undefined];
  it.each([
    ['a directory', { MEDIA_STORE: 'file:/srv/media' }, { directory: '/srv/media' }],
    [
      'a bucket of Amazon, with the machine’s credentials',
      { MEDIA_STORE: 's3://sound/escucho/media/', AWS_REGION: 'eu-west-1' },
      { bucket: 'sound', prefix: 'escucho/media', region: 'eu-west-1', endpoint, keys },
    ],
    [
      'a bucket of another provider',
      {
        MEDIA_STORE: 's3://sound',
        AWS_ENDPOINT_URL_S3: 'https://s3.example.org/',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
      },
      {
        bucket: 'sound',
        prefix: '',
        region: 'us-east-1',
        endpoint: 'https://s3.example.org',
        keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
      },
    ],
  ])('[CAT-10] may be %s', (_name, env, location) => {
    expect(readSettings(env).mediaLocation).toEqual(location);
  });
});

describe('demo mode', () => {
  it.each([
    ['is on', 'on a loopback address', {}, true],
    ['is on', 'with a loopback URL', { PUBLIC_URL: 'https://localhost:4443' }, true],
    ['is off', 'at a public URL', { ...mail, PUBLIC_URL: 'https://escucho.example' }, false],
    ['is off', 'on every interface', { ...mail, HOST: '0.0.0.0' }, false],
    ['is off', 'in production', { ...mail, NODE_ENV: 'production', PUBLIC_URL: 'http://localhost' }, false],
    ['is on', 'at a public URL with DEMO=true', { DEMO: 'true', PUBLIC_URL: 'https://demo.example' }, true],
    ['is off', 'on a loopback address with DEMO=false', { DEMO: 'false', ...mail }, false],
  ])('%s %s', (_state, _where, env, demo) => {
    expect(readSettings(env).demo).toBe(demo);
  });
});

describe('a mail server', () => {
  it('[IDP-04] lets the embedded identity provider run in production, without demo mode', () => {
    const env = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://escucho.example',
      TRUST_PROXY: 'loopback',
      SMTP_URL: 'smtps://user:word@mail.example:465',
      MAIL_FROM: 'Escucho <no-reply@escucho.example>',
    };
    const { demo, embeddedIdentity } = readSettings(env);
    expect(demo).toBe(false);
    expect(embeddedIdentity.smtp).toEqual({ url: env.SMTP_URL, from: env.MAIL_FROM });
  });
});

describe('readSettings throws EnvError for', () => {
  it.each([
    ['a port out of range', { PORT: '70000' }, /PORT: must be a port/],
    ['a database of another kind', { DATABASE_URL: 'mysql://a/b' }, /DATABASE_URL: must be a postgres/],
    ['unknown roles, once', { ROLES: 'www,db' }, /^[^\n]*\n {2}ROLES: must be a list of web, [^\n]*$/],
    ['days in words', { AUDIT_RETENTION_DAYS: 'ten' }, /AUDIT_RETENTION_DAYS: must be a number of days/],
    ['audio URLs that expire at once', { AUDIO_LINK_SECONDS: '1' }, /AUDIO_LINK_SECONDS: must be 5/],
    ['audio URLs beyond a week', { AUDIO_LINK_SECONDS: '1e15' }, /AUDIO_LINK_SECONDS: must be 604800/],
    ['an unknown level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL: must be fatal, error,/],
    [
      'a media store of another kind',
      { MEDIA_STORE: 'ftp://bucket' },
      /MEDIA_STORE: must be file:PATH or s3/,
    ],
    [
      'a bucket’s access key without its secret',
      { MEDIA_STORE: 's3://bucket', AWS_ACCESS_KEY_ID: 'abc' },
      /AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY/,
    ],
    ['a mail server without a name', { ...mail, SMTP_URL: 'smtp://' }, /SMTP_URL: must be an smtp/],
    [
      'a partial identity provider',
      { IDENTITY_CLIENT_ID: 'abc' },
      /IDENTITY_USER_POOL_ID, IDENTITY_CLIENT_ID: both/,
    ],
    [
      'a Google client id without its secret',
      { IDENTITY_GOOGLE_CLIENT_ID: 'abc' },
      /IDENTITY_GOOGLE_CLIENT_ID, IDENTITY_GOOGLE_CLIENT_SECRET/,
    ],
    [
      'an unknown optional feature',
      { IDENTITY_ALLOW: 'everything' },
      /IDENTITY_ALLOW.*must be a list of implicit/,
    ],
    ['a list of none and more', { IDENTITY_ALLOW: 'none,guests' }, /IDENTITY_ALLOW.*or none/],
    [
      'a partial billing provider',
      { BILLING_PUBLIC_KEY: 'rcb_a' },
      /BILLING_PUBLIC_KEY, BILLING_SECRET_KEY: both/,
    ],
    [
      'a billing key of another kind',
      { BILLING_PUBLIC_KEY: 'sk_a', BILLING_SECRET_KEY: 'sk_a' },
      /begin with rcb_/,
    ],
    ['a partial Stripe account', { STRIPE_SECRET_KEY: 'sk_live_a' }, /STRIPE_.*all four/],
    [
      'a live and a test key of Stripe',
      {
        STRIPE_SECRET_KEY: 'sk_live_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
        STRIPE_ACCOUNT_ID: 'acct_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      },
      /real money/,
    ],
    ['production with a public outbox', { NODE_ENV: 'production' }, /DEMO=true/],
    ['a public outbox at a public URL', { PUBLIC_URL: 'https://escucho.example' }, /PUBLIC_URL.*DEMO=true/],
    ['a public outbox on every interface', { HOST: '0.0.0.0' }, /HOST.*outbox.*DEMO=true/],
    [
      'demo mode with live keys of Stripe',
      {
        STRIPE_SECRET_KEY: 'sk_live_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_live_a',
        STRIPE_ACCOUNT_ID: 'acct_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      },
      /DEMO, STRIPE_SECRET_KEY/,
    ],
    [
      'Stripe without a mail server in production',
      {
        NODE_ENV: 'production',
        IDENTITY_USER_POOL_ID: 'eu-west-1_a',
        IDENTITY_CLIENT_ID: 'a',
        STRIPE_SECRET_KEY: 'sk_live_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_live_a',
        STRIPE_ACCOUNT_ID: 'acct_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      },
      /SMTP_URL: needed with STRIPE/,
    ],
    ['another spelling of production', { NODE_ENV: 'Production' }, /NODE_ENV: must be production, /],
    ['production without PUBLIC_URL', { NODE_ENV: 'production', DEMO: 'true' }, /PUBLIC_URL: needed/],
    ['port 0', { PORT: '0' }, /PORT: must be a port/],
    ['an invalid proxy', { TRUST_PROXY: 'true' }, /TRUST_PROXY: must be loopback/],
    ['a network prefix that is too long', { TRUST_PROXY: '10.0.0.0/33' }, /TRUST_PROXY: must be loopback/],
    [
      'several partial configurations at once',
      { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example', STRIPE_ACCOUNT_ID: 'acct_a' },
      /PUBLIC_URL.*\n.*MAIL_FROM.*\n.*STRIPE_SECRET_KEY/,
    ],
    ['two invalid variables at once', { PORT: 'x', HOST: '', PUBLIC_URL: 'here' }, /PORT.*\n.*PUBLIC_URL/],
  ])('%s', (_, env, message) => {
    expect(() => readSettings(env)).toThrow(EnvError);
    expect(() => readSettings(env)).toThrow(message);
  });
});
