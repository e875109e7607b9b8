import type { Page } from '@playwright/test';
import { mockLongCatalogue, mockLongHistory, mockLongPlaylist } from '../../support/app/long-lists.ts';
import { storageStates } from '../../support/app/users.ts';
import { networkError, statusError } from '../../support/console-errors.ts';
import { createTouch, getCenter } from '../../support/input/touch.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

test('[LIST-06] [CAT-09] a list of 520 tracks is virtual and loads while scrolled', async ({ page }) => {
  const { path } = await mockLongPlaylist(page, 520);
  await page.goto(path);
  const tracks = page.getByRole('region', { name: 'Tracks of Long walk' });
  await expect(tracks.getByRole('button', { name: 'Play Track 1', exact: true })).toBeVisible();
  expect(await tracks.getByRole('listitem').count()).toBeLessThan(60);
  await expect(tracks.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '520');
  const last = tracks.getByRole('button', { name: 'Play Track 520', exact: true });
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await tracks.getByRole('listitem').count()).toBeLessThan(60);
  await expect(last.locator('xpath=ancestor::li')).toHaveAttribute('aria-posinset', '520');
});

test('[LIST-06] a track moved far by keys keeps the focus in view', async ({ page }) => {
  const { path, getOrder } = await mockLongPlaylist(page, 520);
  await page.goto(path);
  const handle = page.getByRole('button', { name: /^Move Track 1,/ });
  const row = page.getByRole('listitem').filter({ has: handle });
  await handle.focus();
  await page.keyboard.press('End');
  // The row at the new place is another element; until it is rendered, the one at the old place has the focus.
  await expect(row).toHaveAttribute('aria-posinset', '100');
  await expect(handle).toBeFocused();
  await expect(handle).toBeInViewport();
  await expect(page.getByText('Track 1 is now 100 of 520')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(handle).toHaveAccessibleName(/now 99 of 520/);
  await expect(handle).toBeFocused();
  await page.keyboard.press('Home');
  await expect(row).toHaveAttribute('aria-posinset', '1');
  await expect(handle).toHaveAccessibleName(/now 1 of 520/);
  await expect(handle).toBeFocused();
  await expect(handle).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => getOrder().slice(0, 3)).toEqual(['Track 2', 'Track 1', 'Track 3']);
  expect(getOrder()).toHaveLength(520);
});

/** Returns the rows from the thirtieth on. The page scrolls during the drag, so a single row would soon be out of view. */
const getFarRows = (page: Page) => page.getByRole('button', { name: /^Play Track ([3-9]\d|\d{3})$/ });

test('[LIST-06] a track is dragged by mouse beyond the window’s edge', { tag: '@desktop-only' }, async ({
  page,
}) => {
  const { path, getOrder } = await mockLongPlaylist(page, 520);
  await page.goto(path);
  const handle = page.getByRole('button', { name: /^Move Track 2,/ });
  const { x, y } = await getCenter(handle);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const bottom = (page.viewportSize()?.height ?? 0) - 110;
  await page.mouse.move(x, bottom, { steps: 8 });
  await expect(getFarRows(page).first()).toBeVisible();
  await page.mouse.move(x, bottom - 150, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => getOrder().indexOf('Track 2')).toBeGreaterThan(20);
  await expect(handle).toBeFocused();
});

