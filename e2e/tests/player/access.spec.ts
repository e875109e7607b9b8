import {
  getDiscoverSection,
  getFullPlayer,
  getNewest,
  getPlayButtons,
  getTitle,
} from '../../support/app/player.ts';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying, getAudioState } from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.free });

interface Row {
  playlist: { _id: string; name: string };
  tracks: { _id: string; url: string | null; title: string }[];
}

test('[PLAY-04] without a subscription only the newest article plays; others open the modal', async ({
  page,
}) => {
  await page.goto('/discover');
  const latest = getDiscoverSection(page, 'Latest articles');
  // Before the first plays, whose button is not named Play then.
  const title = await getTitle(getPlayButtons(latest).nth(1));
  await getNewest(page).click();
  await expectPlaying(page);
  const { source } = await getAudioState(page);

  const modal = page.getByRole('dialog', { name: 'Listen to everything' });
  const second = latest.getByRole('button', { name: `Play ${title}` });
  await expect(second).toHaveAccessibleName(/needs a subscription$/);
  await second.click();
  await expect(modal).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  await expect(second).toBeFocused();
  expect((await getAudioState(page)).source).toBe(source);

  const other = page
    .getByRole('region')
    .filter({ has: page.getByRole('button', { name: /needs a subscription$/ }) });
  await getPlayButtons(other.last()).last().click();
  await expect(modal).toBeVisible();
  await modal.getByRole('button', { name: 'Close' }).click();
  await expect(modal).toBeHidden();
  await expect(getFullPlayer(page)).toBeHidden();
});

test('[PLAY-04] [CAT-01] the server returns the audio URL of the newest article only', async ({ page }) => {
  const apiRequest = page.waitForRequest(
    (request) => request.url().includes('/api/') && 'authorization' in request.headers(),
  );
  await page.goto('/discover');
  const { authorization } = (await apiRequest).headers();
  const headers = { authorization: authorization ?? '' };
  const { rows }: { rows: Row[] } = await (
    await page.request.get('/api/catalogue/discover', { headers })
  ).json();
  const [latest, ...others] = rows;
  const [first, ...rest] = latest?.tracks ?? [];
  expect(latest?.playlist.name).toBe('Latest articles');
  expect(first?.url).toContain('/media/');

  const locked = [...rest, ...others.flatMap(({ tracks }) => tracks).filter(({ _id }) => _id !== first?._id)];
  expect(locked.length).toBeGreaterThan(3);
  expect(locked.filter(({ url }) => url !== null)).toEqual([]);

  const requestAudio = async (track?: string, playlist?: string) => {
    const params = playlist === undefined ? {} : { playlist };
    const response = await page.request.get(`/api/listening/audio/${track}`, { headers, params });
    const { error } = await response.json();
    return [response.status(), error?.code];
  };
  expect(await requestAudio(first?._id, latest?.playlist._id)).toEqual([200, undefined]);
  expect(await requestAudio(rest[0]?._id, latest?.playlist._id)).toEqual([403, 'subscription_required']);
  expect(await requestAudio(rest[0]?._id)).toEqual([403, 'subscription_required']);
  const [other] = others;
  expect(
    await requestAudio(other?.tracks.find(({ _id }) => _id !== first?._id)?._id, other?.playlist._id),
  ).toEqual([403, 'subscription_required']);

  const stripped = new URL(first?.url ?? '', page.url());
  stripped.searchParams.delete('signature');
  expect((await page.request.get(stripped.href)).status()).toBe(403);
});
