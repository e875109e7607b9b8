import type { ComponentProps } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Field } from '#shared/ui/field.tsx';

/** The e-mail as account name: what a password manager looks for. */
export function EmailField(props: Omit<ComponentProps<typeof Field>, 'label' | 'type'> & { label?: string }) {
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
