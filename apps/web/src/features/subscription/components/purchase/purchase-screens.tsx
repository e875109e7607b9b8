import { isBillingEmail } from '@escucho/contracts';
import { type Billing, type CardSetup, MAX_ATTEMPTS_MESSAGE, type PurchaseFailure } from '@escucho/purchases';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import * as z from 'zod/mini';
import { Field, useForm } from '#shared/form.tsx';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button, Spinner } from '#shared/ui/button.tsx';

/** A spinner with a text. */
export function Waiting({ text = 'checkout.preparing' }: { text?: MessageKey }) {
  const t = useT();
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-12 text-muted">
      <Spinner />
      {t(text)}
    </p>
  );
}

// Messages are translation keys.
const billingEmailForm = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { message: 'checkout.emailRequired' satisfies MessageKey, abort: true }),
      z.refine(isBillingEmail, 'checkout.emailInvalid' satisfies MessageKey),
    ),
});

interface BillingEmailProps {
  initial: string;
  /** Whether the purchase is being started. */
  busy: boolean;
  onSubmit: (email: string) => void;
  onClose: () => void;
}

/** The form for the address that receipts are sent to (section 2, texts of section 5). */
export function BillingEmailForm({ initial, busy, onSubmit, onClose }: BillingEmailProps) {
  const t = useT();
  const title = useId();
  const { field, submit } = useForm(billingEmailForm, { email: initial }, { takesFocus: true });
  return (
    <form {...submit(async ({ email }) => onSubmit(email))} aria-labelledby={title} className="grid gap-5">
      <h3 id={title} className="font-serif text-lg font-semibold">
        {t('checkout.emailTitle')}
      </h3>
      <Field
        label={t('checkout.email')}
        hint={t('checkout.emailHint')}
        type="email"
        autoComplete="email"
        placeholder={t('checkout.emailExample')}
        readOnly={busy}
        {...field('email')}
      />
      <Button variant="solid" type="submit" busy={busy}>
        {t('checkout.continue')}
      </Button>
      <Button onClick={onClose} disabled={busy}>
        {t('common.close')}
      </Button>
    </form>
  );
}

interface ResultProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

const focus = (element: HTMLElement | null) => element?.focus();

/** A heading that takes the focus, so that screen readers announce it: the focused button of the step before is gone. */
export const FocusedHeading = ({ className, children }: { className: string; children: ReactNode }) => (
  <h3 ref={focus} tabIndex={-1} className={clsx('font-serif font-semibold outline-none', className)}>
    {children}
  </h3>
);

function Result({ icon, title, children }: ResultProps) {
  return (
    <div className="grid justify-items-center gap-3 py-8 text-center">
      {icon}
      <FocusedHeading className="text-xl tracking-tight">{title}</FocusedHeading>
      {children}
    </div>
  );
}

/** Shows that a purchase succeeded. */
export function PurchaseSuccess({ busy, onContinue }: { busy: boolean; onContinue: () => void }) {
  const t = useT();
  return (
    <Result
      icon={<CircleCheck aria-hidden size={80} className="text-success" strokeWidth={1.25} />}
      title={t('checkout.successTitle')}
    >
      <p className="text-muted">{t('checkout.successText')}</p>
      <Button variant="solid" busy={busy} onClick={onContinue} className="mt-3">
        {t('checkout.back')}
      </Button>
    </Result>
  );
}

const errorKeys: Record<Exclude<PurchaseFailure['kind'], 'payment-provider'>, MessageKey> = {
  'setting-up': 'checkout.notStarted',
  charging: 'checkout.paymentFailed',
  unknown: 'checkout.unknown',
  network: 'checkout.network',
  'missing-email': 'checkout.missingEmail',
  'already-subscribed': 'checkout.already',
};

/** Returns the text of a failed purchase (section 8); for errors of the payment provider its own message. */
export function getPurchaseErrorText(
  { kind, detail }: PurchaseFailure,
  t: (key: MessageKey) => string,
): string {
  if (kind === 'payment-provider') return detail ?? t('checkout.paymentFailed');
  if (detail === MAX_ATTEMPTS_MESSAGE) return t('checkout.maxAttempts');
  return t(kind === 'setting-up' && detail ? 'checkout.productMissing' : errorKeys[kind]);
}

