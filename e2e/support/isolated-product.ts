import { type IsolatedProduct, PRODUCT_FIXTURE_TIMEOUT_MS, withProduct } from './product.ts';
import { test as base } from './test.ts';

/** Playwright's `test` with a product of the test's own, at which its pages are opened. */
export const test = base.extend<{ product: IsolatedProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    ({}, use) => withProduct(use),
    { timeout: PRODUCT_FIXTURE_TIMEOUT_MS },
  ],
  // So that the page is closed before the product is stopped, which responds to its requests with 503.
  baseURL: ({ product }, use) => use(product.origin),
});
