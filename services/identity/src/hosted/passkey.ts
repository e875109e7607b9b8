import { html } from 'ghtml';

/** The challenge of a sign-in by passkey. */
export interface PasskeyFormProps {
  action: string;
  session: string;
  /** The CREDENTIAL_REQUEST_OPTIONS. */
  options: string;
}

/**
 * The script of the sign-in page. It offers the passkeys of this site while the user fills in the address, in browsers that
 * can, and submits the one that was chosen. Where that fails, the form for the password remains.
 */
export const passkeyScript = `
(async () => {
  const form = document.getElementById('passkey');
  const { PublicKeyCredential: Credential } = window;
  if (!Credential?.parseRequestOptionsFromJSON || !(await Credential.isConditionalMediationAvailable?.())) return;
  try {
    const publicKey = Credential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.get({ publicKey, mediation: 'conditional' });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {}
})();
`;

/** Renders the hidden form that the script fills with the browser's answer and submits. */
export const renderPasskeyForm = (
  { action, session, options }: PasskeyFormProps,
  formToken: string,
): string =>
  html`<form method="post" id="passkey" action="${action}" data-options="${options}" hidden>
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="session" value="${session}">
<input type="hidden" name="credential" value="">
</form>
<script>!${passkeyScript}</script>`;
