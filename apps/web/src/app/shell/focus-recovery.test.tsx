import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { BrowserLocationProvider } from '#shared/location.tsx';
import { FocusRecovery } from './focus-recovery.ts';

/** The rows of a long list that are rendered at first, and those after a scroll. */
const near = [1, 2, 3];
const far = [4, 5, 6];

function Page() {
  const main = useRef<HTMLElement>(null);
  const [rows, setRows] = useState(near);
  const [isSortable, setSortable] = useState(false);
  return (
    <main ref={main} onScroll={() => setRows(far)} onDoubleClick={() => setSortable(true)}>
      <FocusRecovery main={main} />
      <ol key={String(isSortable)}>
        {rows.map((row) => (
          <li key={row} aria-posinset={row} aria-setsize={100}>
            <button type="button">Play {row}</button>
            <button
              type="button"
              aria-label={`Remove ${row}`}
              onClick={() => setRows(rows.filter((other) => other !== row))}
            />
          </li>
        ))}
      </ol>
    </main>
  );
}

const renderPage = () =>
  render(
    <BrowserLocationProvider>
      <Page />
    </BrowserLocationProvider>,
  );
const button = (name: string) => screen.getByRole('button', { name });

/** Presses a button by the keyboard. */
async function press(user: UserEvent, name: string): Promise<void> {
  act(() => button(name).focus());
  await user.keyboard('{Enter}');
}

/** Scrolls until the first rows are removed. Mutation observers are called after that. */
async function scroll(): Promise<void> {
  fireEvent.scroll(screen.getByRole('main'));
  await act(async () => undefined);
}

it('moves the focus of a row that the user removed to the next one, or the one before', async () => {
  const user = userEvent.setup();
  renderPage();
  await press(user, 'Remove 2');
  await waitFor(() => expect(button('Play 3')).toHaveFocus());
  await press(user, 'Remove 3');
  await waitFor(() => expect(button('Remove 1')).toHaveFocus());
});

it('moves the focus to the same control of a row that is rendered again', async () => {
  renderPage();
  const before = button('Remove 2');
  act(() => before.focus());
  fireEvent.doubleClick(screen.getByRole('main'));
  await waitFor(() => expect(button('Remove 2')).toHaveFocus());
  expect(before).not.toBeInTheDocument();
});

it('lets go of a row that is scrolled out of view, so that keys reach the page', async () => {
  const user = userEvent.setup();
  renderPage();
  await press(user, 'Play 3');
  await scroll();
  expect(button('Play 6')).toBeInTheDocument();
  expect(document.body).toHaveFocus();
  await press(user, 'Remove 5');
  await waitFor(() => expect(button('Play 6')).toHaveFocus());
});

it('leaves the keys to the player after the click of a mouse', async () => {
  const user = userEvent.setup();
  renderPage();
  await user.click(button('Remove 2'));
  await act(async () => undefined);
  expect(document.body).toHaveFocus();
});
