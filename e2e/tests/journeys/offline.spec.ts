import { signInAndCache, test } from '../../support/app/installed-app.ts';
import {
  getDiscoverSection,
  getFooter,
  getFullPlayer,
  getNewest,
  getTitle,
  openFullPlayer,
} from '../../support/app/player.ts';
import { expectPlaying, expectPositionPast, getAudioState } from '../../support/audio/audio.ts';
import { networkError } from '../../support/console-errors.ts';
import { expect } from '../../support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.use({ serviceWorkers: 'allow' });
// The service worker starts caching some time after the page was opened.
test.describe.configure({ timeout: 240_000 });

test('[CAT-09] [PLAY-05] listens on offline, opens the app there, and loses nothing', async ({
  page,
  context,
  testProxy,
  consoleErrors,
}) => {
  consoleErrors.allow(networkError, /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)|FetchEvent/);
  const notice = page.getByText('You are offline. What you have open keeps working.');
  await signInAndCache(page, testProxy);
  const title = await getTitle(getNewest(page));

  const offlinePosition =
    await test.step('the audio plays on, and a place is marked with a note', async () => {
      await getNewest(page).click();
      await expectPositionPast(page, 2);
      await openFullPlayer(page);
      await getFullPlayer(page).getByRole('button', { name: 'Chapters and bookmarks' }).click();
      const drawer = page.getByRole('dialog', { name: 'Chapters and bookmarks' });
      await expect(drawer.getByText(/^Mark a place/)).toBeVisible();
      await testProxy.close();
      await context.setOffline(true);
      await expectPlaying(page);
      await drawer.getByRole('button', { name: 'Bookmark this place' }).click();
      await drawer.getByRole('textbox', { name: 'Note' }).fill('heard on the train');
      await drawer.getByRole('button', { name: 'Save' }).click();
      await expect(drawer.getByText('heard on the train')).toBeVisible();
      return (await getAudioState(page)).position;
    });

  await test.step('the app opens offline with cached content and a notice', async () => {
    await page.goto(`${testProxy.origin}/discover`);
    await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
    // Chromium's emulation may end with a navigation that a service worker answers: navigator.onLine is true again.
    await context.setOffline(false);
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    // A page that was never opened is cached as well, and shows what it could not load.
    await page.goto(`${testProxy.origin}/library`);
    await expect(page.getByRole('heading', { level: 1, name: 'Your library' })).toBeVisible();
  });

  await test.step('online again, the library has the note, and play goes on from the place', async () => {
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('/api/bookmarks') && response.request().method() === 'PUT' && response.ok(),
    );
    await testProxy.reopen();
    await context.setOffline(false);
    await expect(notice).toBeHidden();
    await saved;
    await page.getByRole('link', { name: 'Bookmarks and notes' }).click();
    await expect(page.getByText('heard on the train')).toBeVisible();
    const footer = getFooter(page);
    await expect(footer).toContainText(title);
    await footer.getByRole('button', { name: 'Play', exact: true }).click();
    await expectPlaying(page);
    expect((await getAudioState(page)).position).toBeGreaterThan(offlinePosition - 2);
  });
});
