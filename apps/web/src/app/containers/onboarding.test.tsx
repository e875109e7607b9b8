// Loaded before the tests, so that none of them waits for it.
import './signed-in-services.tsx';
import '#features/profile/components/onboarding.tsx';
import { api, type Settings, type User } from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import {
  activeSubscription,
  ana,
  emptySettings,
  getCurrentUrl,
  mockSignedInUser,
  renderApp,
} from '#testing/app.tsx';
import { mockEndpoint } from '#testing/server.ts';

const newUser: User = { ...ana, needsOnboarding: true };

beforeEach(() => mockSignedInUser(newUser));

/** Mocks the storing of answers; returns the requests. */
function mockAnswers(settings: Partial<Settings> = {}) {
  mockEndpoint(api.auth.me, { user: newUser, subscription: activeSubscription });
  return mockEndpoint(api.settings.changeSettings, {
    user: ana,
    settings: { ...emptySettings, ...settings },
  });
}

const findDialog = (name: string) => screen.findByRole('dialog', { name });
const press = async (name: string) =>
  within(await screen.findByRole('dialog')).findByRole('button', { name });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

it('asks a new user for language and level, and loads Discover again with the answers', async () => {
  const requests = mockAnswers({ learningLanguage: 'es', level: 'A1' });
  const discovers = mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [] });
  const { user } = await renderApp('/discover');
  const dialog = within(await findDialog('What do you want to learn?'));
  const learned = within(dialog.getByRole('group', { name: 'I am learning' }));
  expect(learned.getByRole('radio', { name: 'Spanish' })).toBeChecked();
  await user.click(dialog.getByRole('button', { name: 'Next' }));
  await findDialog('How well do you know it?');
  expect(await press('Start listening')).toBeDisabled();
  await user.click(screen.getByRole('radio', { name: /^A1/ }));
  const loaded = discovers.length;
  await user.click(await press('Start listening'));
  await isGone();
  expect(requests.map(({ body }) => body)).toEqual([
    { learningLanguage: 'es', language: 'en', level: 'A1', isOnboarded: true },
  ]);
  await waitFor(() => expect(discovers.length).toBeGreaterThan(loaded));
});

it('continues in the language the user chooses to learn from', async () => {
  mockAnswers();
  const { user } = await renderApp('/discover');
  const from = within(await screen.findByRole('group', { name: 'Language of the interface' }));
  await user.click(from.getByRole('radio', { name: 'Español' }));
  expect(await findDialog('¿Qué quieres aprender?')).toBeInTheDocument();
});

it('[ROUTE-03] skipping leaves the user at the page of returnTo, with nothing chosen', async () => {
  const requests = mockAnswers();
  const { user } = await renderApp('/auth/sign-in?returnTo=%2Flibrary');
  await findDialog('What do you want to learn?');
  expect(getCurrentUrl()).toBe('/library');
  await user.click(await press('Skip'));
  await isGone();
  expect(getCurrentUrl()).toBe('/library');
  expect(await screen.findByRole('heading', { level: 1, name: 'Your library' })).toBeInTheDocument();
  await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ isOnboarded: true }]));
});

it.each(['Skip', 'Close'])('skipping the level by %s keeps the language', async (button) => {
  const requests = mockAnswers();
  const { user } = await renderApp('/discover');
  const learned = within(await screen.findByRole('group', { name: 'I am learning' }));
  await user.click(learned.getByRole('radio', { name: 'English' }));
  await user.click(await press('Next'));
  await findDialog('How well do you know it?');
  await user.click(await press(button));
  await isGone();
  await waitFor(() =>
    expect(requests[0]?.body).toEqual({ learningLanguage: 'en', language: 'en', isOnboarded: true }),
  );
});

it('keeps the answers on the screen when they cannot be saved', async () => {
  mockAnswers();
  mockEndpoint(api.settings.changeSettings, 'unavailable');
  const { user } = await renderApp('/discover');
  await user.click(await press('Next'));
  await user.click(await screen.findByRole('radio', { name: /^B2/ }));
  await user.click(await press('Start listening'));
  expect(await screen.findByText(/^The service is not available right now/)).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: /^B2/ })).toBeChecked();
});

it('does not ask a user who has answered or who was here before', async () => {
  mockSignedInUser({ ...ana, learning: { language: 'es', level: 'A1' } });
  await renderApp('/library');
  expect(await screen.findByRole('heading', { name: 'Your library' })).toBeInTheDocument();
  // Rendered by the same component as the questions.
  await screen.findByRole('region', { name: 'Player' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
