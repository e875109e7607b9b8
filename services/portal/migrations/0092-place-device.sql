-- Which device wrote the place; null where that is not known.
alter table listening_place add column device_id uuid;
