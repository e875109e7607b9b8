import { type Conduct, idOf } from './account.ts';

export type Thing = Record<string, unknown> & { id: string };
interface Answer {
  status: number;
  body: object;
}

const missing = {
  error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' },
};

/** Payments that are made by themselves, for no invoice, and things that tests put there as they like. */
export function chargesByKey(conduct: Conduct) {
  const things = new Map<string, Thing>();
  const all = (object: string) => [...things.values()].filter((thing) => thing.object === object);
  const keep = <T extends Thing>(thing: T): T => {
    things.set(thing.id, thing);
    return thing;
  };

  function pay(fields: Record<string, unknown>): Answer {
    const { processing } = conduct;
    const decline = conduct.declines.get(String(fields.customer)) ?? conduct.decline;
    const status = decline ? 'requires_payment_method' : processing ? 'processing' : 'succeeded';
    const code = decline === 'authentication_required' ? decline : 'card_declined';
    const error = { type: 'card_error', code, decline_code: decline, message: 'Declined' };
    const intent = keep({
      ...{ id: idOf('pi'), object: 'payment_intent', metadata: {}, ...fields },
      ...{ amount: Number(fields.amount), status, client_secret: `${idOf('pi')}_secret` },
      last_payment_error: decline ? error : null,
    });
    return decline
      ? { status: 402, body: { error: { ...error, payment_intent: intent } } }
      : { status: 200, body: intent };
  }

  function stopped(intent: Thing): Answer {
    if (intent.status === 'succeeded') return { status: 400, body: missing };
    return { status: 200, body: keep({ ...intent, status: 'canceled' }) };
  }

  return {
    ...{ things, all, keep },

    /** In: the call, as its path and fields. Out: nothing where it is about something else. */
    answer(method: string, path: string, fields: Record<string, unknown>): Answer | undefined {
      const [, , kind, id = '', deed] = path.split('/');
      const thing = things.get(id);
      if (method === 'POST') {
        if (path === '/v1/payment_intents') return pay(fields);
        if (thing && deed === 'cancel') return stopped(thing);
        if (kind !== 'refunds' || !things.has(String(fields.payment_intent))) return undefined;
        const refund = { id: idOf('re'), object: 'refund', ...fields, status: 'succeeded' };
        return { status: 200, body: keep(refund) };
      }
      if (!id && (kind === 'payment_intents' || kind === 'prices')) {
        const data = all(kind.slice(0, -1)).filter(
          ({ customer }) => kind === 'prices' || customer === fields.customer,
        );
        return data.length > 0 ? { status: 200, body: { object: 'list', data, has_more: false } } : undefined;
      }
      if (!thing) return undefined;
      const about = things.get(String(thing.payment_intent));
      const isExpanded = about && fields.expand !== undefined;
      return { status: 200, body: isExpanded ? { ...thing, payment_intent: about } : thing };
    },
  };
}
