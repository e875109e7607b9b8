import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Page, test as setup } from '@playwright/test';
import { demoUser, freeUser, signIn, storageStates } from './app/users.ts';

/** Saves the session without the cached Discover page, so that tests start with a first visit. */
async function saveStorageState(page: Page, path: string): Promise<void> {
  const { cookies, origins } = await page.context().storageState();
  for (const origin of origins)
    origin.localStorage = origin.localStorage.filter(({ name }) => name !== 'discover-storage');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ cookies, origins }));
}

setup('the subscriber signs in', async ({ page }) => {
  await signIn(page, demoUser);
  await saveStorageState(page, storageStates.demo);
});

setup('the user without a subscription signs in', async ({ page }) => {
  await signIn(page, freeUser);
  await saveStorageState(page, storageStates.free);
});
