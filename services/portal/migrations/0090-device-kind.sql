-- What kind of device wrote the place; null where it did not say.
alter table listening_place add column device_kind text check (device_kind in ('phone', 'tablet', 'computer'));
