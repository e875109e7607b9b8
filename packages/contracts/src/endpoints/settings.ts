import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { contentLanguage, level } from '../entities/catalogue.ts';
import { user } from '../entities/user.ts';
import { messageKey } from '../fields.ts';
import { profileForm } from '../forms.ts';

/** A user's settings; null where nothing was chosen. `language` of the interface, `learningLanguage` of the content. */
const settings = z.object({
  firstName: z.string(),
  lastName: z.string(),
  language: z.nullable(z.enum(['en', 'es'])),
  theme: z.nullable(z.enum(['dark', 'light'])),
  level: z.nullable(level),
  learningLanguage: z.nullable(contentLanguage),
});
export type Settings = z.infer<typeof settings>;

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.optional(z.nullable(z.enum(values, messageKey('field_invalid'))));

/** A partial change of settings; null resets one. `isOnboarded`: the questions after sign-up were answered or skipped. */
const settingsChange = z.object({
  firstName: z.optional(profileForm.shape.firstName),
  lastName: z.optional(profileForm.shape.lastName),
  language: oneOf(['en', 'es']),
  theme: oneOf(['dark', 'light']),
  level: oneOf(level.options),
  learningLanguage: oneOf(contentLanguage.options),
  isOnboarded: z.optional(z.literal(true, messageKey('field_invalid'))),
});
export type SettingsChange = z.infer<typeof settingsChange>;

const response = z.object({ user, settings });

export const findSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: 'The user’s profile and settings',
  response,
});

/** Names set here take precedence over those of the identity provider at later sign-ins (SUB-07). */
export const changeSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary: 'Changes the given members; displayName follows from the names',
  body: settingsChange,
  response,
});
