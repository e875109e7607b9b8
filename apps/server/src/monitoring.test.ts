import { readFileSync } from 'node:fs';
import { toDatabaseUrl } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { prepareProduct } from './testing/product.ts';

const readText = (name: string) =>
  readFileSync(new URL(`../../../deploy/monitoring/${name}`, import.meta.url), 'utf8');

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.object({ summary: z.string() }),
});
const { groups } = z
  .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
  .parse(parse(readText('alerts.yaml')));
const rules = groups.flatMap((group) => group.rules);

const panel = z.object({
  id: z.number(),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(z.object({ expr: z.string(), refId: z.string() })),
});
const { panels } = z.object({ panels: z.array(panel) }).parse(JSON.parse(readText('dashboard.json')));

const { connection, createApp } = await prepareProduct();
const DATABASE_URL = toDatabaseUrl(connection);
const app = await createApp({ DATABASE_URL, DATABASE_READ_URL: DATABASE_URL });
await app.inject('/health');
const { body } = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });

/** The labels of the exported series by name. Prometheus adds `up`, and to each series `job` and `instance`. */
const exported = new Map<string, Set<string>>([['up', new Set(['job', 'instance'])]]);
for (const [, name = '', type] of body.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
  for (const series of type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name])
    exported.set(series, new Set(['job', 'instance']));
}
for (const [, name = '', labels = ''] of body.matchAll(/^(\w+)\{(.*)\} /gm))
  for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exported.get(name)?.add(label);
// A counter has labels only once it has counted.
for (const [prefix, labels] of [
  ['catalogue_reads_total', ['outcome']],
  ['job_duration_seconds_bucket', ['service', 'job', 'le']],
] as const)
  for (const label of labels) exported.get(prefix)?.add(label);

/** Returns the metrics and labels of an expression of Prometheus that are not exported. */
function findUnknown(expression: string): string[] {
  const unknown: string[] = [];
  const withoutStrings = expression.replace(/"[^"]*"/g, '""');
  const grouped = [...withoutStrings.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const metrics = [
    ...withoutStrings
      .replace(/\b(?:by|without)\s*\([^)]*\)/g, '')
      .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
      .matchAll(/(?<![\w.])[a-z_]\w*(?!\w|\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless', 'offset'].includes(name));
  if (metrics.length === 0) unknown.push('no metric');
  for (const name of metrics) if (!exported.has(name)) unknown.push(name);
  for (const [, name = '', matchers = ''] of expression.matchAll(/([a-z_]\w*)\{([^}]*)\}/g))
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (!exported.get(name)?.has(label)) unknown.push(`${name}{${label}}`);
  const labels = new Set(metrics.flatMap((name) => [...(exported.get(name) ?? [])]));
  return [...unknown, ...grouped.filter((label) => !labels.has(label))];
}

it('an unknown metric or label is found', () => {
  expect(findUnknown('sum by (x) (rate(nothing{y="1"}[5m]))')).toEqual(['nothing', 'nothing{y}', 'x']);
  expect(findUnknown('sum by (status) (rate(http_request_duration_seconds_count{state="1"}[5m]))')).toEqual([
    'http_request_duration_seconds_count{state}',
  ]);
});

describe('alert rules', () => {
  it.each(rules.map((each) => [each.alert, each.expr]))('%s names exported metrics', (_name, expression) => {
    expect(findUnknown(expression)).toEqual([]);
  });

  it('have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

describe('dashboard', () => {
  const targets = panels.flatMap(({ title, targets: queries }) => queries.map(({ expr }) => [title, expr]));
  it.each(targets)('%s names exported metrics: %s', (_title, expression = '') => {
    expect(findUnknown(expression)).toEqual([]);
  });

  it('has panels with ids of their own that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
