import { playlistForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { sayFailure } from '#shared/say-failure.ts';
import { Button } from '#shared/ui/button.tsx';
import { Field } from '#shared/ui/field.tsx';
import { useForm } from '#shared/use-form.ts';

interface Props {
  initial?: string;
  /** Words of the button that sends it. */
  action: string;
  onSend: (name: string) => Promise<void>;
  onBack: () => void;
}

/** A playlist's name, with its rules and words (LIST-02). */
export function NameForm({ initial = '', action, onSend, onBack }: Props) {
  const t = useT();
  const { form, field, submit, busy } = useForm(playlistForm, { name: initial });
  useEffect(() => form.current?.querySelector('input')?.focus(), [form]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit(({ name }) => onSend(name), sayFailure)}
      className="grid gap-5"
    >
      <Field
        label={t('playlists.name')}
        hint={t('playlists.nameHint')}
        autoComplete="off"
        {...field('name')}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onBack}>{t('playlists.back')}</Button>
        <Button look="solid" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
