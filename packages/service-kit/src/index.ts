export { createApp } from './app.ts';
export { type Encoding, negotiateEncoding, registerCompression } from './compression.ts';
export { getBearerToken, isEqualInConstantTime } from './credentials.ts';
export { sendError, toAppError, toErrorBody, toRoutingError } from './errors.ts';
export { getCookieLanguage, type Language, negotiateLanguage } from './language.ts';
export { endLog, loggerOptions, standardOutputLog } from './logging.ts';
export {
  createSmtpTransport,
  type MailTransport,
  PermanentMailError,
  type SmtpOptions,
} from './mail-transport.ts';
export { canReadMetrics, registerMetrics } from './metrics.ts';
export { pageHeaders, renderPage, sendPage } from './page.ts';
export {
  createRateLimiter,
  MAX_CLOCK_SKEW_MS,
  RateLimitError,
  type RateLimiter,
} from './rate-limits/limiter.ts';
export { getNetwork, registerRateLimits, sendRetryHeaders } from './rate-limits/routes.ts';
export { createRouter, registerOpenApi } from './router.ts';
export { JsonText, registerFormParser, registerTextParser } from './validation.ts';
