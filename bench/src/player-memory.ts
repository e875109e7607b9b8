import { join } from 'node:path';
import { api, type Track } from '@escucho/contracts';
import { findRunningEmbedded, openDatabase } from '@escucho/database';
import type { CDPSession, Page } from 'playwright-core';
import { contextOf, openBrowser } from './browser.ts';
import type { Bench, Figure } from './figure.ts';
import { makeLibrary } from './library.ts';
import { ask, control, openDiscover } from './player-page.ts';
import { caller, makePlaylist } from './playlist.ts';

export const tracksSkipped = 500;
const between = 100;
const pageSize = 100;

declare global {
  interface Window {
    /** How often sound began. */
    soundsBegun?: number;
  }
}

/** As many different tracks as are skipped, and one more. */
async function manyTracks(bench: Bench): Promise<Track[]> {
  const connection = await findRunningEmbedded(join(bench.dataDir, 'postgres'));
  if (!connection) throw new Error('The product runs on no embedded database.');
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'bench', maxConnections: 1 });
  const count = tracksSkipped + 1;
  try {
    await makeLibrary(db, count);
    const { playlist } = await makePlaylist(caller(bench.origin, bench.bearer), db, count);
    const tracks: Track[] = [];
    for (let page = 1; tracks.length < count; page += 1) {
      const path = `/playlist/find-playlist-content/${playlist}?page=${page}&limit=${pageSize}`;
      const { docs } = api.playlists.findPlaylistContent.response.parse(await ask(bench, path));
      if (docs.length === 0) throw new Error(`The playlist has ${tracks.length} tracks only.`);
      tracks.push(...docs);
    }
    return tracks;
  } finally {
    await db.destroy();
  }
}

/** The JavaScript heap in kB, once everything that can go is gone: all of it, the page's own objects, and code that was compiled. */
interface Heap {
  all: number;
  own: number;
  code: number;
}

/** As Chromium writes it: of each node its fields, one after another. Sizes in bytes. */
interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** The browser's own, such as what it keeps of requests for whoever inspects the page. */
const browsers = ['native', 'synthetic', 'hidden', 'object shape'];

async function heapOf(session: CDPSession): Promise<Heap> {
  // What the first lets go of may hold more.
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
    else if (!browsers.includes(type)) heap.own += size;
  }
  return heap;
}

/** Presses next and waits until that sounds. */
async function skip(page: Page): Promise<void> {
  const before = await page.evaluate(() => window.soundsBegun ?? 0);
  await control(page, 'Next').click();
  await page.waitForFunction((before) => (window.soundsBegun ?? 0) > before, before);
}

/** How much a line through figures rises from one to the next (least squares). */
function slopeOf(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2;
  const weight = (index: number) => index - middle;
  const spread = figures.reduce((sum, _, index) => sum + weight(index) ** 2, 0);
  return figures.reduce((sum, figure, index) => sum + weight(index) * figure, 0) / spread;
}

/** The memory of a page that skips through many tracks, from a queue that an earlier visit left. */
export async function measureMemory(bench: Bench): Promise<Figure[]> {
  const queue = await manyTracks(bench);
  const left = { queue, activeTrack: queue[0], volume: 1, speed: 1, isPlaying: false, progress: 0 };
  const browser = await openBrowser();
  try {
    const context = await contextOf(browser, bench.state);
    await context.addInitScript(() => {
      const play = HTMLMediaElement.prototype.play;
      const heard = new WeakSet<HTMLMediaElement>();
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        if (!heard.has(this)) {
          this.addEventListener('playing', () => {
            window.soundsBegun = (window.soundsBegun ?? 0) + 1;
          });
        }
        heard.add(this);
        return play.call(this);
      };
    });
    const { page, session } = await openDiscover(context, bench.origin);
    // Whose player this is, is known by now: another's would be forgotten.
    await page.evaluate(
      (left) => localStorage.setItem('player-storage', left),
      JSON.stringify({ state: left, version: 1 }),
    );
    await page.reload();
    await control(page, 'Play').click();
    await page.waitForFunction(() => (window.soundsBegun ?? 0) > 0);
    const heaps: Heap[] = [];
    for (let skipped = 1; skipped <= tracksSkipped; skipped += 1) {
      await skip(page);
      if (skipped % between === 0) heaps.push(await heapOf(session));
    }
    const growth = (part: keyof Heap) => [(slopeOf(heaps.map((heap) => heap[part])) * 100) / between];
    return [
      { what: `heap during ${tracksSkipped} tracks`, unit: 'kB', ours: heaps.map(({ all }) => all) },
      { what: 'of which page objects', unit: 'kB', ours: heaps.map(({ own }) => own) },
      { what: 'page objects, growth per 100 tracks', unit: 'kB', ours: growth('own'), budget: 100 },
      { what: 'compiled code, growth per 100 tracks', unit: 'kB', ours: growth('code') },
    ];
  } finally {
    await browser.close();
  }
}
