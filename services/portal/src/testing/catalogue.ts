import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'zod/mini';
import { articleFileSchema } from '../catalogue-loader/article-files.ts';
import { createCatalogueLoaderRepository } from '../catalogue-loader/repository.ts';
import type { Database } from '../database.ts';
import { createStableId } from '../stable-id.ts';

const library = fileURLToPath(new URL('../../../../content/library', import.meta.url));

/** Saves articles, given as the content of their article.json, without media files. */
export async function saveArticles(db: Database, articles: readonly unknown[]): Promise<void> {
  const repository = createCatalogueLoaderRepository(db);
  for (const article of articles) {
    const content = parse(articleFileSchema, article);
    const { slug, pages } = content;
    const media = { image: 'a', artwork: 'b', audio: slug, portrait: null, pages: pages.map(() => 'c') };
    await repository.saveArticle(createStableId('article', slug), content, media, {
      stamp: slug,
      hash: slug,
    });
  }
}

/** Saves the articles of the demo library without media files. */
export async function loadDemoLibrary(db: Database): Promise<void> {
  const folders = (await readdir(library)).filter((name) => !/^(brand|narrators)$/.test(name));
  const files = folders.map((slug) => readFile(join(library, slug, 'article.json'), 'utf8'));
  await saveArticles(
    db,
    (await Promise.all(files)).map((json) => JSON.parse(json)),
  );
}
