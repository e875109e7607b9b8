import { describe, expect, it } from 'vitest';
import { maskEmail, parseDevice, redactText, shortenNetwork } from './personal-data.ts';

describe('personal data in audit events', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:12:3456:789a::1', '2001:db8:12::/48'],
    ['127.0.0.1', '127.0.0.0/24'],
    ['203.0.113.77:50000', '203.0.113.0/24'],
    ['[2001:db8:12:3456:789a::1]:50000', '2001:db8:12::/48'],
    ['', null],
    ['unknown', null],
  ])('shortens the address %j to %j', (address, network) => {
    expect(shortenNetwork(address)).toBe(network);
  });

  it.each([
    ['ana@example.org', 'a***@e***'],
    ['a@b', 'a***@b***'],
    ['nobody', 'n***@***'],
    ['𫒇na@🎧.example', '𫒇***@🎧***'],
  ])('masks the email address %s as %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });

  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
  const samsung =
    'Mozilla/5.0 (Linux; Android 15; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36';
  const miui =
    'Mozilla/5.0 (Linux; U; Android 13; es-pe; Redmi Note 12) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.8.0-gn';
  it.each([
    [chrome, { browser: 'Chrome', system: 'Windows' }],
    [safari, { browser: 'Safari', system: 'iPhone' }],
    [samsung, { browser: 'Samsung Internet', system: 'Android' }],
    ['curl/8.5.0', null],
    ['', null],
    [undefined, null],
    ['<script>'.repeat(100), null],
    ['Your account was hacked. Call +1 555 0100/1 (Windows NT 10.0)', null],
    [miui, { browser: 'Miui', system: 'Android' }],
    [`${chrome} ${'x'.repeat(100_000)}`, { browser: 'Chrome', system: 'Windows' }],
  ])('names the device of %s', (userAgent, device) => {
    expect(parseDevice(userAgent)).toEqual(device);
  });

  it.each([
    ['disable ana@example.org', 'disable a***@e***'],
    ['import https://ana:secret@feeds.example/a.xml?token=secret#x', 'import https://feeds.example/a.xml'],
    ['two\nlines', 'two lines'],
    ['x'.repeat(1000), 'x'.repeat(300)],
    [`${'x'.repeat(299)}🎧`, `${'x'.repeat(299)} `],
  ])('redacts %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });
});
