import { type Language, negotiateLanguage, pageHeaders } from '@escucho/service-kit';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { answerAddress, PageFault, RedirectFault } from '../oauth/faults.ts';
import { type AuthorizationRequest, many, parameter } from '../oauth/policy.ts';
import { faultPage } from './page.ts';
import type { Word } from './words.ts';

/** A form's field as sent, or an empty text. */
export function typed(body: unknown, name: string): string {
  const value = parameter(body, name);
  return value === undefined || value === many ? '' : value;
}

/** Where the forms of a page may lead: here, and, by a redirect, to the app's target. */
export function formTargets({ redirectUri }: AuthorizationRequest): string[] {
  const { origin, protocol } = new URL(redirectUri);
  return ["'self'", origin === 'null' ? protocol : origin];
}

/** The language of a page: the one the app asked for, else the browser's. */
export function languageFor(request: FastifyRequest, lang: string | undefined): Language {
  return lang === 'en' || lang === 'es' ? lang : negotiateLanguage(request.headers['accept-language']);
}

/** Answers a page. In: its HTML, and where its forms may lead. */
export function sendPage(reply: FastifyReply, html: string, formAction?: readonly string[]): FastifyReply {
  return reply.headers(pageHeaders(formAction)).type('text/html; charset=utf-8').send(html);
}

/** Sends the browser on; after a form by 303, so that it does not post again. */
export function go(request: FastifyRequest, reply: FastifyReply, address: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(address, request.method === 'GET' ? 302 : 303);
}

/** Answers a refusal: the app is told by a redirect, or, where it is not known whom to tell, the reader on a page. */
export function answerFault(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof RedirectFault) {
    const answer = { error: error.error, error_description: error.message };
    return go(request, reply, answerAddress(error.to, answer));
  }
  const lang = parameter(request.query, 'lang');
  const language = languageFor(request, lang === many ? undefined : lang);
  const show = (status: number, flaw: Word) => sendPage(reply.status(status), faultPage(language, flaw));
  if (error instanceof PageFault) return show(400, error.flaw);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return show(status, 'unreadable');
  request.log.error({ err: error }, 'hosted page failed');
  return show(500, 'failed');
}
