import * as z from 'zod/mini';

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
