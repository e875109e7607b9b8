import { beforeEach, describe, expect, it } from 'vitest';
import { startFeedTest } from '../testing/feed-server.ts';
import { createFeed } from '../testing/recordings.ts';

const { db, responses, toUrl, resetServer, importFeed } = await startFeedTest();

beforeEach(resetServer);

describe('[CAT-10] a document type in a feed', () => {
  const audio = () => toUrl('/one.mp3');

  it('is text where an episode quotes one', async () => {
    const description = '<!doctype html><p>Two &lt;!DOCTYPE&gt; and <b>one</b> <!ENTITY>.</p>';
    responses.set('/feed', createFeed([{ title: 'A quotation', description, audio: audio() }]));
    expect(await importFeed()).toMatchObject({ added: [{ title: 'A quotation' }], failed: [] });
    const imported = db.selectFrom('article').select('summary').where('source', 'is not', null);
    expect(await imported.execute()).toEqual([{ summary: 'Two <!DOCTYPE> and one .' }]);
  });

  it.each([
    ['behind a quotation', '<![CDATA[<!DOCTYPE html>]]>', ''],
    ['in a comment', '<!--', '-->'],
    ['between comments that begin and end a quotation', '<!-- <![CDATA[ -->', '<!-- ]]> -->'],
    ['between instructions that begin and end a quotation', '<?x <![CDATA[ ?>', '<?x ]]> ?>'],
    ['between attributes that begin and end a quotation', '<x a="<![CDATA["/>', '<x a="]]>"/>'],
  ])('is refused %s', async (_name, before, after) => {
    const type = `${before}<!DOCTYPE x [<!ENTITY a "A tone">]>${after}`;
    responses.set('/feed', createFeed([{ title: '&a;', audio: audio() }]).replace('<item>', `${type}<item>`));
    await expect(importFeed()).rejects.toThrow(/document type|is not XML/);
  });
});
