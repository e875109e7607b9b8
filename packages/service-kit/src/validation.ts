import { AppError, type FieldError, isMessageKey } from '@escucho/contracts';
import type { FastifySchemaCompiler } from 'fastify';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

type Issue = z.core.$ZodIssue;

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    data,
  );
}

/** A schema's issue as a field at fault. In: the part of the request (`body`), the data, the issue. Out: path, code; words are added with the answer. */
function faultOf(part: string, data: unknown, issue: Issue): FieldError {
  const missing = valueAt(data, issue.path) === undefined;
  const code = missing ? 'field_required' : isMessageKey(issue.message) ? issue.message : 'field_invalid';
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return { path: [part, ...issue.path, ...unknown].map(String).join('.'), code, message: '' };
}

const partNames: Record<string, string> = {
  querystring: 'query',
  params: 'params',
  body: 'body',
  headers: 'headers',
};

/** Checks a part of the request against a contract's schema: the parsed data, or `invalid_request` with every field at fault. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodMiniType> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? ''] ?? 'body';
  return (data: unknown) => {
    const result = safeParse(schema, data);
    if (result.success) return { value: result.data };
    const fields = result.error.issues.map((issue) => faultOf(part, data, issue));
    return { error: new AppError('invalid_request', { fields }) };
  };
};
