import { fullPlayer, newest, playButtons, shelf } from '../support/player.ts';
import { signedIn } from '../support/readers.ts';
import { expectSounding, soundOf } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test.use({ storageState: signedIn.free });

interface Row {
  playlist: { _id: string; name: string };
  tracks: { _id: string; url: string | null; title: string }[];
}

test('[PLAY-04] without a subscription only the newest article plays; others open the modal', async ({
  page,
}) => {
  await page.goto('/discover');
  await newest(page).click();
  await expectSounding(page);
  const { source } = await soundOf(page);

  const modal = page.getByRole('dialog', { name: 'Listen to everything' });
  const second = playButtons(shelf(page, 'Latest articles')).nth(1);
  await expect(second).toHaveAccessibleName(/needs a subscription$/);
  await second.click();
  await expect(modal).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  await expect(second).toBeFocused();
  expect((await soundOf(page)).source).toBe(source);

  const elsewhere = page
    .getByRole('region')
    .filter({ has: page.getByRole('button', { name: /needs a subscription$/ }) });
  await playButtons(elsewhere.last()).last().click();
  await expect(modal).toBeVisible();
  await modal.getByRole('button', { name: 'Close' }).click();
  await expect(modal).toBeHidden();
  await expect(fullPlayer(page)).toBeHidden();
});

test('[PLAY-04] [CAT-01] the server returns the audio URL of the newest article only', async ({ page }) => {
  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/') && 'authorization' in request.headers(),
  );
  await page.goto('/discover');
  const { authorization } = (await asked).headers();
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

  const ask = async (track?: string, playlist?: string) => {
    const params = playlist === undefined ? {} : { playlist };
    const answer = await page.request.get(`/api/listening/audio/${track}`, { headers, params });
    const { error } = await answer.json();
    return [answer.status(), error?.code];
  };
  expect(await ask(first?._id, latest?.playlist._id)).toEqual([200, undefined]);
  expect(await ask(rest[0]?._id, latest?.playlist._id)).toEqual([403, 'subscription_required']);
  expect(await ask(rest[0]?._id)).toEqual([403, 'subscription_required']);
  const [elsewhere] = others;
  expect(
    await ask(elsewhere?.tracks.find(({ _id }) => _id !== first?._id)?._id, elsewhere?.playlist._id),
  ).toEqual([403, 'subscription_required']);

  const stripped = new URL(first?.url ?? '', page.url());
  stripped.searchParams.delete('signature');
  expect((await page.request.get(stripped.href)).status()).toBe(403);
});
