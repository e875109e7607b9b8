// Namespaces, as in api.ts.
export * as oauth from './endpoints/oauth.ts';
export * as sessions from './endpoints/sessions.ts';
