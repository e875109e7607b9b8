import { expect, it } from 'vitest';
import { toPasskeyName } from './policy.ts';

const unknown = '00000000-0000-0000-0000-000000000000';
const onePassword = 'bada5566-a7aa-401f-bd96-45619a55120d';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

it.each([
  ['of its user', ' My phone ', onePassword, firefox, 'My phone'],
  ['of its provider and the system', undefined, onePassword, firefox, '1Password, Linux'],
  ['of the browser and the system', ' ', unknown, firefox, 'Firefox, Linux'],
  ['of its provider', '', onePassword, 'curl/8.5.0', '1Password'],
  ['of nothing', undefined, unknown, undefined, 'Passkey'],
])('[IDP-03] a passkey has the name %s', (_, requested, aaguid, userAgent, name) => {
  expect(toPasskeyName(requested, { aaguid, userAgent })).toBe(name);
});
