import { passkeyForm } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Field, useForm } from '#shared/form.tsx';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmButton, Dialog, DialogActions, useIsMounted } from '#shared/ui/dialog.tsx';
import { QueryState, Section, SectionRow } from '#shared/ui/section.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { addPasskey, type Passkey, passkeysQuery, removePasskey, securityQueries } from '../../security.ts';
import { supportsPasskeys } from '../../sign-in.ts';
import { toastAccountError, useAction } from '../form-fields.tsx';

/** The user's passkeys, with buttons that add and remove one. */
export function PasskeysSection() {
  const t = useT();
  const query = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const passkeys = query.data;
  return (
    <Section title={t('security.passkeysTitle')} text={t('security.passkeysText')}>
      <QueryState query={query} skeleton="h-20 sm:h-11" />
      {passkeys && passkeys.length > 0 && (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.CredentialId} passkey={passkey} />
          ))}
        </ul>
      )}
      {passkeys &&
        (supportsPasskeys() ? (
          <SectionRow text={passkeys.length === 0 ? t('security.noPasskeys') : undefined}>
            <Button onClick={() => setAdding(true)}>{t('security.addPasskey')}</Button>
          </SectionRow>
        ) : (
          <SectionRow text={t('security.passkeyUnsupported')} />
        ))}
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

const toMoment = (seconds: number) => new Date(seconds * 1000);

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useT();
  const format = useFormat();
  const client = useQueryClient();
  const { CredentialId: id, FriendlyCredentialName: name, CreatedAt, LastUsedAt } = passkey;
  const date = format.date(toMoment(CreatedAt));
  const [remove, busy] = useAction(
    async (close: () => void) => {
      await removePasskey(id);
      toast(t('security.passkeyRemoved'));
      close();
    },
    // Another device may have removed it.
    () => client.invalidateQueries(securityQueries),
  );
  return (
    <li>
      <SectionRow
        title={name}
        text={
          LastUsedAt == null
            ? t('security.passkeyCreated', { date })
            : t('security.passkeyUsed', { date, used: format.date(toMoment(LastUsedAt)) })
        }
      >
        <ConfirmButton
          aria-label={t('security.removePasskeyNamed', { name })}
          dialog={{
            title: 'security.removePasskeyTitle',
            subtitle: 'security.removePasskeyText',
            params: { name },
            ok: 'security.remove',
            isDanger: true,
          }}
          busy={busy}
          onConfirm={remove}
        >
          {t('security.remove')}
        </ConfirmButton>
      </SectionRow>
    </li>
  );
}

/** Creates a passkey under a name; without one the identity provider names it by the app that stores it and the device. */
function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const { field, submit, busy } = useForm(passkeyForm, { name: '' }, { takesFocus: true });
  const isOpen = useIsMounted();
  const form = submit(async ({ name }) => {
    try {
      await addPasskey(name);
      toast(t('security.passkeyAdded'));
      if (isOpen.current) onClose();
    } finally {
      // Also after a failure: only the response may have been lost.
      void client.invalidateQueries(securityQueries);
    }
  }, toastAccountError);
  return (
    <Dialog title={t('security.addPasskey')} onClose={onClose}>
      <form {...form} className="grid gap-4">
        <p className="text-muted text-pretty">{t('security.addPasskeyText')}</p>
        <Field
          label={t('security.passkeyName')}
          hint={t('security.passkeyNameHint')}
          autoComplete="off"
          {...field('name')}
        />
        <DialogActions submitLabel={t('security.addPasskeyOk')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
