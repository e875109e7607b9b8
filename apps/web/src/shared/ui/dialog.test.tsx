import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

const draw = (onClose: () => void) =>
  render(
    <Dialog title="Rename" onClose={onClose}>
      <p>More</p>
    </Dialog>,
  );

it('[SHELL-09] calls onClose once when the user closes it', async () => {
  const onClose = vi.fn();
  draw(onClose);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
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
