import { CircleCheck, Info, Mail } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import * as z from 'zod/mini';
import { toastAccountError } from '#features/session/components/form-fields.tsx';
import { preloadIdentityClient } from '#features/session/sign-in.ts';
import { useConfig } from '#shared/config.ts';
import { usePageTitle } from '#shared/document.ts';
import { useForm } from '#shared/form.tsx';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { useLocation, useQueryParams } from '#shared/location.tsx';
import { addQuery } from '#shared/paths.ts';
import { toast } from '#shared/ui/toast.tsx';

interface Props {
  title: string;
  text?: string;
  children: ReactNode;
  /** A link to another auth page, under the form. */
  foot?: ReactNode;
}

/** The card of an auth page. */
export function AuthCard({ title, text, children, foot }: Props) {
  usePageTitle(title);
  return (
    <section className="w-full max-w-md rounded-[1.25rem] border border-line bg-surface p-6 shadow-pop sm:p-9">
      <h1 className="heading text-xl text-balance">{title}</h1>
      {text && <p className="mt-1.5 text-muted text-pretty">{text}</p>}
      <div className="mt-6">{children}</div>
      {foot && <p className="mt-6 text-center text-sm text-muted">{foot}</p>}
    </section>
  );
}

/**
 * The form of an auth page, whose errors are shown as toasts; `getUrl` returns the address of another auth page with the
 * e-mail and `returnTo`.
 *
 * @param initial without an e-mail, that of the address is filled in
 * @param errorKey the message of an error that has none of its own
 */
export function useAuthForm<Values extends { email: string } & Record<string, string>>(
  schema: Parameters<typeof useForm<Values>>[0],
  initial: Values,
  errorKey: MessageKey,
) {
  const [query] = useQueryParams();
  const email = initial.email || (query.get('email') ?? '');
  const form = useForm(schema, { ...initial, email });
  useEffect(preloadIdentityClient, []);
  return {
    ...form,
    submit: (onValid: (values: Values) => Promise<void>) =>
      form.submit(onValid, (error, reject) => toastAccountError(error, reject, errorKey)),
    getUrl: (path: string, email = form.values.email) =>
      addQuery(path, { email, returnTo: query.get('returnTo') }),
  };
}

const locationState = z.object({
  notice: z.enum(['confirmed', 'passwordSaved', 'confirmFirst']),
  /** The text of an error toast: one that the previous page shows itself is dismissed by the auth layout. */
  error: z.optional(z.string()),
});

/** Shows the error that the previous page passed on in the location's state; not again after a reload or on the way back. */
export function usePassedError(): void {
  const { state, action } = useLocation();
  useEffect(() => {
    const error = locationState.safeParse(state).data?.error;
    if (error && action === 'push') toast(error, 'error', 'bottom-center');
  }, [state, action]);
}

/**
 * A notice above the form.
 *
 * @param notice without one, that which the previous page passed on in the location's state, e.g. that the account is
 * confirmed now
 */
export function AuthNotice(props: { notice?: 'sessionEnded' | undefined }) {
  const t = useT();
  const passed = locationState.safeParse(useLocation().state).data?.notice;
  const notice = props.notice ?? passed;
  if (!notice) return null;
  const Icon = notice === 'confirmFirst' || notice === 'sessionEnded' ? Info : CircleCheck;
  return (
    <p role="status" className="mb-5 flex gap-3 rounded-md bg-accent-soft px-4 py-3 text-sm">
      <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
      {t(`session.${notice}`)}
    </p>
  );
}

/** The link to the outbox page, where the embedded identity provider delivers its mail. */
export function OutboxHint() {
  const t = useT();
  const outbox = useConfig()?.outbox;
  if (!outbox) return null;
  return (
    <p className="mt-5 flex gap-3 rounded-md border border-line px-4 py-3 text-sm text-muted">
      <Mail aria-hidden className="size-5 shrink-0 text-accent-text" />
      <span>
        {t('session.outboxText')}{' '}
        <a href={outbox} target="_blank" rel="noopener" className="link">
          {t('session.openOutbox')}
          <span className="sr-only"> {t('shell.newTab')}</span>
        </a>
      </span>
    </p>
  );
}
