import { api, identityApi, type Settings } from '@escucho/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTrack } from '#features/player/testing/fixtures.ts';
import { useStoredProfile } from '#features/session/store.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { navigate } from '#shared/location.tsx';
import { usePreferences } from '#shared/preferences.ts';
import { ana, emptySettings, free, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { mockEndpoint, server } from '#testing/server.ts';

const path = '/settings/profile';
const { findSettings, changeSettings } = api.settings;

/** Mocks the settings endpoints with a server that stores changes; returns a function that lists them. */
function mockSettings(first: Partial<Settings> = {}) {
  let settings: Settings = { ...emptySettings, ...first };
  const requests = mockEndpoint(changeSettings, () => {
    settings = { ...settings, ...Object(requests.at(-1)?.body) };
    const { firstName, lastName } = settings;
    return { user: { ...ana, firstName, lastName, displayName: `${firstName} ${lastName}` }, settings };
  });
  mockEndpoint(findSettings, () => ({ user: ana, settings }));
  return () => requests.map(({ body }) => body);
}

beforeEach(async () => {
  await setLanguage('en');
  mockSignedInUser();
  mockEndpoint(identityApi.listSessions, { docs: [] });
});

const field = (name: string) => screen.findByRole('textbox', { name });
const undo = () => screen.findByRole('button', { name: 'Undo' });
const rename = async (user: Awaited<ReturnType<typeof renderApp>>['user'], firstName: string) => {
  await user.clear(await field('First name'));
  await user.type(await field('First name'), `${firstName}{Enter}`);
};

// First: the messages are loaded once.
it('[SHELL-08] a language whose messages do not load is not saved', async () => {
  const getChanges = mockSettings();
  const { user } = await renderApp(path);
  await field('First name');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  server.use(http.head('*/config.json', () => HttpResponse.error()));
  await user.click(screen.getByRole('radio', { name: 'Español' }));
  expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
  onLine.mockRestore();
  expect(screen.getByRole('radio', { name: 'English' })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'Light' }));
  await undo();
  expect(getChanges()).toEqual([{ theme: 'light' }]);
});

it('[SUB-07] scrolls the tabs to the current one', async () => {
  mockSettings();
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  await renderApp(path);
  expect(scroll.mock.contexts).toEqual([await screen.findByRole('link', { name: 'Profile' })]);
});

