import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Field } from '#shared/ui/field.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'end'>;

/** A password that can be looked at. */
export function PasswordField(props: Props) {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={t(shown ? 'session.hidePassword' : 'session.showPassword')}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
