import * as z from 'zod/mini';
import type { Account, Kind, Kinds } from '../account.ts';
import { checked } from '../forms.ts';

/** One call of Stripe's API. In: its fields as they came, without `expand`; the id in its path. Out: a thing, or a page of them. */
export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  answer: (fields: unknown, id: string) => object;
}

/** A call that takes what its shape says and nothing else. */
export function on<Shape extends z.core.$ZodShape>(
  method: Call['method'],
  path: string,
  shape: Shape,
  answer: (fields: z.output<z.ZodMiniObject<Shape>>, id: string) => object,
): Call {
  const schema = z.strictObject(shape);
  return { method, path, answer: (fields, id) => answer(checked(schema, fields), id) };
}

/** The call for one thing by its id. */
export const retrieve = (account: Account, path: string, kind: Kind): Call =>
  on('GET', `${path}/:id`, {}, (_, id) => account.get(kind, id));

/** A page of things, newest first, as Stripe cuts it: ten unless said. */
export function pageOf<K extends Kind>(
  account: Account,
  kind: K,
  matches: (thing: Kinds[K]) => boolean,
  { limit = 10, starting_after: after, ending_before: before }: Partial<Record<string, string | number>>,
) {
  const found = account.list(kind).filter(matches).reverse();
  const at = (id: string | number | undefined) => found.findIndex((each) => each.id === id);
  const from = after === undefined ? 0 : at(after) + 1;
  const to = before === undefined ? found.length : at(before);
  const data = found.slice(from, to).slice(0, Number(limit));
  return { object: 'list', data, has_more: from + data.length < to, url: `/v1/${kind.replace('.', '/')}s` };
}

/** Whether a thing is what was asked for; everything is where nothing was. */
export const is = (wanted: string | boolean | null | undefined, value: unknown) =>
  wanted === undefined || wanted === value;
