import { useEffect, useId } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Field } from '#shared/ui/field.tsx';
import { useForm } from '#shared/use-form.ts';
import { billingEmailForm } from '../model/billing-email.ts';

interface Props {
  initial: string;
  /** The purchase is being begun with it. */
  busy: boolean;
  onSend: (email: string) => void;
  onClose: () => void;
}

/** Where receipts go (section 2, texts of section 5). */
export function BillingEmailForm({ initial, busy, onSend, onClose }: Props) {
  const t = useT();
  const title = useId();
  const { form, field, submit } = useForm(billingEmailForm, { email: initial });
  useEffect(() => form.current?.querySelector('input')?.focus(), [form]);
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={title}
      onSubmit={submit(
        async ({ email }) => onSend(email),
        () => undefined,
      )}
      className="grid gap-5"
    >
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
        {t('checkout.close')}
      </Button>
    </form>
  );
}
