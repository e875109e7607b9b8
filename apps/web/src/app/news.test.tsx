import { api, type Notification } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mockShellEndpoints, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { createToken, mockIdentity, storeSession } from '../testing/identity.ts';
import { mockEndpoint, mockNotificationStream } from '../testing/server.ts';

const news = (number: number): Notification => ({
  _id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  title: `News ${number}`,
  body: 'Something new',
  createdAt: `2026-11-${10 + number}T10:00:00.000Z`,
});
const event = (one: unknown) => `event: notification\ndata: ${JSON.stringify(one)}\n\n`;
const page = (...numbers: number[]) => ({ docs: numbers.map(news), totalDocs: numbers.length });

let stream: ReturnType<typeof mockNotificationStream>;
beforeEach(() => {
  mockSignedInUser();
  mockShellEndpoints();
  stream = mockNotificationStream();
  mockEndpoint(api.notifications.findNotifications, page(1));
});
afterEach(() => vi.restoreAllMocks());

const bell = (name: string) => screen.findByRole('button', { name });
const quiet = 'Notifications';
const loud = 'Notifications, there is something new';
const list = async () => within(await screen.findByRole('region', { name: 'Notifications' }));
const heardOnce = () => waitFor(() => expect(stream.listeners()).toBe(1));

/** Puts the page behind another tab, or back. */
function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

async function seen() {
  const { user } = await renderApp('/library');
  await user.click(await bell(loud));
  await user.click(await bell(quiet));
  await heardOnce();
  return user;
}

describe('[CAT-07] notifications that come while the reader is there', () => {
  it('ring the bell and stand first, without a reload; a screen reader hears of them', async () => {
    const user = await seen();
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    stream.tell(event(news(2)));
    expect(await bell(loud)).toBeTruthy();
    expect(screen.getByText('New notification: News 2')).toBeTruthy();
    await user.click(await bell(loud));
    const titles = (await list()).getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(titles[0]).toBe('News 2Something new12 Nov 2026');
  });

  it('count as seen when they come into the open list', async () => {
    const user = await seen();
    await user.click(await bell(quiet));
    stream.tell(event(news(2)));
    expect(await (await list()).findByText('News 2')).toBeTruthy();
    expect(screen.queryByRole('button', { name: loud })).toBeNull();
  });

  it('what is not a notification is overlooked', async () => {
    await seen();
    stream.tell('event: notification\ndata: {\n\n');
    stream.tell(event({ title: 'No id' }));
    stream.tell(event(news(2)));
    expect(await bell(loud)).toBeTruthy();
  });

  it('after the line broke it is opened again, with the token of then, and what was missed is there', async () => {
    const user = await seen();
    mockIdentity();
    storeSession(-10);
    mockEndpoint(api.notifications.findNotifications, page(3, 2, 1));
    await stream.hangUp();
    expect(await bell(loud)).toBeTruthy();
    await heardOnce();
    await user.click(await bell(loud));
    expect((await list()).getByText('News 3')).toBeTruthy();
    const [before, after] = stream.heard.map((headers) => headers.get('authorization'));
    expect(before).toMatch(/^Bearer /);
    expect(after).not.toBe(`Bearer ${createToken(-10)}`);
    expect(after).not.toBe(before);
  });

  it('nobody listens in a tab that is not seen; coming back shows what was missed', async () => {
    await seen();
    show('hidden');
    await waitFor(() => expect(stream.listeners()).toBe(0));
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    show('visible');
    await heardOnce();
    expect(await bell(loud)).toBeTruthy();
  });

  it('nobody listens after signing out', async () => {
    mockIdentity();
    const user = await seen();
    await user.click(await bell('Your account'));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(stream.listeners()).toBe(0));
    expect(stream.heard).toHaveLength(1);
  });

  it('come in the language that is spoken now', async () => {
    const user = await seen();
    await user.click(await bell('Language'));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Español' }));
    await waitFor(() => expect(stream.heard.at(-1)?.get('accept-language')).toBe('es'));
    await heardOnce();
  });
});
