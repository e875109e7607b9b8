import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

const isChecked = process.env.NODE_ENV === 'test';

/** Responses are typed, so production does not validate them; tests check every response against its contract. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodMiniType> = ({ schema, method, url }) => {
  if (!isChecked) return JSON.stringify;
  return (body) => {
    const result = safeParse(schema, body);
    if (!result.success)
      throw new Error(`${method} ${url} responds with a body that its contract does not allow`, {
        cause: result.error,
      });
    return JSON.stringify(body);
  };
};
