import type { Selectable } from 'kysely';
import type { Tables } from '../database.ts';
import type { Person } from './subject.ts';

/** The columns a person is made of. */
export const columns = [
  'id',
  'email',
  'email_verified',
  'given_name',
  'family_name',
  'phone_number',
  'status',
  'enabled',
  'credential',
  'provider',
  'provider_subject',
  'created_at',
] as const;

/** A row of them. */
export type Row = Pick<Selectable<Tables['account']>, (typeof columns)[number]>;

/** Somebody as their row has them. */
export function personOf(row: Row): Person {
  const { provider, provider_subject: subject } = row;
  const door = provider && subject ? { provider, subject, since: row.created_at } : undefined;
  return {
    id: row.id,
    username: door ? `${door.provider}_${door.subject}` : row.id,
    email: row.email,
    emailVerified: row.email_verified,
    givenName: row.given_name,
    familyName: row.family_name,
    phoneNumber: row.phone_number,
    status: row.status,
    enabled: row.enabled,
    door,
  };
}
