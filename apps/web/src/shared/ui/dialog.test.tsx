import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '../i18n/i18n.ts';
import { BrowserLocationProvider } from '../location.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';
import { Toasts, toast } from './toast.tsx';

const draw = (onClose: () => void) =>
  render(
    <Dialog title="Rename" onClose={onClose}>
      <p>More</p>
    </Dialog>,
    { wrapper: BrowserLocationProvider },
  );

it('[SHELL-09] calls onClose once when the user closes it', async () => {
  const onClose = vi.fn();
  draw(onClose);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('[SHELL-09] calls onClose once after back or forward', async () => {
  const onClose = vi.fn();
  draw(onClose);
  const openOther = () => {
    history.replaceState(null, '', '/other');
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
  };
  openOther();
  openOther();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it('[SHELL-09] does not call onClose when it is unmounted, however late the close event', () => {
  const onClose = vi.fn();
  const { unmount } = draw(onClose);
  const dialog = screen.getByRole('dialog');
  unmount();
  dialog.dispatchEvent(new Event('close'));
  expect(onClose).not.toHaveBeenCalled();
});

it.each([
  ['closes after a click outside', 'dialog', 1],
  ['stays open when a text selection is dragged out of it', 'paragraph', 0],
])('[SHELL-09] %s', async (_, pressed, count) => {
  const onClose = vi.fn();
  draw(onClose);
  const target = screen.getByRole('dialog');
  await userEvent.setup().pointer([
    { keys: '[MouseLeft>]', target: screen.getByRole(pressed) },
    { keys: '[/MouseLeft]', target },
  ]);
  expect(onClose).toHaveBeenCalledTimes(count);
});

function Question(props: Partial<ComponentProps<typeof ConfirmDialog>>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {isOpen && (
        <ConfirmDialog
          title="shell.logout"
          onOk={() => setOpen(false)}
          onCancel={() => setOpen(false)}
          {...props}
        />
      )}
      <Toasts />
    </>
  );
}

async function ask(props: Partial<ComponentProps<typeof ConfirmDialog>> = {}) {
  const user = userEvent.setup();
  render(<Question {...props} />, { wrapper: BrowserLocationProvider });
  await user.click(screen.getByRole('button', { name: 'Ask' }));
  return { user, dialog: within(screen.getByRole('dialog')) };
}

describe('[SHELL-09] the confirmation dialog', () => {
  afterEach(() => setLanguage('en'));

  it('shows title, subtitle and content; its buttons are OK and Cancel', async () => {
    const { dialog } = await ask({ subtitle: 'common.failedText', children: <p>More</p> });
    expect(dialog.getByRole('heading', { name: 'Logout' })).toBeInTheDocument();
    expect(dialog.getByText(/^Something went wrong/)).toBeInTheDocument();
    expect(dialog.getByText('More')).toBeInTheDocument();
    expect(dialog.getAllByRole('button').map((button) => button.textContent)).toEqual(['', 'Cancel', 'OK']);
  });

  it.each([
    [{ ok: null }, ['Cancel']],
    [{ cancel: null }, ['OK']],
    [{ ok: null, cancel: null }, []],
    [{ ok: 'common.retry', cancel: 'common.close' }, ['Close', 'Try again']],
  ] as const)('%j leaves %j', async (props, left) => {
    const { dialog } = await ask(props);
    const words = dialog.getAllByRole('button').map((button) => button.textContent);
    expect(words.filter(Boolean)).toEqual(left);
  });

  it('is in the user’s language', async () => {
    await act(() => setLanguage('es'));
    const { dialog } = await ask();
    expect(dialog.getByRole('heading', { name: 'Cerrar sesión' })).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeInTheDocument();
  });

  it.each(['OK', 'Cancel', 'Close'])(
    '%s closes it once, and it begins on what changes nothing',
    async (name) => {
      const onOk = vi.fn();
      const onCancel = vi.fn();
      const { user, dialog } = await ask({ onOk, onCancel });
      expect(document.activeElement?.textContent).toBe('Cancel');
      await user.click(dialog.getByRole('button', { name }));
      expect([onOk.mock.calls.length, onCancel.mock.calls.length]).toEqual(name === 'OK' ? [1, 0] : [0, 1]);
    },
  );
});

it('[SHELL-10] a toast is in the open modal only, and in the page after it closes', async () => {
  const { user, dialog } = await ask();
  act(() => toast('Saved'));
  expect(dialog.getByText('Saved')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.getAllByText('Saved')).toHaveLength(1);
});
