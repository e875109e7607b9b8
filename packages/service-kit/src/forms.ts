import { AppError } from '@escucho/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** A form's texts by name: one as it is, several as a list. Throws `invalid_request` for a file, or what is no form. */
async function fieldsOf(body: Buffer, type: string): Promise<Record<string, string | string[]>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('invalid_request', { cause });
    });
  const fields = new Map<string, string[]>();
  for (const [sentName, value] of form) {
    // Some clients write a list's name with brackets.
    const name = sentName.replace(/\[\]$/, '');
    if (typeof value !== 'string') {
      const fault = { path: `body.${name}`, code: 'field_invalid', message: '' };
      throw new AppError('invalid_request', { fields: [fault] });
    }
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values.join() : values]),
  );
}

/** Lets an app read forms, by the platform's own parser, within its body limit. Call it before its routes. */
export function registerFormParser(app: FastifyInstance): void {
  app.addContentTypeParser(formTypes, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    fieldsOf(body, request.headers['content-type'] ?? ''),
  );
}

/** Holds a request that has a body to its endpoint's kind of it. Throws `unsupported_media_type`. */
export function assertContentType(request: FastifyRequest, isForm: boolean): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && formTypes.includes(type) !== isForm) throw new AppError('unsupported_media_type');
}
