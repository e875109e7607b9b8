import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type MessageKey, type MessageParams, useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  /** Title and subtitle are message keys; `params` applies to both. */
  title: MessageKey;
  subtitle?: MessageKey;
  params?: MessageParams;
  children?: ReactNode;
  /** Labels of the buttons; null hides one. */
  ok?: MessageKey | null;
  cancel?: MessageKey | null;
  /** Shows OK as a destructive action. */
  isDanger?: boolean;
  busy?: boolean;
  onOk?: () => void;
  /** Called on Cancel, Escape, the close button, or a click outside. */
  onCancel: () => void;
}

/** The confirmation dialog (SHELL-09). The focus starts on Cancel and returns to where it was. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    subtitle,
    params,
    children,
    ok = 'common.ok',
    cancel = 'common.cancel',
    busy = false,
  } = props;
  const t = useT();
  const foot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => foot.current?.querySelector('button')?.focus(), []);
  return (
    <Dialog title={t(title, params)} onClose={props.onCancel}>
      {subtitle && <p className="-mt-2 text-muted text-pretty">{t(subtitle, params)}</p>}
      {children}
      <div ref={foot} className="mt-6 flex flex-wrap justify-end gap-3 empty:hidden">
        {cancel && <Button onClick={props.onCancel}>{t(cancel)}</Button>}
        {ok && (
          <Button variant={props.isDanger ? 'danger' : 'solid'} busy={busy} onClick={props.onOk}>
            {t(ok)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
