import type { Account } from './account.ts';
import { listOf } from './account.ts';
import type { Invoices } from './invoices.ts';
import { impossible } from './refusal.ts';

type Served = Record<string, unknown>;
const isServed = (value: unknown): value is Served => typeof value === 'object' && value !== null;
const DEEPEST = 4;

/** Puts what is referred to in place of its id, and adds what is only there when asked for. */
export function expander(account: Account, invoices: Invoices) {
  const served = (thing: object): Served => JSON.parse(JSON.stringify(thing));

  function look(id: string): object | undefined {
    for (const things of Object.values(account.kept)) {
      const thing = things.get(id);
      if (thing) return thing;
    }
    return undefined;
  }

  /** What an invoice has beyond what is always served. */
  function more(thing: Served, name: string): unknown {
    const invoice = account.find('invoice', String(thing.id));
    if (!invoice) return undefined;
    if (name === 'payments') {
      const payments = account.list('invoice_payment').filter((each) => each.invoice === invoice.id);
      return listOf(payments.map(served), `/v1/invoice_payments?invoice=${invoice.id}`);
    }
    const intent = invoices.intentOf(invoice);
    if (name !== 'confirmation_secret') return undefined;
    return intent ? { type: 'payment_intent', client_secret: intent.client_secret } : null;
  }

  function along(thing: Served, [name = '', ...rest]: string[]): Served {
    if (name === 'data' && Array.isArray(thing.data)) {
      return { ...thing, data: thing.data.map((each) => (rest.length > 0 ? along(each, rest) : each)) };
    }
    let value = name in thing ? thing[name] : more(thing, name);
    if (value === null) return { ...thing, [name]: value };
    if (typeof value === 'string') value = look(value) && served(look(value) ?? {});
    if (!isServed(value)) throw impossible(`This property cannot be expanded (${name}).`);
    return { ...thing, [name]: rest.length > 0 ? along(value, rest) : value };
  }

  /** A thing as it is served. In: paths like `latest_invoice.payments`. Throws where a path cannot be followed. */
  return (thing: object, paths: readonly string[]): Served =>
    paths.reduce((so, path) => {
      const names = path.split('.');
      if (names.length > DEEPEST) throw impossible('You cannot expand more than 4 levels of a property.');
      return along(so, names);
    }, served(thing));
}
