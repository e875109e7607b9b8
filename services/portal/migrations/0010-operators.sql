-- Operators' readers: when the operator was last asked about them, and since when it says that they have ended.
alter table users
  add column operator_asked_at timestamptz,
  add column operator_ended_at timestamptz;

-- Links that have let somebody in, kept while they could do so again.
create table operator_link (
  platform text not null check (platform in ('bitel', 'entel', 'cnt', 'antel')),
  -- SHA-256 of what makes the link one of a kind.
  fingerprint text not null,
  ends_at timestamptz not null,
  primary key (platform, fingerprint)
);
create index operator_link_end on operator_link (ends_at);
