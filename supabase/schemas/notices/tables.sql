-- Notices: the events that a customer chose, the notifications that report them, and the mails to customers and
-- administrators that are due.
-- Uses: ground.
-- Promises: the rows about a person are deleted together with the person, and no mail repeats within the time of its
-- kind.

create table private.request_mails (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seed uuid not null default gen_random_uuid(),
  told_until timestamptz not null,
  stopped_until timestamptz,
  constraint request_mails_one_seed unique (seed)
);
comment on table private.request_mails is 'The last mail to each administrator about requests that wait for a decision.';
comment on column private.request_mails.seed is 'The server derives the token of the link that stops these mails from the seed and from a key outside the database.';
comment on column private.request_mails.told_until is 'The last mail reported requests that were made before this time.';
comment on column private.request_mails.stopped_until is 'End of the time for which the administrator stopped the mails; null if the administrator never stopped them.';
alter table private.request_mails enable row level security, force row level security;

-- Notifications: a customer chooses the events that the bank reports, and reads a list of what was reported
-- (docs/decisions/0069).

create table public.notification_preferences (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  amount numeric,
  primary key (user_id, kind),
  constraint notification_preferences_kind_known check (
    kind in ('deposit', 'correction', 'transfer', 'large_expense', 'category_limit', 'low_balance', 'statement')
  ),
  constraint notification_preferences_amount_is_money check (
    case when kind in ('large_expense', 'low_balance')
      then coalesce(amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2, false)
      else amount is null
    end
  )
);
comment on table public.notification_preferences is 'One row for each kind of event that a customer chose. Sign-ins from new devices have no row, because the bank always reports them.';
comment on column public.notification_preferences.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.notification_preferences.kind is '`deposit`: the bank recorded a deposit. `correction`: the bank corrected a transaction. `transfer`: a transfer was sent, received, declined or returned, failed or expired. `large_expense`: the bank recorded an expense above the amount. `category_limit`: the month''s expenses in a category reached the limit of the category. `low_balance`: the balance fell below the amount. `statement`: the statement of the last month is ready.';
comment on column public.notification_preferences.amount is 'Units of currency: the amount of a `large_expense` or `low_balance`; null for the other kinds.';
alter table public.notification_preferences enable row level security, force row level security;
revoke all on public.notification_preferences from anon, authenticated, service_role;
grant select on public.notification_preferences to authenticated;

create policy "customers read their own preferences" on public.notification_preferences
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own preferences" on public.notification_preferences is
  'Only public.set_notifications and the link in a mail change the rows. Administrators are also limited to their own rows.';
create index notification_preferences_for_statements on public.notification_preferences (user_id) where kind = 'statement';
comment on index public.notification_preferences_for_statements is 'Finds the customers who chose to be notified when a statement is ready.';

create table public.notifications (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  detail text,
  events integer not null,
  happened_at timestamptz not null,
  read_at timestamptz,
  primary key (user_id, id),
  constraint notifications_kind_known check (
    kind in (
      'deposit', 'correction', 'transfer', 'large_expense', 'category_limit', 'low_balance', 'statement', 'new_device', 'stopped'
    )
  ),
  constraint notifications_detail_is_short check (char_length(detail) <= 256)
);
create index notifications_newest_first on public.notifications (user_id, happened_at desc);
create index notifications_oldest_first on public.notifications (happened_at);
comment on table public.notifications is 'Events that the bank reported to a customer. Each customer has at most 100 rows, which are kept for 90 days. If a customer has too many rows, the newest rows about transfers and new devices are kept first.';
comment on column public.notifications.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.notifications.id is 'Unique for each customer.';
comment on column public.notifications.kind is 'One of the kinds of public.notification_preferences, `new_device`, which is a sign-in from a browser and network that the person had not used, or `stopped`, which says that the link in a mail stopped a kind of notice.';
comment on column public.notifications.detail is 'For a transfer, the detail is `sent`, `received`, `declined`, `returned`, `failed` or `expired`. For a category limit, the detail is the name of the category. For a statement, the detail is the month, such as 2026-11. For a new device, the detail is the User-Agent header. For a stopped notice, the detail is its kind. Null for the other kinds.';
comment on column public.notifications.events is 'Number of events of this kind and detail that were reported together.';
comment on column public.notifications.happened_at is 'Time of the last of these events.';
comment on column public.notifications.read_at is 'Time at which the customer read the list; null before that time.';
alter table public.notifications enable row level security, force row level security;
revoke all on public.notifications from anon, authenticated, service_role;
grant select on public.notifications to authenticated;

