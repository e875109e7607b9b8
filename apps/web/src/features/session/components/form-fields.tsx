import { passwordRules } from '@escucho/contracts';
import { clsx } from 'clsx';
import { Check, Circle, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field, type RejectField } from '#shared/form.tsx';
import { getT, type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button, IconButton } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { findFieldError, ReauthenticationCancelledError, toErrorText } from '../model/error-text.ts';

type FieldProps = ComponentProps<typeof Field>;

/** The e-mail field, recognized by password managers as the user name. */
export function EmailField(props: Omit<FieldProps, 'label' | 'type'> & { label?: string }) {
  const t = useT();
  return (
    <Field
      label={t('session.email')}
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'end'>) {
  const t = useT();
  const [isVisible, setVisible] = useState(false);
  return (
    <Field
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={t(isVisible ? 'session.hidePassword' : 'session.showPassword')}
          onClick={() => setVisible(!isVisible)}
        >
          {isVisible ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}

/** A field for a new password, with the rules it meets as it is typed (AUTH-03). */
export function NewPasswordField(
  props: Omit<ComponentProps<typeof PasswordField>, 'value'> & { value: string },
) {
  const t = useT();
  return (
    <>
      <PasswordField autoComplete="new-password" {...props} />
      <ul aria-label={t('session.passwordRules')} className="grid gap-1 text-sm">
        {passwordRules.map((rule) => {
          const isMet = rule.isMet(props.value);
          return (
            <li
              key={rule.message}
              className={clsx('flex items-center gap-2', isMet ? 'text-success' : 'text-muted')}
            >
              {isMet ? (
                <Check aria-hidden className="size-4" />
              ) : (
                <Circle aria-hidden className="size-4 p-0.5" />
              )}
              <span className="sr-only">{t(isMet ? 'session.ruleMet' : 'session.ruleNotMet')}</span>
              <span>{t(rule.message)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The field for a code from an e-mail, which phones fill in from the message. */
export function CodeField(props: Omit<FieldProps, 'label' | 'type'> & { label?: string }) {
  const t = useT();
  return (
    <Field
      label={t('session.code')}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

const RESEND_INTERVAL_SECONDS = 30;

/** Returns the seconds left until a code can be sent again, and a function that starts them. */
function useCountdown(): [number, () => void] {
  const [secondsLeft, setSecondsLeft] = useState(0);
  const end = useRef(0);
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return;
    // By the clock: timers stop while the page is suspended, such as on a phone while the user reads the mail.
    const update = () =>
      setSecondsLeft((left) => Math.min(left - 1, Math.ceil((end.current - Date.now()) / 1000)));
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = () => {
    end.current = Date.now() + RESEND_INTERVAL_SECONDS * 1000;
    setSecondsLeft(RESEND_INTERVAL_SECONDS);
  };
  return [secondsLeft, start];
}

interface ResendCodeProps {
  /** Returns the address, or null after showing what is wrong with it. */
  getEmail: () => string | null;
  onResend: (email: string) => Promise<void>;
}

/** The button that sends a code again, at most every 30 seconds (AUTH-05). */
export function ResendCode({ getEmail, onResend }: ResendCodeProps) {
  const t = useT();
  const [secondsLeft, startCountdown] = useCountdown();
  const [resend, busy] = useAction(async (email: string) => {
    await onResend(email);
    toast(t('session.resent'), 'success', 'bottom-center');
    startCountdown();
  });
  const isWaiting = secondsLeft > 0;
  const handleClick = () => {
    const email = isWaiting ? null : getEmail();
    if (email !== null) resend(email);
  };
  return (
    <Button
      variant="ghost"
      busy={busy}
      // With `disabled` it would lose the focus.
      aria-disabled={busy || isWaiting || undefined}
      onClick={handleClick}
      className={clsx(isWaiting && 'pointer-events-none opacity-50')}
    >
      {t('session.resend')}
      {/* Not in the accessible name, which would be announced each second. */}
      {isWaiting && <span aria-hidden>{t('session.resendWait', { seconds: secondsLeft })}</span>}
    </Button>
  );
}

/**
 * Shows a sign-in or account error at the bottom of the page (SHELL-10, AUTH-11), and what to do at the field that it
 * concerns.
 *
 * @param reject of the form's `useForm`; null outside of a form
 * @param fallback the text of an unknown error
 */
export function toastAccountError(
  error: unknown,
  reject: RejectField | null = null,
  fallback: MessageKey = 'internal',
): void {
  if (error instanceof ReauthenticationCancelledError) return;
  const t = getT();
  toast(toErrorText(t, error, fallback), 'error', 'bottom-center');
  const fieldError = findFieldError(error);
  if (fieldError) reject?.(fieldError.field, t(fieldError.text));
}

/**
 * Returns a function that runs an action and shows its error as a toast, and whether the action is running.
 *
 * @param onSettled called once the action has succeeded or failed; the action counts as running until that is done, too
 */
export function useAction<Args extends unknown[]>(
  action: (...args: Args) => Promise<unknown>,
  onSettled?: () => Promise<void>,
): [run: (...args: Args) => void, busy: boolean] {
  const [busy, setBusy] = useState(false);
  const run = (...args: Args) => {
    setBusy(true);
    action(...args)
      .catch((error: unknown) => toastAccountError(error))
      .then(onSettled)
      .finally(() => setBusy(false));
  };
  return [run, busy];
}
