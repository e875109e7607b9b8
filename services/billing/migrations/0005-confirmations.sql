-- Cards whose bank wants their owner to confirm a charge, and charges that wait for that.
alter table sandbox_card drop constraint sandbox_card_outcome_check,
  add check (outcome in ('succeeded', 'failed', 'authentication_required'));
alter table sandbox_charge drop constraint sandbox_charge_outcome_check,
  add check (outcome in ('succeeded', 'failed', 'authentication_required'));
-- Whose card is set up.
alter table sandbox_setup add column customer text;
-- Why a renewal was in vain is part of where a subscription stands.
update subscription s set state = s.state || jsonb_build_object('unpaidReason', (
  select l.data ->> 'reason' from ledger l
  where l.subscription_id = s.id and l.kind = 'unpaid' order by l.number desc limit 1
)) where s.state ->> 'billingIssueAt' is not null;
