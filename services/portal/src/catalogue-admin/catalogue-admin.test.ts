import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import type { CatalogueAdmin } from '../content.ts';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';
import { writeLibrary, writePlaylists } from '../testing/library.ts';
import { write } from '../testing/recordings.ts';

const adminTest = await startCatalogueAdminTest();
const {
  db,
  call,
  articleId,
  playlistId,
  loadLibrary,
  tableChecksums,
  paths,
  root,
  warnings,
  administer,
  ana,
  ferry,
} = adminTest;
const sent = { params: { id: ferry } };

describe('[CAT-10] editing', () => {
  it('changes what users see and search for, and is kept by the next load', async () => {
    await administer((admin) =>
      admin.editArticle('night-ferry', { title: 'The dawn boat', level: 'C1', narrator: 'Zoë' }),
    );
    await db
      .updateTable('article')
      .set({ content_hash: '', source_stamp: '' })
      .where('id', '=', ferry)
      .execute();
    expect((await loadLibrary()).loaded).toEqual(['night-ferry']);
    const { title, level, narrator, summary } = await call(api.catalogue.findArticle, ana.token, sent);
    expect([title, level, narrator.name, summary]).toEqual([
      'The dawn boat',
      'C1',
      'Zoë',
      'All about the night-ferry.',
    ]);
    const { docs } = await call(api.catalogue.search, ana.token, { query: { q: 'dawn boat' } });
    expect(docs.map(({ track }) => track._id)).toEqual([ferry]);
  });

  it('composes accents, so that a narrator has one list', async () => {
    await administer((admin) => admin.editArticle('night-ferry', { narrator: 'Zoë'.normalize('NFD') }));
    const query = { narrator: 'Zoë'.normalize('NFC') };
    const { docs } = await call(api.catalogue.findArticles, ana.token, { query });
    expect(docs.map(({ _id }) => _id)).toEqual([ferry]);
  });

  it('accepts levels and topics in any case', async () => {
    await administer((admin) => admin.editArticle('night-ferry', { level: 'c2', topic: 'By Sea' }));
    const { level, topic } = await call(api.catalogue.findArticle, ana.token, sent);
    expect([level, topic]).toEqual(['C2', 'by sea']);
  });

  it.each([
    ['an unknown level', { level: 'Z9' }, /Not usable: level \(A1, A2/],
    ['a date that is none', { published: '2026-02-31' }, /Not usable: published \(YYYY/],
    ['several at once', { kind: 'x', topic: ' ' }, /Not usable: kind \(article or audiobook\), topic\./],
    ['an empty title', { title: '  ' }, /Not usable: title/],
    ['a title of two lines', { title: 'a\nb' }, /Not usable: title/],
    ['pages without pictures', { kind: 'visual-book' }, /Not usable: kind/],
    ['nothing', {}, /Change what/],
  ])('refuses %s, and changes nothing', async (_name, changes, reason) => {
    const before = await tableChecksums();
    await expect(administer((admin) => admin.editArticle('night-ferry', changes))).rejects.toThrow(reason);
    expect(await tableChecksums()).toEqual(before);
  });
});

describe('[CAT-10] system playlists', () => {
  const tracks = async (key: string) => {
    const { docs } = await call(api.playlists.findPlaylistContent, ana.token, {
      params: { id: playlistId(key) },
      query: {},
    });
    return docs.map(({ _id }) => _id);
  };

  it('accept articles at their start, which a load of the same file keeps', async () => {
    await administer((admin) => admin.prependToPlaylist('travel', ['el-gato', 'night-ferry']));
    const expected = ['el-gato', 'night-ferry', 'green-door'].map(articleId);
    expect(await tracks('travel')).toEqual(expected);
    await loadLibrary();
    expect(await tracks('travel')).toEqual(expected);
    const { totalTracks } = await call(api.playlists.findPlaylist, ana.token, {
      params: { id: playlistId('travel') },
    });
    expect(totalTracks).toBe(3);
  });

  it('keep placed articles when a member is unpublished or the file names others', async () => {
    await administer((admin) => admin.prependToPlaylist('travel', ['el-gato', 'night-ferry']));
    const expectTracks = async (slugs: string[]) => {
      await loadLibrary();
      expect(await tracks('travel')).toEqual(slugs.map(articleId));
    };
    await administer((admin) => admin.unpublish('green-door'));
    await expectTracks(['el-gato', 'night-ferry']);
    await administer((admin) => admin.publish('green-door'));
    await expectTracks(['el-gato', 'night-ferry', 'green-door']);
    const entry = { key: 'travel', name: 'Travel', titles: { en: 'Travel', es: 'Viajes' } };
    await writePlaylists(paths.content, [{ ...entry, articles: ['long-walk'] }]);
    await expectTracks(['el-gato', 'night-ferry', 'long-walk']);
    await writeLibrary(paths.content);
  });

  it('keep an article that was placed in an empty playlist', async () => {
    await administer((admin) => admin.prependToPlaylist('later', ['el-gato']));
    await db.updateTable('playlist').set({ content_hash: null }).execute();
    await loadLibrary();
    expect(await tracks('later')).toEqual([articleId('el-gato')]);
  });

  it('are found by key or name and add an article once', async () => {
    await administer((admin) => admin.prependToPlaylist('TRAVEL', ['el-gato', 'night-ferry', 'el-gato']));
    expect(await tracks('travel')).toEqual(['el-gato', 'night-ferry', 'green-door'].map(articleId));
  });

  it('can be hidden and shown', async () => {
    const names = async () =>
      (await call(api.catalogue.discover, ana.token, { query: {} })).rows.map(
        ({ playlist: { name } }) => name,
      );
    await administer((admin) => admin.setPlaylistActive('travel', false));
    expect(await names()).not.toContain('Travel');
    await administer((admin) => admin.setPlaylistActive('travel', true));
    expect(await names()).toContain('Travel');
  });

  it('are created once from a file; unknown articles are logged', async () => {
    const entry = {
      key: 'rainy-days',
      name: 'Rainy days',
      titles: { en: 'Rainy days', es: 'Días de lluvia' },
      articles: ['el-gato', 'nowhere'],
    };
    await write(root, 'lists.json', JSON.stringify([entry]));
    expect(await administer((admin) => admin.loadPlaylists(join(root, 'lists.json')))).toBe(1);
    expect(await administer((admin) => admin.loadPlaylists(join(root, 'lists.json')))).toBe(0);
    expect(await tracks('rainy-days')).toEqual([articleId('el-gato')]);
    expect(warnings.join()).toContain('nowhere');
    expect((await administer((admin) => admin.findPlaylists())).at(-1)?.name).toBe('Rainy days');
  });

  it.each([
    ['edit', (admin: CatalogueAdmin) => admin.editArticle('nowhere', { title: 'x' }), /no article nowhere/],
    ['unpublish', (admin: CatalogueAdmin) => admin.unpublish('nowhere'), /no article nowhere/],
    ['publish', (admin: CatalogueAdmin) => admin.publish('night-ferry'), /was not taken out/],
    ['remove', (admin: CatalogueAdmin) => admin.remove('nowhere'), /no article nowhere/],
    [
      'show',
      (admin: CatalogueAdmin) => admin.setPlaylistActive('nowhere', true),
      /no system playlist nowhere/,
    ],
    [
      'place in an unknown list',
      (admin: CatalogueAdmin) => admin.prependToPlaylist('nowhere', ['el-gato']),
      /no system playlist/,
    ],
    [
      'place an unknown article',
      (admin: CatalogueAdmin) => admin.prependToPlaylist('travel', ['nowhere']),
      /no article nowhere/,
    ],
  ])('unknown names are refused with a reason and change nothing: %s', async (_name, work, reason) => {
    const before = await tableChecksums();
    await expect(administer<unknown>(work)).rejects.toThrow(reason);
    expect(await tableChecksums()).toEqual(before);
  });
});
