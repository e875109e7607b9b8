-- Since when a purchase is being paid, by our clock: asked for again, it is the same order.
alter table checkout add column ordered_at timestamptz;
