import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { faults } from '../faults.ts';
import { readBody } from './validation.ts';

/** An operation: body in, body out; refusals are thrown as faults. */
export type Operation = (body: unknown, caller: Caller) => Promise<object>;

type Handler<Input> = (input: Input, caller: Caller) => Promise<object>;

/** An operation for whoever holds an access token. */
export function operation<Input>(schema: z.ZodMiniType<Input>, handle: Handler<Input>): Operation {
  return async (body, caller) => handle(readBody(schema, body), caller);
}

/** An operation for the one client of the pool. */
export function clientOperation<Input extends { ClientId: string }>(
  clientId: string,
  schema: z.ZodMiniType<Input>,
  handle: Handler<Input>,
): Operation {
  return operation(schema, async (input, caller) => {
    if (input.ClientId !== clientId) throw faults.clientUnknown(input.ClientId);
    return handle(input, caller);
  });
}
