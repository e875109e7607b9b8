import { type Language, renderPage } from '@escucho/service-kit';
import { html } from 'ghtml';
import type { ProviderName } from '../database.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import type { AppPages } from '../options.ts';

/** The texts of the hosted pages and the provider simulator. */
export const pageMessages = {
  en: {
    signIn: 'Sign in',
    signInAbout: 'Continue to Escucho with your account.',
    email: 'Email',
    password: 'Password',
    google: 'Continue with Google',
    facebook: 'Continue with Facebook',
    forgotPassword: 'Forgot your password?',
    signUp: 'Create an account',
    wrongPassword: 'Incorrect email or password.',
    lockedOut: 'Too many attempts. Wait a little and try again.',
    userNotConfirmed: 'This account is not confirmed yet. Enter the code from your email first.',
    passwordResetRequired: 'This account needs a new password. Choose “Forgot your password?”.',
    userDisabled: 'This account is disabled.',
    tooManyRequests: 'Too much is going on at the moment. Please try again.',
    passkeyInvalid: 'The passkey could not be verified. Try again, or use your password.',
    wrongCode: 'This code is not correct.',
    codeUsed: 'This code was used already. Wait for the next one.',
    codeExpired: 'This code is not valid any more. Sign in again to get another one.',
    sessionExpired: 'This sign-in took too long. Please sign in again.',
    secondFactor: 'Second factor',
    softwareTokenAbout: 'Enter the code of your authenticator app, or one of your recovery codes.',
    emailCodeAbout: 'Enter the code from the email we have sent you.',
    code: 'Code',
    continue: 'Continue',
    signInAgain: 'Back to sign-in',
    stale: 'This page was open for too long. Please try again.',
    errorTitle: 'This did not work',
    unknownClient: 'The link does not come from an app that is known here.',
    unknownRedirectUri: 'The link leads to an address that is not registered for this app.',
    interrupted:
      'This sign-in was interrupted, or was begun in another browser. Go back to the app and start again.',
    malformed: 'The link is damaged. Go back to the app and start again.',
    failed: 'Something went wrong on our side. Please try again in a moment.',
    simulatorAbout:
      'This installation has no keys for {provider}, so this page stands in for it. Choose who {provider} says you are.',
    someoneElse: 'Somebody else',
    name: 'Name',
    cancel: 'Cancel',
    nameOrEmailMissing: 'Type a name and an email address.',
  },
  es: {
    signIn: 'Iniciar sesión',
    signInAbout: 'Continúa en Escucho con tu cuenta.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    google: 'Continuar con Google',
    facebook: 'Continuar con Facebook',
    forgotPassword: '¿Olvidaste tu contraseña?',
    signUp: 'Crear una cuenta',
    wrongPassword: 'Correo electrónico o contraseña incorrectos.',
    lockedOut: 'Demasiados intentos. Espera un poco y vuelve a intentarlo.',
    userNotConfirmed:
      'Esta cuenta aún no está confirmada. Escribe primero el código que te enviamos por correo.',
    passwordResetRequired: 'Esta cuenta necesita una contraseña nueva. Elige «¿Olvidaste tu contraseña?».',
    userDisabled: 'Esta cuenta está desactivada.',
    tooManyRequests: 'Hay demasiada actividad en este momento. Vuelve a intentarlo.',
    passkeyInvalid: 'No se pudo verificar la llave de acceso. Vuelve a intentarlo o usa tu contraseña.',
    wrongCode: 'Este código no es correcto.',
    codeUsed: 'Este código ya se usó. Espera al siguiente.',
    codeExpired: 'Este código ya no es válido. Inicia sesión de nuevo para recibir otro.',
    sessionExpired: 'Este inicio de sesión tardó demasiado. Vuelve a iniciar sesión.',
    secondFactor: 'Segundo factor',
    softwareTokenAbout:
      'Escribe el código de tu aplicación de autenticación o uno de tus códigos de recuperación.',
    emailCodeAbout: 'Escribe el código del correo que te enviamos.',
    code: 'Código',
    continue: 'Continuar',
    signInAgain: 'Volver al inicio de sesión',
    stale: 'Esta página estuvo abierta demasiado tiempo. Vuelve a intentarlo.',
    errorTitle: 'Esto no funcionó',
    unknownClient: 'El enlace no viene de una aplicación conocida aquí.',
    unknownRedirectUri: 'El enlace lleva a una dirección que no está registrada para esta aplicación.',
    interrupted:
      'Este inicio de sesión se interrumpió o empezó en otro navegador. Vuelve a la aplicación y empieza de nuevo.',
    malformed: 'El enlace está dañado. Vuelve a la aplicación y empieza de nuevo.',
    failed: 'Algo falló de nuestro lado. Vuelve a intentarlo en un momento.',
    simulatorAbout:
      'Esta instalación no tiene claves de {provider}; esta página ocupa su lugar. Elige quién dice {provider} que eres.',
    someoneElse: 'Otra persona',
    name: 'Nombre',
    cancel: 'Cancelar',
    nameOrEmailMissing: 'Escribe un nombre y un correo electrónico.',
  },
} as const;

/** A text of the pages by its key. */
export type PageMessage = keyof (typeof pageMessages)['en'];