const isMaybePaid = ({ kind, detail }: PurchaseFailure): boolean =>
  detail === MAX_ATTEMPTS_MESSAGE || kind === 'network';

interface ErrorProps {
  failure: PurchaseFailure;
  /** The seller's support address, else the configured one. */
  supportEmail: string | null;
  busy: boolean;
  onContinue: () => void;
  /** Starts another purchase of the same plan. */
  onRetry: () => void;
}

/** The error screen: the reason, another attempt, and the support address (section 8). */
export function PurchaseError({ failure, supportEmail, busy, onContinue, onRetry }: ErrorProps) {
  const t = useT();
  const isSubscribed = failure.kind === 'already-subscribed';
  return (
    <Result
      icon={<CircleAlert aria-hidden size={80} className="text-danger" strokeWidth={1.25} />}
      title={t(isSubscribed ? 'checkout.alreadyTitle' : 'checkout.errorTitle')}
    >
      <p role="alert" className="text-muted text-pretty">
        {getPurchaseErrorText(failure, t)}
      </p>
      {isMaybePaid(failure) && <p className="text-sm text-muted text-pretty">{t('checkout.mayBePaid')}</p>}
      {supportEmail && (
        <p className="text-sm text-muted">
          {t('checkout.support')}{' '}
          <a href={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </a>
          .
        </p>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        {!isSubscribed && (
          <Button variant="solid" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        <Button variant={isSubscribed ? 'solid' : 'soft'} busy={busy} onClick={onContinue}>
          {t('checkout.back')}
        </Button>
      </div>
    </Result>
  );
}

/** The props of a card form of any provider (BUY-06). */
export interface CardFormProps {
  billing: Billing;
  card: CardSetup;
  title: MessageKey;
  /** The label of the submit button. */
  action: MessageKey;
  /** Whether the card is being confirmed, or the purchase's status polled. */
  busy: boolean;
  /** Whether the card was accepted and the purchase's status is being polled. */
  isPolling: boolean;
  /** Called when confirming the card starts and ends. */
  onBusy: (isBusy: boolean) => void;
  onConfirmed: () => void;
  onFailed: (failure: PurchaseFailure) => void;
  onClose: () => void;
}

interface CardActionsProps extends Pick<CardFormProps, 'action' | 'busy' | 'isPolling' | 'onClose'> {
  isReady?: boolean;
}

/** The buttons and the status of a card form. */
export function CardActions({ action, busy, isReady = true, isPolling, onClose }: CardActionsProps) {
  const t = useT();
  return (
    <>
      <Button variant="solid" type="submit" busy={busy} disabled={!isReady}>
        {t(action)}
      </Button>
      <p role="status" className="text-center text-sm text-muted empty:hidden">
        {isPolling && t('checkout.confirming')}
      </p>
      <Button onClick={onClose} disabled={busy}>
        {t('common.close')}
      </Button>
    </>
  );
}

interface SandboxConfirmationProps {
  text: MessageKey;
  busy: boolean;
  onDecide: (isApproved: boolean) => Promise<void>;
}

/** The bank's confirmation in the embedded sandbox. */
export function SandboxConfirmation({ text, busy, onDecide }: SandboxConfirmationProps) {
  const t = useT();
  return (
    <fieldset className="grid gap-5 rounded-lg border border-line bg-overlay px-4 py-3">
      <legend className="sr-only">{t('checkout.bankTitle')}</legend>
      <p aria-hidden className="font-semibold">
        {t('checkout.bankTitle')}
      </p>
      <p className="text-sm text-muted">{t(text)}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="solid" busy={busy} onClick={() => void onDecide(true)}>
          {t('checkout.approve')}
        </Button>
        <Button disabled={busy} onClick={() => void onDecide(false)}>
          {t('checkout.refuse')}
        </Button>
      </div>
    </fieldset>
  );
}
