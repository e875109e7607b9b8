import { AppError, type FieldProblem, isMessageKey } from '@escucho/contracts';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
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

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The largest form changes a playlist: three lists of up to `limits.playlists.tracksAtOnce` fields, and a few others. */
const MAX_FIELDS = 2000;

/**
 * Returns the text fields of a form by name; a repeated name becomes a list.
 *
 * @throws AppError `invalid_request` for files, `payload_too_large` for more than `MAX_FIELDS` fields
 */
async function parseForm(body: Buffer, type: string): Promise<Record<string, string | string[]>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('invalid_request', { cause });
    });
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [sentName, value] of form) {
    // Some clients append brackets to the name of a list.
    const name = sentName.replace(/\[\]$/, '');
    if (typeof value !== 'string') {
      throw new AppError('invalid_request', { fields: [{ path: `body.${name}`, code: 'field_invalid' }] });
    }
    if (++count > MAX_FIELDS) throw new AppError('payload_too_large');
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values.join() : values]),
  );
}

/** Registers a parser for urlencoded and multipart forms, within the body limit. Call it before registering routes. */
export function registerFormParser(app: FastifyInstance): void {
  app.addContentTypeParser(formTypes, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseForm(body, request.headers['content-type'] ?? ''),
  );
}

/** Has JSON bodies arrive as text: the signature of a webhook covers each character. */
export function registerTextParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  );
}

/** Throws `unsupported_media_type` if the body is a form where JSON is expected, or the reverse. */
export function assertContentType(request: FastifyRequest, isForm: boolean): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && formTypes.includes(type) !== isForm) throw new AppError('unsupported_media_type');
}
