import { profileForm, type Settings } from '@escucho/contracts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Field } from '#shared/ui/field.tsx';
import { useForm } from '#shared/use-form.ts';

interface Props {
  settings: Settings;
  onSave: (change: Partial<Settings>) => Promise<void>;
}

/** The reader's names, by the rules of sign-up (AUTH-02). */
export function NamesForm({ settings: { firstName, lastName }, onSave }: Props) {
  const t = useT();
  const { form, field, submit, busy } = useForm(profileForm, { firstName, lastName });
  return (
    // `onSave` says by itself what goes wrong.
    <form
      ref={form}
      noValidate
      onSubmit={submit(onSave, () => undefined)}
      className="grid items-start gap-4 sm:grid-cols-2"
    >
      <Field label={t('session.firstName')} autoComplete="given-name" {...field('firstName')} />
      <Field label={t('session.lastName')} autoComplete="family-name" {...field('lastName')} />
      <div>
        <Button variant="solid" type="submit" busy={busy}>
          {t('profile.save')}
        </Button>
      </div>
    </form>
  );
}
