import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { settings, settingsChange } from '../entities/settings.ts';
import { user } from '../entities/user.ts';

const response = z.object({ user, settings });

export const findSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: 'The user’s profile and settings',
  access: 'user',
  rateLimit: 'read',
  response,
  errors: [],
});

/** Names set here take precedence over those of the identity provider at later sign-ins (SUB-07). */
export const changeSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary: 'Changes the given members; displayName follows from the names',
  access: 'user',
  rateLimit: 'write',
  body: settingsChange,
  response,
  errors: [],
});
