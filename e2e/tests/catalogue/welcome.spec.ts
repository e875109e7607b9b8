import { expectPlaying } from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test('a visitor without an account plays a sample, whose sentences are highlighted in turn', async ({
  page,
}) => {
  await page.goto('/auth/sign-in');
  await page.getByRole('link', { name: 'What is Escucho?' }).click();
  await expect(page).toHaveURL('/welcome');
  await page.getByRole('button', { name: /^Play / }).click();
  await expectPlaying(page);
  const text = page.getByRole('region', { name: /^Text of / });
  const current = text.locator('[aria-current=true]');
  const [first, second] = [text.getByRole('button').first(), text.getByRole('button').nth(1)];
  await expect(first).toHaveAttribute('aria-current', 'true');
  await expect(second).toHaveAttribute('aria-current', 'true', { timeout: 15_000 });
  await expect(current).toHaveCount(1);

  await page.getByRole('link', { name: 'Create an account' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: /account/i })).toBeVisible();
});
