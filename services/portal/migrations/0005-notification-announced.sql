-- Every process that has readers listening hears of a new notification, whoever wrote it.
create function announce_notification() returns trigger language plpgsql as $$
begin
  perform pg_notify('portal_notification', new.id::text);
  return null;
end $$;
create trigger notification_announced after insert on notification
  for each row execute function announce_notification();
