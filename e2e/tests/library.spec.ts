import { playButtons, shelf, titleOf } from '../support/player.ts';
import { newReader, signIn } from '../support/readers.ts';
import { expect, test } from '../support/story.ts';
import { dragBefore } from '../support/touch.ts';

test('[CAT-08] [LIST-03] [LIST-06] a user likes, creates a playlist, reorders, removes a track', async ({
  page,
}) => {
  await signIn(page, await newReader(page.request));
  // Another shelf may have the same pieces, and may have drawn its buttons sooner.
  const latest = shelf(page, 'Latest articles');
  const cards = playButtons(latest);
  const titles = [await titleOf(cards.nth(0)), await titleOf(cards.nth(1)), await titleOf(cards.nth(2))];
  const [first = '', second = '', third = ''] = titles;

  await latest.getByRole('button', { name: `Add ${first} to your favorites` }).click();
  await expect(page.getByText('Added to your favorites')).toBeVisible();

  for (const title of titles) {
    const menu = latest.getByRole('button', { name: `More for ${title}` });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Add to playlist' }).click();
    const dialog = page.getByRole('dialog');
    if (title === first) {
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog.getByRole('textbox')).toBeFocused();
      await page.keyboard.type('Morning walk');
      await page.keyboard.press('Enter');
    } else {
      await dialog.getByRole('button', { name: 'Add to Morning walk' }).click();
      await expect(dialog.getByText('Added to Morning walk')).toBeVisible();
      await page.keyboard.press('Escape');
    }
    await expect(dialog).toBeHidden();
    await expect(menu, 'the focus goes back to where it was').toBeFocused();
  }

  await page.getByRole('link', { name: 'Library' }).click();
  await expect(page.getByRole('link', { name: /^Favorites/ })).toContainText('1 track');
  await page.getByRole('link', { name: /^Morning walk/ }).click();
  const tracks = page.getByRole('region', { name: 'Tracks of Morning walk' });
  // In one look: rows come and go meanwhile.
  const order = () =>
    playButtons(tracks).evaluateAll((buttons) =>
      buttons.map((button) =>
        button
          .getAttribute('aria-label')
          ?.replace(/^Play /, '')
          .replace(/, needs a subscription$/, ''),
      ),
    );
  await expect.poll(order).toEqual([first, second, third]);

  const handle = tracks.getByRole('button', { name: new RegExp(`^Move ${first},`) });
  await handle.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(order).toEqual([second, first, third]);
  await expect(handle).toBeFocused();

  const last = tracks.getByRole('button', { name: new RegExp(`^Move ${third},`) });
  await dragBefore(page, last, tracks.getByRole('listitem').first(), false);
  await expect.poll(order).toEqual([third, second, first]);

  await tracks.getByRole('button', { name: `More for ${second}` }).click();
  await page.getByRole('menuitem', { name: 'Remove from this playlist' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(order).toEqual([third, first]);
  await expect(tracks.getByRole('button', { name: 'Undo' })).toBeFocused();
  const kept = page.waitForResponse(
    (answer) => answer.ok() && (answer.request().postData() ?? '').includes('articles.added'),
  );
  await page.keyboard.press('Enter');
  await expect.poll(order).toEqual([third, second, first]);
  await expect(page.getByText('3 tracks')).toBeVisible();
  await kept;
  await page.reload();
  await expect.poll(order).toEqual([third, second, first]);
});

test('[CAT-05] the library page ends below its content and statistics', async ({ page }) => {
  await page.route('**/api/listening/statistics*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), finished: 3 } });
  });
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, await newReader(page.request));
  await page.goto('/library');
  await expect(page.getByText('pieces finished')).toBeVisible();
  const beyond = () =>
    page.evaluate(() => {
      const end = document.querySelector('.shell')?.getBoundingClientRect().bottom ?? 0;
      return document.documentElement.scrollHeight - (end + scrollY);
    });
  await expect.poll(beyond).toBeLessThan(1);
});