const signInErrors = new Map<string, PageMessage>(
  (
    [
      ['wrongPassword', 'wrongPassword'],
      ['lockedOut', 'lockedOut'],
      ['userNotConfirmed', 'userNotConfirmed'],
      ['passwordResetRequired', 'passwordResetRequired'],
      ['userDisabled', 'userDisabled'],
      ['tooManyRequests', 'tooManyRequests'],
      ['limitExceeded', 'lockedOut'],
      ['passkeyInvalid', 'passkeyInvalid'],
      ['mfaCodeMismatch', 'wrongCode'],
      ['emailOtpMismatch', 'wrongCode'],
      ['mfaCodeUsed', 'codeUsed'],
      ['codeExpired', 'codeExpired'],
      ['softwareTokenNotFound', 'sessionExpired'],
      ['handshakeInvalid', 'sessionExpired'],
      ['handshakeExpired', 'sessionExpired'],
      ['handshakeUsed', 'sessionExpired'],
    ] as const
  ).map(([key, message]) => [cognitoErrors[key]().message, message]),
);

/** Returns the text for an error of a sign-in. Throws any other error. */
export function toFormError(error: unknown): PageMessage {
  const message = error instanceof CognitoError ? signInErrors.get(error.message) : undefined;
  if (message === undefined) throw error;
  return message;
}

/** Where a form of a page is sent, its CSRF token, and the error of the last attempt. */
export interface FormProps {
  action: string;
  formToken: string;
  formError: PageMessage | undefined;
}

/** Renders the beginning of a form: its error, announced by assistive technology, and its CSRF token. */
export function renderFormStart({ action, formToken, formError }: FormProps, language: Language): string {
  const error = formError && html`<p class="error" role="alert">${pageMessages[language][formError]}</p>`;
  return html`<form method="post" action="${action}">
!${error ?? ''}
<input type="hidden" name="form_token" value="${formToken}">`;
}

interface SignInPageProps extends FormProps {
  email: string;
  providers: readonly { provider: ProviderName; href: string }[];
  app: AppPages;
  /** The form by which the browser's autofill signs in with a passkey. */
  passkey: PasskeyFormProps | undefined;
}

/** Renders the page that offers sign-in by password, code, passkey and provider. */
export function renderSignInPage(language: Language, props: SignInPageProps): string {
  const text = pageMessages[language];
  const providers = props.providers.map(
    ({ provider, href }) => html`<a class="button" href="${href}">${text[provider]}</a>`,
  );
  const main = html`<header>
<h1>${text.signIn}</h1>
<p class="quiet">${text.signInAbout}</p>
</header>
<div class="card">
!${renderFormStart(props, language)}
<label>${text.email}<input type="email" name="email" autocomplete="${props.passkey ? 'username webauthn' : 'username'}" inputmode="email" required maxlength="128" value="${props.email}"></label>
<label>${text.password}<input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<button type="submit">${text.signIn}</button>
</form>
!${providers.length === 0 ? '' : html`<div class="providers">!${providers}</div>`}
<div class="links"><a href="${props.app.forgotPassword}">${text.forgotPassword}</a><a href="${props.app.signUp}">${text.signUp}</a></div>
</div>
!${props.passkey ? renderPasskeyForm(props.passkey, props.formToken) : ''}`;
  return renderPage(language, text.signIn, main, { narrow: true });
}

interface CodePageProps extends FormProps {
  signInUrl: string;
  challengeName: string;
  session: string;
}

/** Renders the page that asks for the second factor. */
export function renderCodePage(language: Language, props: CodePageProps): string {
  const text = pageMessages[language];
  const about = props.challengeName === 'EMAIL_OTP' ? text.emailCodeAbout : text.softwareTokenAbout;
  const main = html`<header>
<h1>${text.secondFactor}</h1>
<p class="quiet" id="about">${about}</p>
</header>
<div class="card">
!${renderFormStart(props, language)}
<input type="hidden" name="challenge" value="${props.challengeName}">
<input type="hidden" name="session" value="${props.session}">
<label>${text.code}<input type="text" name="code" autocomplete="one-time-code" aria-describedby="about" autocapitalize="characters" spellcheck="false" autofocus required maxlength="64"></label>
<button type="submit">${text.continue}</button>
</form>
<div class="links"><a href="${props.signInUrl}">${text.signInAgain}</a></div>
</div>`;
  return renderPage(language, text.secondFactor, main, { narrow: true });
}

/** Renders the page for an error that cannot be sent to the app. */
export function renderErrorPage(language: Language, error: PageMessage): string {
  const text = pageMessages[language];
  const main = html`<h1>${text.errorTitle}</h1>
<p role="alert">${text[error]}</p>`;
  return renderPage(language, text.errorTitle, main, { narrow: true });
}

/** The challenge of a sign-in by passkey. */
interface PasskeyFormProps {
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
const renderPasskeyForm = ({ action, session, options }: PasskeyFormProps, formToken: string): string =>
  html`<form method="post" id="passkey" action="${action}" data-options="${options}" hidden>
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="session" value="${session}">
<input type="hidden" name="credential" value="">
</form>
<script>!${passkeyScript}</script>`;
