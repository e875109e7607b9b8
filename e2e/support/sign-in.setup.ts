import { test as setup } from '@playwright/test';
import { demo, free, signedIn, signIn } from './readers.ts';

setup('the subscriber signs in for the stories that begin inside', async ({ page }) => {
  await signIn(page, demo);
  await page.context().storageState({ path: signedIn.demo });
});

setup('the reader without a subscription signs in', async ({ page }) => {
  await signIn(page, free);
  await page.context().storageState({ path: signedIn.free });
});
