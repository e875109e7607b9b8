-- What readers choose; null where they chose nothing yet.
alter table users
  add column language text check (language in ('en', 'es')),
  add column theme text check (theme in ('dark', 'light')),
  add column level text check (level in ('A1', 'A2', 'B1', 'B2', 'C1', 'C2')),
  add column learning_language text check (learning_language in ('en', 'es')),
  -- Names that were set here are not the identity provider's to change.
  add column has_own_names boolean not null default false;
