import type { ComponentProps } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Field } from '#shared/ui/field.tsx';

/** A code from an e-mail; phones offer it from the message. */
export function CodeField(props: Omit<ComponentProps<typeof Field>, 'label' | 'type'>) {
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