test('[LIST-06] a track is dragged by touch while the page does not scroll', { tag: '@phone-only' }, async ({
  page,
}) => {
  const { path, getOrder } = await mockLongPlaylist(page, 520);
  await page.goto(path);
  const touch = await createTouch(page);
  const handle = page.getByRole('button', { name: /^Move Track 1,/ });
  const from = await getCenter(handle);
  const to = await getCenter(page.getByRole('button', { name: /^Move Track 3,/ }));
  await touch.down(from);
  for (let step = 1; step <= 6; step += 1)
    await touch.move({ x: from.x, y: from.y + ((to.y + 12 - from.y) * step) / 6 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await touch.up();
  await expect.poll(() => getOrder().slice(0, 3)).toEqual(['Track 2', 'Track 3', 'Track 1']);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  await expect(handle).toHaveAccessibleName(/now 3 of 520/);
  const start = await getCenter(handle);
  await touch.down(start);
  const bottom = { x: start.x, y: (page.viewportSize()?.height ?? 0) - 120 };
  await touch.move(bottom);
  await expect(getFarRows(page).first()).toBeVisible();
  await touch.move({ ...bottom, y: bottom.y - 140 });
  await touch.up();
  await expect.poll(() => getOrder().indexOf('Track 1')).toBeGreaterThan(20);
});

test('[CAT-05] [CAT-09] a history of 500 renders only the rows near the viewport', async ({ page }) => {
  await mockLongHistory(page, 500);
  await page.goto('/library');
  const history = page.getByRole('region', { name: 'History' });
  const rows = history.getByRole('listitem');
  await history.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
  await expect(rows.first()).toHaveAttribute('aria-setsize', '500');
  for (let shown = 20; shown < 200; shown += 20) {
    await history.getByRole('button', { name: 'Show more' }).click();
    await expect(
      history.getByRole('button', { name: `Play Entry ${shown + 1}`, exact: true }),
    ).toBeAttached();
  }
  expect(await rows.count()).toBeLessThan(60);
  await history.getByRole('button', { name: 'Play Entry 182', exact: true }).scrollIntoViewIfNeeded();
  await history.getByRole('button', { name: 'Remove Entry 182 from your history' }).click();
  await history.getByRole('button', { name: 'Undo' }).click();
  await expect(history.getByRole('button', { name: 'Play Entry 182', exact: true })).toBeVisible();
});

test('[CAT-09] a row of a long list is pressed while the page still scrolls', async ({ page }) => {
  await mockLongHistory(page, 500);
  await page.goto('/library');
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
  await expect(history.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '500');
  await page.evaluate(async () => {
    let distance = 1;
    setInterval(() => {
      distance = -distance;
      scrollBy(0, distance);
    }, 30);
    for (let event = 0; event < 5; event += 1)
      await new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
  });
  // Playwright would wait until the button does not move.
  await history.getByRole('button', { name: 'Remove Entry 14 from your history' }).click({ force: true });
  await expect(history.getByRole('button', { name: 'Undo' })).toBeFocused();
});

const getLinkName = (number: number) => ({ name: `Article ${number}`, exact: true });

test('[CAT-09] a list of 100,000 can be jumped through, and back restores the spot', async ({
  page,
  consoleErrors,
}) => {
  // The server does not know the mocked article that is opened.
  consoleErrors.allow(statusError(404));
  const { skips } = await mockLongCatalogue(page, 100_000);
  await page.goto('/articles/latest');
  const list = page.getByRole('region', { name: 'Latest articles' });
  await expect(list.getByRole('link', getLinkName(1))).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  const visible = list.getByRole('link', { name: /^Article (49|50)\d{3}$/ });
  await expect(visible.first()).toBeVisible();
  expect(Math.max(...skips), 'one page was asked for, and none of those between').toBeGreaterThan(40_000);
  expect(skips.length).toBeLessThan(8);
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);

  // A link in the middle of the page, so that a click does not scroll.
  const readName = () =>
    page.evaluate(
      () =>
        document
          .elementFromPoint(innerWidth / 2, innerHeight / 2)
          ?.closest('li')
          ?.querySelector('a')?.textContent ?? '',
    );
  await expect.poll(readName).toMatch(/^Article (49|50)\d{3}$/);
  const opened = list.getByRole('link', { name: await readName(), exact: true });
  const top = (await opened.boundingBox())?.y;
  await opened.click();
  await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
  await page.goBack();
  await expect(opened).toBeInViewport();
  await expect.poll(async () => (await opened.boundingBox())?.y).toBeCloseTo(top ?? Number.NaN, 0);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(list.getByRole('link', getLinkName(100_000))).toBeVisible();
});

test('[CAT-09] a missing page of a long list shows an error in place and can be retried', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError);
  const { setFailing } = await mockLongCatalogue(page, 640);
  await page.goto('/articles/latest');
  const list = page.getByRole('region', { name: 'Latest articles' });
  await expect(list.getByRole('link', getLinkName(1))).toBeVisible();
  setFailing(true);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(list.getByText('The rest did not load.').first()).toBeVisible();
  setFailing(false);
  await list.getByRole('button', { name: 'Try again' }).last().click();
  await expect(list.getByRole('link', getLinkName(640))).toBeVisible();
});
