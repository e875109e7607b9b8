import { AppError } from '@escucho/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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
