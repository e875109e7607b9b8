import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keeper } from '../library/keep.ts';
import type { KnownPiece, LibraryRepository } from '../library/repository.ts';
import { idOf } from '../library/service.ts';
import { PieceFault } from '../library/source.ts';
import type { MediaStore } from '../media/store.ts';
import type { Draft, Found } from './draft.ts';
import { type Hints, slugOf } from './facts.ts';
import { hashOf, make, pieceOf } from './making.ts';
import { unreadable } from './unreadable.ts';

/** What an import came to. */
export interface Imported {
  /** New in the catalogue. */
  added: { slug: string; title: string }[];
  /** There before, and made anew because what it was made of changed. */
  changed: string[];
  unchanged: number;
  /** Taken out of the catalogue earlier; an import does not bring them back. */
  withdrawn: number;
  /** The same recording as another. */
  same: { name: string; as: string }[];
  failed: { name: string; reason: string }[];
}

interface Ports {
  library: LibraryRepository;
  store: MediaStore;
  /** The program that measures and encodes; undefined where this machine has none. */
  ffmpeg: string | undefined;
  /** An empty folder for what is made on the way. */
  workshop: string;
  /** How many pieces are made at once. */
  atOnce: number;
}

/** What is imported. */
export interface Asked {
  found: Found;
  /** What is said of all of it. */
  hints: Hints;
  onProgress?: (done: number, total: number) => void;
  onFault?: (name: string, reason: string) => void;
}

/** An import on its way: what was asked, what it came to so far, and which audio is spoken for. */
interface Run extends Asked {
  result: Imported;
  sources: ReadonlySet<string>;
  /** The audio of what was taken out of the catalogue. */
  withdrawn: ReadonlySet<string>;
  claimed: Map<string, string>;
}

/** Rises when what is made of the same files becomes another. */
const VERSION = 2;

const digest = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Makes pieces of what people bring and takes them into the catalogue. Doing so again changes only what changed. */
export function importService({ library, store, ffmpeg, workshop, atOnce }: Ports) {
  const { keep, isWhole } = keeper({ library, store });
  // A machine that cannot measure leaves alone what another one measured; one that can makes up for it.
  const stamped = (stamp: string) => (ffmpeg === undefined ? `${stamp} unmeasured` : stamp);
  const isSame = (known: string, stamp: string) => known === stamp || known === stamped(stamp);

  /** Another piece of the same recording: `as` where both are brought, `moved` where it merely lay elsewhere before. */
  async function twinOf(
    { claimed, sources }: Run,
    name: string,
    hash: string,
  ): Promise<{ moved?: KnownPiece; as?: string }> {
    const as = claimed.get(hash);
    if (as !== undefined) return { as };
    claimed.set(hash, name);
    const [other] = await library.findKnownAudio(hash);
    if (!other) return {};
    return sources.has(other.source ?? '') ? { as: other.slug } : { moved: other };
  }

  async function bring(run: Run, draft: Draft, known: KnownPiece | undefined, folder: string): Promise<void> {
    const { result, hints } = run;
    const stamp = digest(VERSION, draft.stamp, hints);
    if (known && isSame(known.stamp, stamp) && (await isWhole(known))) {
      result.unchanged += 1;
      return;
    }
    const fetched = await draft.fetch(folder);
    const audio = await hashOf(fetched.audio);
    if (!known && run.withdrawn.has(audio)) {
      result.withdrawn += 1;
      return;
    }
    const twin = known ? { moved: known } : await twinOf(run, draft.name, audio);
    if (twin.as !== undefined) {
      result.same.push({ name: draft.name, as: twin.as });
      return;
    }
    const before = twin.moved;
    const made = await make({ draft, fetched, given: hints }, folder, ffmpeg);
    const slug = before?.slug ?? slugOf(made.facts.title, draft.source);
    const id = before?.id ?? idOf('article', slug);
    const piece = pieceOf(made, slug);
    const isNew = await keep(
      {
        ...{ id, piece, text: digest(VERSION, piece), stamp: stamped(stamp) },
        files: { ...made.cover, audio: made.audio.path, portrait: null, pages: [] },
        imported: { source: draft.source, audio, estimated: made.words.isEstimated },
      },
      before && (await isWhole(before)) ? before : undefined,
    );
    if (!before) result.added.push({ slug, title: piece.title });
    else if (isNew) result.changed.push(slug);
    else result.unchanged += 1;
  }

  function fail({ result, onFault }: Run, name: string, reason: string): void {
    result.failed.push({ name, reason });
    onFault?.(name, reason);
  }

  async function attempt(run: Run, draft: Draft, known: KnownPiece | undefined): Promise<void> {
    const folder = await mkdtemp(join(workshop, 'piece-'));
    try {
      await bring(run, draft, known, folder);
    } catch (error) {
      const reason = error instanceof PieceFault ? error.message : unreadable(error);
      if (reason === undefined) throw error;
      fail(run, draft.name, reason);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    /** Bad pieces are named and left out; nothing of them stays. */
    async import(asked: Asked): Promise<Imported> {
      const { drafts, failed } = asked.found;
      const withdrawn = await library.findWithdrawn();
      const waiting = drafts.filter(({ source }) => !withdrawn.sources.has(source));
      const sources = new Set(drafts.map(({ source }) => source));
      const result = { added: [], changed: [], unchanged: 0, same: [], failed: [] };
      const run: Run = {
        ...asked,
        ...{ sources, withdrawn: withdrawn.audio, claimed: new Map() },
        result: { ...result, withdrawn: drafts.length - waiting.length },
      };
      for (const { name, reason } of failed) fail(run, name, reason);
      const pieces = await library.findKnownSources([...sources]);
      const known = new Map(pieces.map((piece) => [piece.source, piece]));
      const queue = waiting.values();
      let done = 0;
      const work = async () => {
        for (const draft of queue) {
          await attempt(run, draft, known.get(draft.source));
          done += 1;
          asked.onProgress?.(done, waiting.length);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return run.result;
    },
  };
}
