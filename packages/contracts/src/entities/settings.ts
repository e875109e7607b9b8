import * as z from 'zod/mini';
import { messageKey } from '../fields.ts';
import { profileForm } from '../forms.ts';
import { contentLanguage, level } from './track.ts';

/** A user's settings; null where nothing was chosen. `language` of the interface, `learningLanguage` of the content. */
export const settings = z.object({
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
export const settingsChange = z.object({
  firstName: z.optional(profileForm.shape.firstName),
  lastName: z.optional(profileForm.shape.lastName),
  language: oneOf(['en', 'es']),
  theme: oneOf(['dark', 'light']),
  level: oneOf(level.options),
  learningLanguage: oneOf(contentLanguage.options),
  isOnboarded: z.optional(z.literal(true, messageKey('field_invalid'))),
});
export type SettingsChange = z.infer<typeof settingsChange>;
