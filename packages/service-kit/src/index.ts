export { type AppOptions, createApp } from './app.ts';
export { EnvError, readEnv } from './env.ts';
export { bodyOf, toAppError } from './errors.ts';
export { acceptForms } from './forms.ts';
export { type Language, languageOf, wordsFor } from './language.ts';
export { loggerOptions } from './logging.ts';
export { registerMetrics } from './metrics.ts';
export { registerOpenApi } from './openapi.ts';
export { type Asked, router } from './route.ts';
