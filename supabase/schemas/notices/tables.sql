-- Notices: everything that the bank tells people by itself: one list of topics, the notices that wait, and the times of
-- the mails. A customer chooses some of the topics, and reads a list of what was reported (docs/decisions/0098).
-- Uses: ground.
-- Promises: the rows about a person are deleted together with the person, no mail repeats within the pace of its topic,
-- and a notice never makes a posting or a sign-in fail.

create table private.topics (
  name text primary key,
  pace interval,
  is_listed boolean not null default false,
  is_chosen boolean not null default false,
  place smallint not null default 1,
  shows_detail boolean not null default false
);
comment on table private.topics is 'The topics about which the bank tells people. server/mail/topics.ts has the text of each topic.';
comment on column private.topics.name is 'Name of the topic. A topic that tells every administrator about an act begins with `staff_`. Only private.judge_limits reads the notices of the topic `spending`. private.tell_alarms mails the topic `alarm` to the operator, who has an address but no account.';
comment on column private.topics.pace is 'A person gets at most one mail about the topic in this time; null if each notice is mailed at once. Later notices of a listed topic are counted in the next mail. Later notices of another topic are dropped.';
comment on column private.topics.is_listed is 'Whether the notices are listed in public.notifications. The setting `notificaciones` applies only to these topics.';
comment on column private.topics.is_chosen is 'Whether only customers who chose the topic get its notices (public.notification_preferences).';
comment on column private.topics.place is '0: a thief may have caused the event. These mails are sent first, and a full list keeps these rows longest. 2: many people get the notice at once, and their mails are sent last. 1: all other topics.';
comment on column private.topics.shows_detail is 'Whether the mail contains the detail. The name of a category can reveal more than a mail needs.';

insert into private.topics (name, pace, is_listed, is_chosen, place, shows_detail) values
  ('deposit', interval '1 hour', true, true, 1, false),
  ('correction', interval '1 hour', true, true, 1, false),
  ('transfer', interval '5 minutes', true, true, 0, true),
  ('large_expense', interval '1 hour', true, true, 1, false),
  ('category_limit', interval '1 hour', true, true, 1, false),
  ('low_balance', interval '1 hour', true, true, 1, false),
  ('statement', interval '1 hour', true, true, 2, true),
  ('new_device', interval '5 minutes', true, false, 0, true),
  ('stopped', null, true, false, 1, true);
insert into private.topics (name, pace) values
  ('request', interval '1 hour'),
  ('alarm', null), ('spending', null), ('many_sessions', null), ('transfer_waits', null),
  ('ban_user', null), ('unban_user', null), ('revoke_sessions', null), ('reset_factor', null),
  ('cancel_email_change', null), ('change_role', null), ('correct_holder', null), ('delete_user', null),
  ('staff_change_role', null), ('staff_create_user', null), ('staff_delete_user', null), ('staff_ban_user', null),
  ('staff_register_transaction', null), ('staff_correct_transaction', null), ('staff_register_batch', null),
  ('staff_reverse_batch', null);

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
grant select on public.notifications to authenticated;

create policy "customers read their own notifications" on public.notifications
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own notifications" on public.notifications is 'Administrators are also limited to their own rows.';

alter publication supabase_realtime add table public.notifications;

create table private.notices (
  recipient uuid not null references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  topic text not null,
  facts jsonb not null default '{}',
  events integer not null default 1,
  happened_at timestamptz not null default clock_timestamp(),
  dedupe text,
  listed_at timestamptz,
  mailed_at timestamptz,
  primary key (recipient, id)
);
create index notices_to_list on private.notices (happened_at) where listed_at is null;
create index notices_to_mail on private.notices (recipient, topic) where listed_at is not null and mailed_at is null;
create index notices_oldest_first on private.notices (happened_at);
create unique index notices_once on private.notices (recipient, topic, dedupe) where dedupe is not null;
comment on table private.notices is 'The notices that wait. A posting only adds a row, so that it never waits for a mail or for another customer. private.list_notices adds the rows to public.notifications, and private.mail_notices mails and deletes them. Topics that are mailed at once have no rows.';
comment on column private.notices.recipient is 'The person. The row is deleted together with the account.';
comment on column private.notices.topic is 'A name from private.topics.';
comment on column private.notices.facts is '`detail`: as in public.notifications. `amount`: in the topic `spending`, the units of currency that an SQL statement added to the expenses of the category `detail`.';
comment on column private.notices.events is 'Number of events that one SQL statement caused.';
comment on column private.notices.happened_at is 'When the statement ran.';
comment on column private.notices.dedupe is 'A person gets one notice of a topic for each value, for example for each month of a statement. The row then remains for 31 days. Null if the notice can repeat.';
comment on column private.notices.listed_at is 'Time at which the notice was listed; null before.';
comment on column private.notices.mailed_at is 'Time at which the mail was enqueued, or at which the bank knew that the person does not want it; null before.';
comment on index private.notices_to_list is 'Finds the oldest notices that are not listed yet.';
comment on index private.notices_to_mail is 'Finds the notices that wait for a mail.';
comment on index private.notices_oldest_first is 'Finds the notices that are too old for a mail.';

create table private.notice_marks (
  recipient uuid not null references auth.users (id) on delete cascade,
  topic text not null,
  seed uuid not null default gen_random_uuid(),
  mailed_at timestamptz not null,
  stopped_until timestamptz,
  primary key (recipient, topic),
  constraint notice_marks_one_seed unique (seed)
);
comment on table private.notice_marks is 'The last mail about each topic that has a pace.';
comment on column private.notice_marks.topic is 'A name from private.topics.';
comment on column private.notice_marks.seed is 'Each mail contains a link that stops mails about its topic. The server derives the token of this link from the seed and from a key outside the database. If the customer chooses the topic again, the row gets a new seed.';
comment on column private.notice_marks.mailed_at is 'Time of the last mail. The last mail about requests reported the requests that were made before this time.';
comment on column private.notice_marks.stopped_until is 'End of the time for which an administrator stopped the mails about requests; null if the administrator never stopped them.';

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
