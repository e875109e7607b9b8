import { api, type Notification } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findButton, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { createToken, mockIdentity, storeSession } from '#testing/identity.ts';
import { mockEndpoint, mockNotificationStream } from '#testing/server.ts';

const buildNotification = (number: number): Notification => ({
  _id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  title: `News ${number}`,
  body: 'Something new',
  createdAt: `2026-11-${10 + number}T10:00:00.000Z`,
});
const event = (data: unknown) => `event: notification\ndata: ${JSON.stringify(data)}\n\n`;
const page = (...numbers: number[]) => ({ docs: numbers.map(buildNotification), totalDocs: numbers.length });

let stream: ReturnType<typeof mockNotificationStream>;
beforeEach(() => {
  mockSignedInUser();
  stream = mockNotificationStream();
  mockEndpoint(api.notifications.findNotifications, page(1));
});

const noNews = 'Notifications';
const unseenNews = 'Notifications, there is something new';
const list = async () => within(await screen.findByRole('region', { name: 'Notifications' }));
const waitForConnection = () => waitFor(() => expect(stream.countConnections()).toBe(1));

/** Simulates switching tabs. */
function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

/** Opens the list in another tab, where a notification is the newest. */
function seeInOtherTab(number: number): void {
  const newValue = JSON.stringify({ state: { lastSeen: buildNotification(number)._id }, version: 1 });
  localStorage.setItem('notifications-storage', newValue);
  dispatchEvent(new StorageEvent('storage', { key: 'notifications-storage', newValue }));
}

async function renderSeen() {
  const { user } = await renderApp('/library');
  await user.click(await findButton(unseenNews));
  await user.click(await findButton(noNews));
  await waitForConnection();
  return user;
}

describe('[CAT-07] notifications received while the app is open', () => {
  it('flag the bell, are listed first, and are announced', async () => {
    const user = await renderSeen();
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    stream.send(event(buildNotification(2)));
    expect(await findButton(unseenNews)).toBeInTheDocument();
    expect(screen.getByText('New notification: News 2')).toBeInTheDocument();
    await user.click(await findButton(unseenNews));
    const titles = (await list()).getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(titles[0]).toBe('News 2Something new12 Nov 2026');
  });

  it('are seen if they arrive while the list is open', async () => {
    const user = await renderSeen();
    await user.click(await findButton(noNews));
    stream.send(event(buildNotification(2)));
    expect(await (await list()).findByText('News 2')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: unseenNews })).not.toBeInTheDocument();
  });

  it('are seen once they are seen in another tab', async () => {
    await renderSeen();
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    stream.send(event(buildNotification(2)));
    await findButton(unseenNews);
    seeInOtherTab(2);
    expect(await findButton(noNews)).toBeInTheDocument();
  });

  it('are listed once they are seen in another tab', async () => {
    await renderSeen();
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    seeInOtherTab(2);
    expect(await screen.findByText('News 2')).toBeInTheDocument();
    expect(await findButton(noNews)).toBeInTheDocument();
  });

  it('are listed if they arrive while the list is requested', async () => {
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.notifications.findNotifications, page(1), delay);
    await renderApp('/library');
    await waitForConnection();
    await waitFor(() => expect(requests.length).toBeGreaterThan(0));
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    stream.send(event(buildNotification(2)));
    await screen.findByText('New notification: News 2');
    respond();
    expect(await screen.findByText('News 2')).toBeInTheDocument();
  });

  it('remain listed if they arrive while the list is requested again', async () => {
    await renderSeen();
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.notifications.findNotifications, page(1), delay);
    setVisibility('hidden');
    await waitFor(() => expect(stream.countConnections()).toBe(0));
    setVisibility('visible');
    await waitForConnection();
    await waitFor(() => expect(requests).toHaveLength(1));
    const repeated = mockEndpoint(api.notifications.findNotifications, page(2, 1));
    stream.send(event(buildNotification(2)));
    await screen.findByText('New notification: News 2');
    respond();
    await waitFor(() => expect(repeated).toHaveLength(1));
    expect(await findButton(unseenNews)).toBeInTheDocument();
  });

  it('ignores invalid events', async () => {
    await renderSeen();
    stream.send('event: notification\ndata: {\n\n');
    stream.send(event({ title: 'No id' }));
    stream.send(event(buildNotification(2)));
    expect(await findButton(unseenNews)).toBeInTheDocument();
  });

  it('reconnects with a new token, and lists what was missed', async () => {
    const user = await renderSeen();
    mockIdentity();
    storeSession(-10);
    mockEndpoint(api.notifications.findNotifications, page(3, 2, 1));
    await stream.close();
    expect(await findButton(unseenNews)).toBeInTheDocument();
    await waitForConnection();
    await user.click(await findButton(unseenNews));
    expect((await list()).getByText('News 3')).toBeInTheDocument();
    const [before, after] = stream.requests.map(({ headers }) => headers.get('authorization'));
    expect(before).toMatch(/^Bearer /);
    expect(after).not.toBe(`Bearer ${createToken(-10)}`);
    expect(after).not.toBe(before);
  });

  it('disconnects while the tab is hidden, and lists what was missed afterwards', async () => {
    await renderSeen();
    setVisibility('hidden');
    await waitFor(() => expect(stream.countConnections()).toBe(0));
    mockEndpoint(api.notifications.findNotifications, page(2, 1));
    setVisibility('visible');
    await waitForConnection();
    expect(await findButton(unseenNews)).toBeInTheDocument();
  });

  it('disconnects after sign-out', async () => {
    mockIdentity();
    const user = await renderSeen();
    await user.click(await findButton(/Your account$/));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(stream.countConnections()).toBe(0));
    expect(stream.requests).toHaveLength(1);
  });

  it('reconnects after a change of language', async () => {
    const user = await renderSeen();
    await user.click(await findButton('Language'));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Español' }));
    await waitFor(() => expect(stream.requests.at(-1)?.headers.get('accept-language')).toBe('es'));
    await waitForConnection();
  });
});
