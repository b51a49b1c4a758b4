-- Triggers on the tables of ground.

-- Triggers of private.settings, in the order in which they fire:
--   After each row: reserve_brand.

create trigger reserve_brand after update of value on private.settings
  for each row when (new.name = 'brand_name' and new.value is distinct from old.value)
  execute function private.reserve_brand();
comment on trigger reserve_brand on private.settings is 'Keeps customers from having the name of the bank.';
