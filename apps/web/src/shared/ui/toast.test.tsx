import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Toasts, toast } from './toast.tsx';

it('[SHELL-10] a toast is light, top right, announced, and closes after 5000 ms', () => {
  vi.useFakeTimers();
  render(<Toasts />);
  act(() => toast('Saved'));
  const shown = screen.getByText('Saved').closest('li');
  expect(shown?.dataset.theme).toBe('light');
  expect(shown?.parentElement?.className).toContain('top-20 right-4');
  expect(shown?.parentElement?.getAttribute('aria-live')).toBe('polite');
  act(() => vi.advanceTimersByTime(4999));
  expect(screen.queryByText('Saved')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(1));
  expect(screen.queryByText('Saved')).not.toBeInTheDocument();
});

it('[SHELL-10] sign-in errors appear at the bottom', () => {
  render(<Toasts />);
  act(() => toast('No', 'error', 'bottom-center'));
  expect(screen.getByText('No').closest('ol')?.className).toContain('bottom-8 left-1/2');
});

it('replaces a toast with the same text, and closes on press', async () => {
  const user = userEvent.setup();
  render(<Toasts />);
  act(() => toast('Again'));
  act(() => toast('Again'));
  expect(screen.getAllByText('Again')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Again')).not.toBeInTheDocument();
});

it('the action runs once and closes the toast', async () => {
  const user = userEvent.setup();
  const run = vi.fn();
  render(<Toasts />);
  act(() => toast('Removed', 'success', 'top-right', { label: 'Undo', run }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(run).toHaveBeenCalledOnce();
  expect(screen.queryByText('Removed')).not.toBeInTheDocument();
});

/** Shows a toast after a button, and moves the focus by keyboard from that one to a button of the toast. */
async function focusToastButton(name: string) {
  const user = userEvent.setup();
  render(
    <>
      <button type="button">Before</button>
      <Toasts />
    </>,
  );
  act(() => toast('Removed', 'success', 'top-right', { label: 'Undo', run: () => undefined }));
  await user.tab();
  const button = screen.getByRole('button', { name });
  while (!button.matches(':focus')) await user.tab();
  return { user, button };
}

it.each([
  ['its action is pressed', 'Undo'],
  ['it is closed', 'Close'],
])('[SHELL-10] returns the focus to where it was when %s', async (_title, name) => {
  const { user } = await focusToastButton(name);
  await user.keyboard('{Enter}');
  expect(screen.queryByText('Removed')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Before' })).toHaveFocus();
});

it('[SHELL-10] returns the focus also after the window had lost it', async () => {
  const { user, button: undo } = await focusToastButton('Undo');
  fireEvent.focusOut(undo, { relatedTarget: null });
  fireEvent.focusIn(undo, { relatedTarget: null });
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Before' })).toHaveFocus();
});
