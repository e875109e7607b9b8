import { AppError, type FieldProblem, isMessageKey } from '@escucho/contracts';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** Converts a schema's issue to a field error. */
function toFieldProblem(location: string, issue: Issue): FieldProblem {
  const missing = issue.input === undefined;
  const code = missing ? 'field_required' : isMessageKey(issue.message) ? issue.message : 'field_invalid';
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return { path: [location, ...issue.path, ...unknown].map(String).join('.'), code };
}

/** Validates params, query or body by a contract's schema; fails with `invalid_request` and every field error. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodMiniType> = ({
  schema,
  httpPart: source = 'body',
}) => {
  const location = source === 'querystring' ? 'query' : source;
  return (data: unknown) => {
    const result = safeParse(schema, data, { reportInput: true });
    if (result.success) return { value: result.data };
    const fields = result.error.issues.map((issue) => toFieldProblem(location, issue));
    return { error: new AppError('invalid_request', { fields }) };
  };
};

const isChecked = process.env.NODE_ENV === 'test';

/** A response body that is JSON text already, because parts of it are cached as text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const serialize = (body: unknown): string => (body instanceof JsonText ? body.text : JSON.stringify(body));

/** Responses are typed, so production does not validate them; tests check every response against its contract. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodMiniType> = ({ schema, method, url }) => {
  if (!isChecked) return serialize;
  return (body) => {
    const result = safeParse(schema, body instanceof JsonText ? JSON.parse(body.text) : body);
    if (!result.success)
      throw new Error(`${method} ${url} responds with a body that its contract does not allow`, {
        cause: result.error,
      });
    return serialize(body);
  };
};
