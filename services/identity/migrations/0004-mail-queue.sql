-- Mail that is to be sent: put here with what made it, taken out once a mail server has it. What it says holds a code,
-- and is sealed.
create table queued_mail (
  id uuid primary key,
  recipient text not null,
  sealed bytea not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null
);
create index queued_mail_due on queued_mail (due_at);
create index queued_mail_recipient on queued_mail (recipient);
