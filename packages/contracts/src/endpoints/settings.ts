import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { settings, settingsChange } from '../entities/settings.ts';
import { user } from '../entities/user.ts';

const response = z.object({ user, settings });

export const findSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: 'The reader and what the reader chose',
  access: 'user',
  rateLimit: 'read',
  response,
  errors: [],
});

/** Names set here take precedence over those of the identity provider at later sign-ins (SUB-07). */
export const changeSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary: 'Changes what is named; displayName follows',
  access: 'user',
  rateLimit: 'write',
  body: settingsChange,
  response,
  errors: [],
});
