import { api, type Track } from '@escucho/contracts';
import type { CDPSession, Page } from 'playwright-core';
import type { Environment, Result } from '../measurement.ts';
import { createPlaylist, createPlaylistClient } from '../server/playlist.ts';
import { openBrowser, openContext } from '../support/browser.ts';
import { withGeneratedCatalogue } from '../support/generated-catalogue.ts';
import { callApi, getButton, openDiscover } from './player-page.ts';

export const TRACKS_SKIPPED = 500;
const TRACKS_BETWEEN_SNAPSHOTS = 100;
const PAGE_SIZE = 100;

declare global {
  interface Window {
    /** How often playback of another track has started. */
    tracksStarted?: number;
  }
}

/** Returns one track more than are skipped. */
async function createQueue(environment: Environment): Promise<Track[]> {
  const count = TRACKS_SKIPPED + 1;
  return withGeneratedCatalogue(environment, { items: count }, async (db) => {
    const call = createPlaylistClient(environment.origin, environment.bearer);
    const { playlist } = await createPlaylist(call, db, count);
    const tracks: Track[] = [];
    for (let page = 1; tracks.length < count; page += 1) {
      const path = `/playlist/find-playlist-content/${playlist}?page=${page}&limit=${PAGE_SIZE}`;
      const { docs } = api.playlists.findPlaylistContent.response.parse(await callApi(environment, path));
      if (docs.length === 0) throw new Error(`The playlist has ${tracks.length} tracks only.`);
      tracks.push(...docs);
    }
    return tracks;
  });
}

/** The JavaScript heap after garbage collection, in kB: all of it, the page's own objects, and compiled code. */
interface Heap {
  all: number;
  own: number;
  code: number;
}

/** Chromium's format: the fields of all nodes in one array. Sizes in bytes. */
interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Node types of the browser's own data, such as requests recorded for the inspector. */
const browserTypes = ['native', 'synthetic', 'hidden', 'object shape'];

async function readHeap(session: CDPSession): Promise<Heap> {
  // Finalizers of the first collection may release more objects.
  for (const _ of [1, 2]) await session.send('HeapProfiler.collectGarbage');
  const all = (await session.send('Runtime.getHeapUsage')).usedSize / 1024;
  let text = '';
  const add = ({ chunk }: { chunk: string }) => {
    text += chunk;
  };
  session.on('HeapProfiler.addHeapSnapshotChunk', add);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes }: HeapSnapshot = JSON.parse(text);
  const fields = snapshot.meta.node_fields;
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const heap: Heap = { all, own: 0, code: 0 };
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = snapshot.meta.node_types[0][nodes[node + typeAt] ?? 0] ?? '';
    const size = (nodes[node + sizeAt] ?? 0) / 1024;
    if (type === 'code') heap.code += size;
    else if (!browserTypes.includes(type)) heap.own += size;
  }
  return heap;
}

/** Clicks Next and waits until the track plays. */
async function skip(page: Page): Promise<void> {
  const before = await page.evaluate(() => window.tracksStarted ?? 0);
  await getButton(page, 'Next').click();
  await page.waitForFunction((before) => (window.tracksStarted ?? 0) > before, before);
}

/** Returns the slope of a linear regression, per index. */
function getSlope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const weight = (index: number) => index - middle;
  const spread = values.reduce((sum, _, index) => sum + weight(index) ** 2, 0);
  return values.reduce((sum, value, index) => sum + weight(index) * value, 0) / spread;
}

/** Measures the memory of a page that skips through a long queue, restored from the local storage. */
export async function measureMemory(environment: Environment): Promise<Result[]> {
  const queue = await createQueue(environment);
  const storedState = { queue, activeTrack: queue[0], volume: 1, speed: 1, isPlaying: false, progress: 0 };
  const browser = await openBrowser();
  try {
    const context = await openContext(browser, environment.state);
    await context.addInitScript(() => {
      const play = HTMLMediaElement.prototype.play;
      const elements = new WeakSet<HTMLMediaElement>();
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        if (!elements.has(this)) {
          this.addEventListener('playing', () => {
            window.tracksStarted = (window.tracksStarted ?? 0) + 1;
          });
        }
        elements.add(this);
        return play.call(this);
      };
    });
    const { page, session } = await openDiscover(context, environment.origin);
    // The player knows its user by now; it discards the queue of another user.
    await page.evaluate(
      (storedState) => localStorage.setItem('player-storage', storedState),
      JSON.stringify({ state: storedState, version: 1 }),
    );
    await page.reload();
    await getButton(page, 'Play').click();
    await page.waitForFunction(() => (window.tracksStarted ?? 0) > 0);
    const heaps: Heap[] = [];
    for (let skipped = 1; skipped <= TRACKS_SKIPPED; skipped += 1) {
      await skip(page);
      if (skipped % TRACKS_BETWEEN_SNAPSHOTS === 0) heaps.push(await readHeap(session));
    }
    const getGrowth = (key: keyof Heap) => [
      (getSlope(heaps.map((heap) => heap[key])) * 100) / TRACKS_BETWEEN_SNAPSHOTS,
    ];
    return [
      { label: `heap during ${TRACKS_SKIPPED} tracks`, unit: 'kB', values: heaps.map(({ all }) => all) },
      { label: 'of which page objects', unit: 'kB', values: heaps.map(({ own }) => own) },
      { label: 'page objects, growth per 100 tracks', unit: 'kB', values: getGrowth('own'), budget: 100 },
      { label: 'compiled code, growth per 100 tracks', unit: 'kB', values: getGrowth('code') },
    ];
  } finally {
    await browser.close();
  }
}
