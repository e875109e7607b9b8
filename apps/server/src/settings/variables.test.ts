import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';

describe('PUBLIC_URL', () => {
  it.each([
    ['https://Escucho.Example:443', 'https://escucho.example'],
    ['https://escucho.example:8443/', 'https://escucho.example:8443'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('is stored as the origin that browsers send: %s', (PUBLIC_URL, publicUrl) => {
    expect(readSettings({ PUBLIC_URL, DEMO: 'true' }).publicUrl).toBe(publicUrl);
  });

  it.each([
    'https://escucho.example/portal',
    'https://escucho.example/?lang=es',
    'https://escucho.example/#welcome',
    'https://ana:secret@escucho.example',
  ])('is refused where it is more than an origin: %s', (PUBLIC_URL) => {
    expect(() => readSettings({ PUBLIC_URL, DEMO: 'true' })).toThrow(
      'PUBLIC_URL: must have no path, query or credentials',
    );
  });

  it.each(['here', 'ftp://escucho.example', '//escucho.example'])('is refused as no address: %s', (url) => {
    expect(() => readSettings({ PUBLIC_URL: url })).toThrow('PUBLIC_URL: must be an http or https address');
  });
});