describe('[SUB-07] the profile', () => {
  it('shows initials, name, e-mail and settings; support is not available', async () => {
    mockSettings({ level: 'B1', learningLanguage: 'en' });
    await renderApp(path);
    expect(await field('First name')).toHaveValue('Ana');
    expect(screen.getByRole('heading', { name: 'Ana Torres' })).toBeInTheDocument();
    expect(screen.getAllByText('ana@example.org').length).toBeGreaterThan(0);
    expect(screen.getByRole('combobox', { name: 'Your level' })).toHaveValue('B1');
    expect(screen.getByRole('combobox', { name: 'Language you are learning' })).toHaveValue('en');
    const support = screen.getByRole('link', { name: 'Support' });
    expect([support.getAttribute('aria-disabled'), support.getAttribute('href')]).toEqual(['true', null]);
  });

  it('shows the names of the sign-in, not those of a response from before it', async () => {
    mockSettings();
    useStoredProfile.setState({ user: null, subscription: null });
    const user = { ...ana, firstName: '', lastName: '', displayName: '' };
    const settings = { ...emptySettings, firstName: '', lastName: '' };
    window.__early = { '/api/settings': Promise.resolve(Response.json({ user, settings })) };
    await renderApp(path);
    expect(await field('First name')).toHaveValue('Ana');
    expect(screen.getByRole('heading', { name: 'Ana Torres' })).toBeInTheDocument();
  });

  it('saves a new name, shows it everywhere at once, and undoes it', async () => {
    const getChanges = mockSettings();
    const { user } = await renderApp(path);
    await rename(user, 'Mar');
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Mar Torres' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /Your account$/ })).toHaveTextContent(/^MT$/);
    await user.click(await undo());
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Ana Torres' })).toBeInTheDocument());
    expect(await field('First name')).toHaveValue('Ana');
    expect(getChanges()).toEqual([{ firstName: 'Mar' }, { firstName: 'Ana' }]);
  });

  it('sends nothing when the names are saved as they are', async () => {
    const getChanges = mockSettings();
    const { user } = await renderApp(path);
    await rename(user, 'Ana');
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    await undo();
    expect(getChanges()).toEqual([{ theme: 'light' }]);
  });

  it('shows a saved name everywhere whose response was lost', async () => {
    const saved = { ...emptySettings, firstName: 'Mar' };
    mockSettings();
    const { user } = await renderApp(path);
    server.use(http.put('*/api/settings', () => HttpResponse.error()));
    await field('First name');
    mockEndpoint(findSettings, {
      user: { ...ana, firstName: 'Mar', displayName: 'Mar Torres' },
      settings: saved,
    });
    await rename(user, 'Mar');
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Mar Torres' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /Your account$/ })).toHaveTextContent(/^MT$/);
  });

  it('leaves the last name of another device when the first one is changed', async () => {
    mockSettings();
    const { user } = await renderApp(path);
    await field('First name');
    const settings = { ...emptySettings, firstName: 'Mar', lastName: 'Zapata' };
    const requests = mockEndpoint(changeSettings, { user: ana, settings });
    await rename(user, 'Mar');
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(await field('Last name')).toHaveValue('Zapata');
    expect(requests.map(({ body }) => body)).toEqual([{ firstName: 'Mar' }]);
  });

  it('leaves what was typed since in the fields when a saved name is undone', async () => {
    mockSettings();
    const { user } = await renderApp(path);
    await rename(user, 'Mar');
    await user.type(await field('Last name'), ' Gil');
    await user.click(await undo());
    await waitFor(async () => expect(await field('First name')).toHaveValue('Ana'));
    expect(await field('Last name')).toHaveValue('Torres Gil');
  });

  it.each([
    ['First name', '', 'FirstName field is required'],
    ['First name', 'A', 'The minimum length for the name field is 2'],
    ['Last name', '', 'Lastname field is required'],
    ['Last name', 'B'.repeat(61), 'The maximum length for the name field is 60'],
  ])('[AUTH-02] %s %j: %s', async (name, value, message) => {
    const getChanges = mockSettings();
    const { user } = await renderApp(path);
    const input = await field(name);
    await user.clear(input);
    if (value) await user.type(input, value);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(input).toHaveFocus();
    expect(getChanges()).toEqual([]);
  });

  it('saves level and learning language when selected, and can clear them', async () => {
    const getChanges = mockSettings({ level: 'B1' });
    const { user } = await renderApp(path);
    const level = await screen.findByRole('combobox', { name: 'Your level' });
    await user.selectOptions(level, 'C1');
    await user.selectOptions(level, 'Not chosen');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Language you are learning' }), 'Spanish');
    await waitFor(() =>
      expect(getChanges()).toEqual([{ level: 'C1' }, { level: null }, { learningLanguage: 'es' }]),
    );
    expect(level).toHaveValue('');
  });

  it('[PLAY-04] a list shows what is free at a new level', async () => {
    mockSettings({ level: 'A1' });
    mockSignedInUser(ana, free);
    const docs = (url: string | null) => ({ docs: [buildTrack(1, { url })], totalDocs: 1 });
    mockEndpoint(api.catalogue.findArticles, docs(null));
    const { user } = await renderApp('/articles/level/B1');
    await screen.findByRole('button', { name: 'Play Track 1, needs a subscription' });
    act(() => navigate(path));
    const level = await screen.findByRole('combobox', { name: 'Your level' });
    mockEndpoint(api.catalogue.findArticles, docs('/media/1.mp3'));
    await user.selectOptions(level, 'B1');
    await undo();
    act(() => navigate('/articles/level/B1'));
    expect(await screen.findByRole('button', { name: 'Play Track 1' })).toBeInTheDocument();
  });

  it('[SHELL-07] [SHELL-08] theme and language change at once, are saved, and can be undone', async () => {
    const getChanges = mockSettings();
    const { user } = await renderApp(path);
    await user.click(await screen.findByRole('radio', { name: 'Light' }));
    expect(document.documentElement.dataset.theme).toBe('light');
    await user.click(await undo());
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(screen.getByText('Español')).toHaveAttribute('lang', 'es');
    await user.click(screen.getByRole('radio', { name: 'Español' }));
    expect(await screen.findByRole('heading', { name: 'Ajustes' })).toBeInTheDocument();
    await waitFor(() =>
      expect(getChanges()).toEqual([{ theme: 'light' }, { theme: null }, { language: 'es' }]),
    );
  });

  it('[PLAY-07] shortcuts of letters and signs are turned off on this device', async () => {
    const getChanges = mockSettings();
    const { user } = await renderApp(path);
    await user.click(await screen.findByRole('radio', { name: 'Off' }));
    expect(screen.getByRole('radio', { name: 'Off' })).toBeChecked();
    expect(usePreferences.getState().hasCharacterKeys).toBe(false);
    await user.click(screen.getByRole('radio', { name: 'On' }));
    expect(usePreferences.getState().hasCharacterKeys).toBe(true);
    expect(getChanges()).toEqual([]);
  });

  it('a refused change shows an error and restores the previous value', async () => {
    mockSettings({ level: 'A2' });
    mockEndpoint(changeSettings, 'too_many_requests');
    const { user } = await renderApp(path);
    const level = await screen.findByRole('combobox', { name: 'Your level' });
    await user.selectOptions(level, 'C1');
    expect(await screen.findByText('Too many tries. Please wait a moment.')).toBeInTheDocument();
    await waitFor(() => expect(level).toHaveValue('A2'));
  });

  it('[CAT-09] settings that fail to load show an error with a retry', async () => {
    mockEndpoint(findSettings, 'not_found');
    const { user } = await renderApp(path);
    expect(await screen.findByText('Your settings did not load.')).toBeInTheDocument();
    mockSettings();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await field('First name')).toBeInTheDocument();
  });
});

describe('[SUB-07] a device that is new to a user', () => {
  it('applies the saved theme and language once, then keeps its own', async () => {
    mockSettings({ theme: 'light', language: 'es' });
    const { user } = await renderApp('/library');
    expect(await screen.findByRole('heading', { name: 'Tu biblioteca' })).toBeInTheDocument();
    expect(document.documentElement.dataset.theme).toBe('light');
    await user.click(screen.getByRole('button', { name: 'Cambiar a oscuro' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
  });
});
