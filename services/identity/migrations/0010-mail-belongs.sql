-- Whose mail it is, so that it goes when they go. No reference: mail is written for addresses that change.
alter table mail add column account_id uuid, alter column code drop not null;
alter table queued_mail add column account_id uuid;
update mail set account_id = account.id
  from account where account.provider is null and account.email = mail.recipient;
update queued_mail set account_id = account.id
  from account where account.provider is null and account.email = queued_mail.recipient;
create index mail_account on mail (account_id);
create index queued_mail_account on queued_mail (account_id);
