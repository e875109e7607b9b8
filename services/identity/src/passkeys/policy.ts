import { parseDevice } from '@escucho/audit';
import { truncateText } from '@escucho/contracts';
import * as z from 'zod/mini';

/** The website that passkeys belong to. */
export interface RelyingParty {
  /** The domain, e.g. `escucho.example`. WebAuthn does not work with IP addresses. */
  id: string;
  name: string;
  /** The origins whose responses are accepted. */
  origins: readonly string[];
}

export const MAX_PASSKEYS = 20;
/** In base64url; 1023 bytes (WebAuthn level 3, section 4). The index of ids would refuse much longer ones. */
export const MAX_CREDENTIAL_ID_LENGTH = 1364;
const MAX_NAME_LENGTH = 100;

/** The names of widely used passkey providers by their AAGUID. */
const providerNames = new Map([
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Apple Passwords'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['adce0002-35bc-c60a-648b-0b25f1f05503', 'Chrome'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
]);

/** Names a passkey: as the user asked, or else by the provider or the browser, and the operating system that created it. */
export function toPasskeyName(
  requested: string | undefined,
  { aaguid, userAgent }: { aaguid: string; userAgent: string | undefined },
): string {
  const wanted = truncateText(requested?.trim() ?? '', MAX_NAME_LENGTH);
  if (wanted) return wanted;
  const device = parseDevice(userAgent);
  const parts = [providerNames.get(aaguid) ?? device?.browser, device?.system].filter(Boolean);
  return parts.join(', ') || 'Passkey';
}

const base64url = z.string().check(z.minLength(1), z.maxLength(16_384), z.regex(/^[\w-]+$/));
/** Such as `usb` or `smart-card`; browsers may add others. */
const transport = z.string().check(z.maxLength(32), z.regex(/^[\w-]*$/));
/** The members of every PublicKeyCredential. */
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.exactOptional(z.enum(['platform', 'cross-platform'])),
  clientExtensionResults: z.pipe(
    z.optional(z.unknown()),
    z.transform(() => ({})),
  ),
};

/** The result of `navigator.credentials.create` in JSON (WebAuthn level 3, 5.1.8); members not used here are removed. */
export const attestationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.exactOptional(z.array(transport).check(z.maxLength(10))),
  }),
});
export type AttestationResponse = z.infer<typeof attestationResponse>;

/** The result of `navigator.credentials.get` in JSON. */
const assertionResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.exactOptional(base64url),
  }),
});
export type AssertionResponse = z.infer<typeof assertionResponse>;

/** Parses the CREDENTIAL of an answer; undefined where it is not one. */
export function parseAssertion(json: string): AssertionResponse | undefined {
  try {
    return assertionResponse.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
