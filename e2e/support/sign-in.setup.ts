import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Page, test as setup } from '@playwright/test';
import { demo, free, signedIn, signIn } from './readers.ts';

/** Keeps who is signed in, but not what Discover showed them: the stories begin as first visits. */
async function keep(page: Page, path: string): Promise<void> {
  const { cookies, origins } = await page.context().storageState();
  for (const origin of origins)
    origin.localStorage = origin.localStorage.filter(({ name }) => name !== 'discover-storage');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ cookies, origins }));
}

setup('the subscriber signs in for the stories that begin inside', async ({ page }) => {
  await signIn(page, demo);
  await keep(page, signedIn.demo);
});

setup('the reader without a subscription signs in', async ({ page }) => {
  await signIn(page, free);
  await keep(page, signedIn.free);
});
