import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';

describe('unencrypted connections in production', () => {
  const production = {
    SMTP_URL: 'smtps://mail.example:465',
    MAIL_FROM: 'no-reply@escucho.example',
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://escucho.example',
    TRUST_PROXY: 'loopback',
  };
  const remote = 'postgres://escucho:secret@db.example/escucho';
  const cognito = { IDENTITY_USER_POOL_ID: 'eu-west-1_a', IDENTITY_CLIENT_ID: 'a' };
  const billing = { BILLING_PUBLIC_KEY: 'rcb_a', BILLING_SECRET_KEY: 'sk_a' };
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['public_url', { PUBLIC_URL: 'http://escucho.example' }, /PUBLIC_URL: must be an https address/],
    ['smtp', { SMTP_URL: 'smtp://mail.example' }, /SMTP_URL: must be an smtps/],
    ['smtp', { SMTP_URL: 'smtp://mail.example?requireTLS=false' }, /SMTP_URL: must be an smtps/],
    ['smtp', { SMTP_URL: 'smtps://mail.example?tls.rejectUnauthorized=false' }, /verify the certificate/],
    ['database', { DATABASE_URL: remote }, /DATABASE_URL: must have \?sslmode=verify-full/],
    ['database', { DATABASE_URL: `${remote}?sslmode=require` }, /sslmode=verify-full/],
    [
      'database',
      { DATABASE_URL: `${remote}?sslmode=verify-full`, DATABASE_READ_URL: remote },
      /DATABASE_READ_URL: must have/,
    ],
    ['identity', { ...cognito, IDENTITY_ENDPOINT: 'http://id.example' }, /IDENTITY_ENDPOINT: must be/],
    ['identity', { ...cognito, IDENTITY_ISSUER: 'http://id.example' }, /IDENTITY_ISSUER: must be/],
    ['identity', { ...cognito, IDENTITY_JWKS_URI: 'http://id.example/keys' }, /IDENTITY_JWKS_URI: must be/],
    ['billing', { ...billing, BILLING_URL: 'http://billing.example' }, /BILLING_URL: must be an https/],
  ];

  it.each(cases)('are refused: %s %o', (name, env, message) => {
    expect(() => readSettings({ ...production, ...env })).toThrow(message);
    expect(() => readSettings({ ...production, ...env })).toThrow(`ALLOW_INSECURE=${name}`);
    const others = ['public_url', 'smtp', 'database', 'identity', 'billing']
      .filter((other) => other !== name)
      .join(', ');
    expect(() => readSettings({ ...production, ...env, ALLOW_INSECURE: others })).toThrow(message);
  });

  it.each(cases)('are allowed by name: %s %o', (name, env) => {
    expect(() => readSettings({ ...production, ...env, ALLOW_INSECURE: name })).not.toThrow();
  });

  it.each([
    [{ SMTP_URL: 'smtp://mail.example?requireTLS=true', DATABASE_URL: `${remote}?sslmode=verify-full` }],
    [{ SMTP_URL: 'smtp://localhost', DATABASE_URL: 'postgres://escucho@127.0.0.1/escucho' }],
    [{ DATABASE_URL: 'postgres://escucho@db/escucho?host=/var/run/postgresql' }],
    [{ ...cognito, IDENTITY_ENDPOINT: 'https://id.example', ...billing, BILLING_URL: 'https://b.example' }],
    [{ ...cognito, IDENTITY_ENDPOINT: 'http://localhost:4000', ...billing, BILLING_URL: 'http://[::1]:1' }],
    [{ NODE_ENV: 'development', PUBLIC_URL: 'http://escucho.example', DATABASE_URL: remote }],
  ])('are not: %o', (env) => {
    expect(() => readSettings({ ...production, ...env })).not.toThrow();
  });

  it('refuses unknown names', () => {
    expect(() => readSettings({ ALLOW_INSECURE: 'everything' })).toThrow(/ALLOW_INSECURE.*public_url/);
  });
});