create policy "customers read their own notifications" on public.notifications
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own notifications" on public.notifications is 'Administrators are also limited to their own rows.';

alter publication supabase_realtime add table public.notifications;

create table private.notification_events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  detail text,
  events integer not null default 1,
  amount numeric,
  happened_at timestamptz not null default clock_timestamp()
);
create index notification_events_oldest_first on private.notification_events (happened_at);
create index notification_events_of_person on private.notification_events (user_id);
comment on index private.notification_events_of_person is 'Finds the rows that are deleted together with an account.';
comment on table private.notification_events is 'Events that private.tell_customers has not reported yet. Triggers only add rows, so that a posting never waits for a mail or for another customer.';
comment on column private.notification_events.kind is 'As in public.notifications.';
comment on column private.notification_events.detail is 'As in public.notifications.';
comment on column private.notification_events.events is 'Number of events that one SQL statement caused.';
comment on column private.notification_events.amount is 'Units of currency that an SQL statement added to the expenses of a category; null for the other kinds.';
comment on column private.notification_events.happened_at is 'When the statement ran.';
alter table private.notification_events enable row level security, force row level security;

create table private.notification_mails (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  seed uuid not null default gen_random_uuid(),
  waiting integer not null default 0,
  detail text,
  happened_at timestamptz not null,
  mailed_at timestamptz,
  primary key (user_id, kind),
  constraint notification_mails_one_seed unique (seed)
);
create index notification_mails_waiting on private.notification_mails (mailed_at) where waiting > 0;
comment on table private.notification_mails is 'The last mail of each kind to a customer, and the events since then. private.tell_customers says how often a mail is sent.';
comment on column private.notification_mails.kind is 'As in public.notifications.';
comment on column private.notification_mails.seed is 'Each mail contains a link that stops mails of its kind. The server derives the token of this link from the seed and from a key outside the database. If the customer selects the kind again, the row gets a new seed.';
comment on column private.notification_mails.waiting is 'Number of events that no mail has reported yet.';
comment on column private.notification_mails.detail is 'The detail of the last event, as in public.notifications; `sent` if one of the waiting events is a transfer that the customer sent.';
comment on column private.notification_mails.happened_at is 'Time of the last event.';
comment on column private.notification_mails.mailed_at is 'Time at which the last mail was enqueued; null before the first mail.';
alter table private.notification_mails enable row level security, force row level security;

create table private.statement_notices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  month date not null
);
comment on table private.statement_notices is 'The last month whose statement was reported to a customer. The row remains if the customer deselects this kind and later selects it again. Each month is therefore reported only once.';
comment on column private.statement_notices.month is 'First day of the month.';
alter table private.statement_notices enable row level security, force row level security;

create table private.known_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  device bytea not null,
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
create index known_devices_oldest_first on private.known_devices (last_seen_at);
comment on table private.known_devices is 'Devices from which a person signed in during the last 90 days, with at most 100 rows for each person. Sign-ins are recorded only if notifications are enabled. The newest device of each person is kept longer than 90 days.';
comment on column private.known_devices.device is 'SHA-256 of the browser and the network (private.device_of).';
comment on column private.known_devices.last_seen_at is 'Time of the last sign-in, accurate to the day.';
alter table private.known_devices enable row level security, force row level security;
