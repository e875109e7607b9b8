import { buildPath } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { playlistRequest } from '../features/playlists/queries.ts';
import { writeStorage } from '../shared/storage.ts';
import { ana, emptySettings, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { buildPlaylist } from '../testing/builders.ts';
import { server } from '../testing/server.ts';
import { appPages, getCalls } from './pages.ts';

const playlist = buildPlaylist(700);

const rows = Object.entries(appPages).flatMap(([path, page]) => {
  const example = page.example.replace(/\/(x|%20)$/, `/${playlist._id}`);
  const argument = example.slice(path.length);
  const calls = getCalls(page, argument);
  const inSpanish = { example: `${example}?language=es`, calls: getCalls(page, argument, 'es') };
  return calls.length > 0 ? [{ example, calls }, ...(page.languageFilter ? [inSpanish] : [])] : [];
});

const missing = { error: { code: 'not_found', message: 'Not found.', requestId: 'r' } };
/** Those that further requests depend on. */
const found: Record<string, unknown> = {
  '/api/settings': { user: ana, settings: emptySettings },
  [`/api${buildPath(...playlistRequest(playlist._id))}`]: playlist,
};
const respond = (url: string) =>
  found[url] ? Response.json(found[url]) : Response.json(missing, { status: 404 });

it.each(rows)(
  '$example takes the responses to the document’s requests, and sends none twice',
  async ({ example, calls }) => {
    mockSignedInUser();
    // Else another request is sent for them.
    writeStorage('look-of', ana._id);
    const sent: string[] = [];
    const record = ({ request }: { request: Request }) => sent.push(request.url.replace(location.origin, ''));
    server.events.on('request:start', record);
    onTestFinished(() => server.events.removeListener('request:start', record));
    window.__early = Object.fromEntries(calls.map((url) => [url, Promise.resolve(respond(url))]));
    await renderApp(example);
    await waitFor(() => expect(window.__early).toEqual({}));
    expect(sent.filter((url) => calls.includes(url))).toEqual([]);
  },
);
