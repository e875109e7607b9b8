import { type ComponentProps, useState } from 'react';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { useAction } from '../form-fields.tsx';

interface ConfirmButtonProps
  extends Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'onOk' | 'onCancel' | 'children'> {
  'aria-label'?: string;
  children: string;
  /** Without the dialog, the button runs the action at once. */
  hasDialog?: boolean;
  /** The action; `close` closes the dialog. */
  onConfirm: (close: () => void) => Promise<void>;
  /** Called once the action has succeeded or failed. */
  onSettled: () => Promise<void>;
}

/** A button with an action that runs once it is confirmed in a dialog. Its error is shown as a toast. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { 'aria-label': name, children, hasDialog = true, onConfirm, onSettled, ...dialog } = props;
  const [isOpen, setOpen] = useState(false);
  const [confirm, busy] = useAction(() => onConfirm(() => setOpen(false)), onSettled);
  return (
    <>
      <Button aria-label={name} busy={busy && !isOpen} onClick={hasDialog ? () => setOpen(true) : confirm}>
        {children}
      </Button>
      {isOpen && <ConfirmDialog {...dialog} busy={busy} onOk={confirm} onCancel={() => setOpen(false)} />}
    </>
  );
}
