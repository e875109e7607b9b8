import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'zod/mini';
import type { Database } from '../database.ts';
import { pieceSchema } from '../library/piece.ts';
import { libraryRepository } from '../library/repository.ts';
import { idOf } from '../library/service.ts';

const library = fileURLToPath(new URL('../../../../content/library', import.meta.url));

/** Brings the demo catalogue into a database, without its media. Out: the slugs. */
export async function loadDemo(db: Database): Promise<string[]> {
  const folders = (await readdir(library)).filter((name) => !/^(brand|narrators)$/.test(name));
  for (const slug of folders) {
    const piece = parse(pieceSchema, JSON.parse(await readFile(join(library, slug, 'article.json'), 'utf8')));
    const media = {
      image: 'a',
      artwork: 'b',
      audio: slug,
      portrait: null,
      pages: piece.pages.map(() => 'c'),
    };
    await libraryRepository(db).savePiece(idOf('article', slug), piece, media, { stamp: slug, hash: slug });
  }
  return folders;
}
