-- Sign-ups that belong to a browser, and encrypted mail.

alter table account add column sign_up_key_hash bytea;
comment on column account.sign_up_key_hash is
  'SHA-256 of the key of the browser that signed up. Only its confirmation keeps the password; null where it sent none.';

delete from outbox_mail;
alter table outbox_mail drop column subject, drop column body, drop column code;
alter table outbox_mail add column encrypted_content bytea not null, add column expires_at timestamptz not null;
create index outbox_mail_expires_at on outbox_mail (expires_at);
comment on column outbox_mail.encrypted_content is 'Subject, text and code, encrypted for the recipient.';
comment on column outbox_mail.expires_at is 'When the mail is deleted: its code is invalid from then on.';
