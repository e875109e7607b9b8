import { screen, within } from '@testing-library/react';
import { renderApp } from './app.tsx';

/** Opens the profile settings, and waits for them. */
export async function openProfileSettings() {
  const visited = await renderApp('/settings/profile');
  await screen.findByRole('heading', { name: 'Your data' });
  return visited;
}

/** Finds a button by its name. */
export const findButton = (name: string | RegExp): Promise<HTMLElement> =>
  screen.findByRole('button', { name });

/** Returns the queries of the open dialog. */
export const findDialog = async () => within(await screen.findByRole('dialog'));
