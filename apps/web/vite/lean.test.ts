import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutSummaries } from './lean.ts';

const endpoints = join(import.meta.dirname, '../../../packages/contracts/src/endpoints');

it.each(readdirSync(endpoints))('%s loses its summaries and nothing else', (name) => {
  const before = readFileSync(join(endpoints, name), 'utf8');
  const after = withoutSummaries(before);
  expect(after).not.toContain('summary:');
  for (const word of ['path:', 'response', 'access:', 'errors:'])
    expect(after.split(word).length).toBe(before.split(word).length);
});
