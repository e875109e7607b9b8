// Loaded before the tests, so that none of them waits for it.
import '../containers/signed-in-services.tsx';
import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { buildTrack } from '#features/player/testing/fixtures.ts';
import { mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildSearchResults } from '#testing/builders.ts';
import { getLastQuery, mockEndpoint, type ReceivedRequest } from '#testing/server.ts';

interface VirtualizerProps {
  data: readonly unknown[];
  item: ComponentType<{ index: number; children: ReactNode }>;
  children: (item: unknown, index: number) => ReactNode;
}

// jsdom has no layout: every row is rendered.
vi.mock('virtua', () => ({
  WindowVirtualizer: ({ data, item: Item, children }: VirtualizerProps) => (
    <ol>
      {data.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
        <Item key={index} index={index}>
          {children(row, index)}
        </Item>
      ))}
    </ol>
  ),
}));

beforeEach(() => {
  mockSignedInUser();
});

it('[CAT-09] a page of a long list says that it waits for the network, and resumes', async () => {
  const articles = Array.from({ length: 150 }, (_, index) => buildTrack(index + 1));
  const requests: ReceivedRequest[] = mockEndpoint(api.catalogue.findArticles, () => {
    const isFirst = !('after' in getLastQuery(requests));
    if (isFirst) onlineManager.setOnline(false);
    return { docs: isFirst ? articles.slice(0, 100) : articles.slice(100), totalDocs: articles.length };
  });
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
  await renderApp('/articles/latest');
  const [alert] = await screen.findAllByRole('alert');
  expect(alert).toHaveTextContent(/^The network did not answer/);
  act(() => onlineManager.setOnline(true));
  expect(await screen.findByRole('button', { name: 'Play Track 150' })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
