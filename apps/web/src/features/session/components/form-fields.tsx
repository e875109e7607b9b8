import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Field } from '#shared/ui/field.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { toast } from '#shared/ui/toast.ts';
import { findFieldError, toErrorText } from '../model/error-text.ts';

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

/**
 * Returns a function that shows a sign-in or account error at the bottom of the page (SHELL-10, AUTH-11), and what to do at
 * the field that it concerns.
 *
 * @param reject shows an error at a field; of `useForm`
 */
export function useErrorToast(
  fallback: MessageKey,
  reject?: (field: string, text: string) => void,
): (error: unknown) => void {
  const t = useT();
  return (error) => {
    toast(toErrorText(t, error, fallback), 'error', 'bottom-center');
    const fieldError = findFieldError(error);
    if (fieldError) reject?.(fieldError.field, t(fieldError.text));
  };
}
