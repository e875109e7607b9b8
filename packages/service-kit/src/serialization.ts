import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

const checked = process.env.NODE_ENV === 'test';

/** Answers are typed, so production writes them as they are; tests hold every answer against its contract. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodMiniType> = ({ schema, method, url }) => {
  if (!checked) return JSON.stringify;
  return (answer) => {
    const result = safeParse(schema, answer);
    if (!result.success)
      throw new Error(`${method} ${url} answers what its contract does not promise`, { cause: result.error });
    return JSON.stringify(answer);
  };
};
