import { getFooter, getFullPlayer, getNewest, getTitle, openFullPlayer } from '../../support/app/player.ts';
import { createUser, signIn } from '../../support/app/users.ts';
import { expectPlaying, expectPositionPast } from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('[CAT-03] [PLAY-08] a learner on a phone searches, reads along and takes notes', {
  tag: '@phone-only',
}, async ({ page }) => {
  await signIn(page, await createUser(page.request));
  const mainPages = page.getByRole('navigation', { name: 'Main pages' });
  const title = await getTitle(getNewest(page));

  await test.step('searches for an article and opens it', async () => {
    await mainPages.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill(title);
    const results = page.getByRole('group', { name: 'Results' });
    // Not by role: what is outside a menu is hidden from assistive technology.
    const more = results.getByLabel(`More for ${title}`, { exact: true });
    await more.click();
    await expect(page.getByRole('menuitem', { name: 'Share' })).toBeVisible();
    await expect(more).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await results.getByRole('link', { name: title }).click();
    await expect(page.getByRole('region', { name: `Text of ${title}` })).toBeVisible();
  });

  await test.step('plays it from Discover and reads along with the translation', async () => {
    await mainPages.getByRole('link', { name: 'Discover' }).click();
    const articleLoaded = page.waitForResponse(/\/api\/catalogue\/articles\//);
    await getNewest(page).click();
    await expectPlaying(page);
    await openFullPlayer(page);
    const player = getFullPlayer(page);
    await player.getByRole('button', { name: /^Text of/ }).click();
    const { sentences }: { sentences: { translation: string | null }[] } = await (await articleLoaded).json();
    await expect(page.locator('[data-sentence][aria-current=true]')).toBeInViewport();
    const tools = page.getByRole('group', { name: 'Reading along' });
    await tools.getByRole('button', { name: 'Translation', exact: true }).click();
    await expect(player.getByText(sentences[0]?.translation ?? '', { exact: true })).toBeVisible();
  });

  await test.step('marks a place with a note', async () => {
    await expectPositionPast(page, 3);
    await getFullPlayer(page).getByRole('button', { name: 'Chapters and bookmarks' }).click();
    const drawer = page.getByRole('dialog', { name: 'Chapters and bookmarks' });
    await drawer.getByRole('button', { name: 'Bookmark this place' }).click();
    await drawer.getByRole('textbox', { name: 'Note' }).fill('a word to learn');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer.getByText('a word to learn')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(getFullPlayer(page)).toBeHidden();
  });

  await test.step('finds the note in the library and plays from there', async () => {
    await mainPages.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('link', { name: 'Bookmarks and notes' }).click();
    await page.getByRole('searchbox', { name: 'Search notes and titles' }).fill('learn');
    await expect(page.getByText('a word to learn')).toBeVisible();
    await page.getByRole('button', { name: new RegExp(`^Play ${title} from 0:`) }).click();
    await expectPlaying(page);
    await expect(getFooter(page)).toContainText(title);
  });
});
