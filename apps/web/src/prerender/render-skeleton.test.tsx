import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { showLanguage } from '../shared/i18n/i18n.ts';
import { appPages } from './pages.ts';
import { renderSkeleton } from './render-skeleton.tsx';

it('renders the shell, and each page while its data is loading, in the language shown', async () => {
  onTestFinished(() => showLanguage('en'));
  await showLanguage('es');
  document.body.innerHTML = await renderSkeleton();
  const query = { hidden: true };
  const sidebar = within(screen.getByRole('navigation', { ...query, name: 'Navegación' }));
  expect(sidebar.getByText('Biblioteca')).toBeInTheDocument();
  const main = screen.getByRole('main', query);
  const names = Object.entries(appPages).map(([path, { variantOf }]) => variantOf ?? path);
  const rendered = [...main.children].map((page) => page.getAttribute('data-skeleton'));
  expect(rendered).toHaveLength(new Set(names).size);
  expect(rendered).toEqual(expect.arrayContaining(names));
  for (const page of main.children) {
    const path = page.getAttribute('data-skeleton');
    // Its text depends on the user.
    if (path !== '/tyc') expect(page.querySelector('.skeleton, h1'), `of ${path}`).not.toBeNull();
  }
  const library = main.querySelector<HTMLElement>('[data-skeleton="/library"]');
  if (!library) throw new Error('The library has no skeleton.');
  expect(
    main.querySelector<HTMLInputElement>('[data-skeleton="/articles/search/"] input')?.value.trim(),
  ).toBe('');
  expect(within(library).getByRole('heading', { ...query, level: 1 })).toHaveTextContent('Tu biblioteca');
  expect(document.body.innerHTML).not.toMatch(/ style=/);
});

it('renders no page as if offline where the navigator is that of Node.js', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Node.js/24', languages: ['en'] });
  document.body.innerHTML = await renderSkeleton();
  expect(screen.queryAllByRole('alert', { hidden: true })).toEqual([]);
});
