import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeCatalogue } from '../catalogue-loader/repository.ts';
import { importContent } from '../import/service.ts';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';
import { missingFfmpeg, testMetadata } from '../testing/imports.ts';
import { copyRecording } from '../testing/recordings.ts';

const { db, connection, store, root, administer, waitForBlockedTransactions } =
  await startCatalogueAdminTest();

/** Unpublishes an article, and changes it once unpublishing waits for the catalogue's lock. */
async function changeWhileUnpublishing(slug: string, change: () => Promise<unknown>): Promise<void> {
  const changes = await changeCatalogue(db, async () => {
    const unpublishing = administer((admin) => admin.unpublish(slug));
    await waitForBlockedTransactions(1);
    const changing = change();
    await waitForBlockedTransactions(2);
    return [unpublishing, changing];
  });
  await Promise.all(changes);
  await administer((admin) => admin.publish(slug));
}

it('[CAT-10] editing an article while it is unpublished is refused, and no deadlock', async () => {
  await changeWhileUnpublishing('night-ferry', () =>
    expect(
      administer((admin) => admin.editArticle('night-ferry', { narrator: 'Somebody new' })),
    ).rejects.toThrow('There is no article night-ferry'),
  );
});

it('[CAT-10] an article that is announced while it is unpublished is no deadlock', async () => {
  await copyRecording('constant.mp3', join(root, 'recordings/tones.mp3'));
  let finish = () => {};
  const announced = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let importing: Promise<unknown> = Promise.resolve();
  const slug = await new Promise<string>((resolve) => {
    importing = importContent({
      connection,
      mediaStore: store,
      source: join(root, 'recordings'),
      metadata: testMetadata,
      scratchFolder: join(root, 'scratch'),
      ffmpeg: missingFfmpeg,
      async announce([article]) {
        resolve(article?.slug ?? '');
        await announced;
      },
    });
  });
  await changeWhileUnpublishing(slug, () => {
    finish();
    return importing;
  });
  expect(await importing).toMatchObject({ added: [{ slug }] });
});
