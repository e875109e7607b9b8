import { getDiscoverSection, getPlayButtons, getTitle } from '../../support/app/player.ts';
import { createUser, signIn } from '../../support/app/users.ts';
import { dragBefore } from '../../support/input/touch.ts';
import { expect, test } from '../../support/test.ts';

test('[CAT-08] [LIST-03] [LIST-06] a user likes, creates a playlist, reorders, removes a track', async ({
  page,
}) => {
  await signIn(page, await createUser(page.request));
  // Another section may list the same articles.
  const latest = getDiscoverSection(page, 'Latest articles');
  const cards = getPlayButtons(latest);
  const titles = [await getTitle(cards.nth(0)), await getTitle(cards.nth(1)), await getTitle(cards.nth(2))];
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
  // Read at once, since rows may be added or removed between two reads.
  const getOrder = () =>
    getPlayButtons(tracks).evaluateAll((buttons) =>
      buttons.map((button) =>
        button
          .getAttribute('aria-label')
          ?.replace(/^Play /, '')
          .replace(/, needs a subscription$/, ''),
      ),
    );
  await expect.poll(getOrder).toEqual([first, second, third]);

  const handle = tracks.getByRole('button', { name: new RegExp(`^Move ${first},`) });
  await handle.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(getOrder).toEqual([second, first, third]);
  await expect(handle).toBeFocused();

  const last = tracks.getByRole('button', { name: new RegExp(`^Move ${third},`) });
  await dragBefore(page, last, tracks.getByRole('listitem').first(), false);
  await expect.poll(getOrder).toEqual([third, second, first]);

  await tracks.getByRole('button', { name: `More for ${second}` }).click();
  await page.getByRole('menuitem', { name: 'Remove from this playlist' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(getOrder).toEqual([third, first]);
  await expect(tracks.getByRole('button', { name: 'Undo' })).toBeFocused();
  const restored = page.waitForResponse(
    (response) => response.ok() && (response.request().postData() ?? '').includes('articles.added'),
  );
  await page.keyboard.press('Enter');
  await expect.poll(getOrder).toEqual([third, second, first]);
  await expect(page.getByText('3 tracks')).toBeVisible();
  await restored;
  await page.reload();
  await expect.poll(getOrder).toEqual([third, second, first]);
});

test('[CAT-05] the library page ends below its content and statistics', async ({ page }) => {
  await page.route('**/api/listening/statistics*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), finished: 3 } });
  });
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, await createUser(page.request), '/library');
  await expect(page.getByText('stories finished')).toBeVisible();
  const getOverflow = () =>
    page.evaluate(() => {
      const end = document.querySelector('.shell')?.getBoundingClientRect().bottom ?? 0;
      return document.documentElement.scrollHeight - (end + scrollY);
    });
  await expect.poll(getOverflow).toBeLessThan(1);
});
