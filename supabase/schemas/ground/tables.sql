-- Ground: the features and rules of the bank, the limiter, the words that constraints need, and the checks of a
-- caller. Every subject needs them.
-- Uses: nothing.
-- Promises: each setting of the bank is a row whose bounds the database checks, and no use of a limit is counted
-- twice.

create schema private;
comment on schema private is 'Functions for policies and triggers. The table API does not expose this schema.';
grant usage on schema private to authenticated, service_role, supabase_auth_admin;

create function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return exists (
    select
    from auth.users u
    join auth.sessions s on s.user_id = u.id
    where u.id = (select auth.uid())
      and s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and u.raw_app_meta_data ->> 'role' = 'admin'
      -- A hosted project also serves sessions that have not passed their second factor, so this condition excludes
      -- these sessions. Our own server refuses these sessions before they reach the database.
      and (
        s.aal = 'aal2'
        or not exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
      )
  );
end
$$;
comment on function private.is_admin() is
  'Returns true if auth.users marks the caller as an administrator and the caller''s session is alive. If the caller has a second factor, the session must have passed this factor. Ignores the role in the token.';
grant execute on function private.is_admin() to authenticated, service_role;

create function private.require_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Solo un administrador puede hacer esto.' using errcode = '42501';
  end if;
  return true;
end
$$;
comment on function private.require_admin() is
  'Returns true for an administrator and raises 42501 for every other caller. Policies use this function where private.is_admin would only hide the rows.';
grant execute on function private.require_admin() to authenticated, service_role;

create function private.has_rows_left() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.consume('rows written', auth.uid()::text, only_checks => true);
  return true;
end
$$;
comment on function private.has_rows_left() is
  'Returns true, or refuses (PT429) a caller who has used up the limit "rows written". Asked before a statement writes, because the rows of a refused write stay in the database files until the next vacuum.';
grant execute on function private.has_rows_left() to authenticated;

create table private.lookalikes (
  letter text primary key,
  characters text not null
);
comment on table private.lookalikes is 'The characters that look like a letter from a to z or a digit. Derived by tools/lookalikes.ts from the confusables of Unicode Technical Standard 39, version 10.0 (Unicode License v3).';
comment on column private.lookalikes.letter is 'A letter from a to z or a digit.';
comment on column private.lookalikes.characters is 'The other characters that look like it. Characters that compatibility normalization or the removal of accents turns into the letter are left out.';
insert into private.lookalikes (letter, characters) values
  ('2', 'ƧƻϨᒿꙄꝚ'),
  ('3', 'ƷȜЗҘӠⳌꝪꞫ𝈆'),
  ('4', 'Ꮞ'),
  ('5', 'Ƽ'),
  ('6', 'бᏮⳒ'),
  ('7', '𝈒'),
  ('8', 'Ȣȣ'),
  ('9', 'ⳊꝮ'),
  ('a', 'ɑΑαАаᎪᗅᴀ⍶⍺ꓮ🅐🅰🇦'),
  ('b', 'ƀƂƃƄɓʙΒБВЬѢѣҌҍᏏᏴᖯᗷꓐꞴ🅑🅱🇧'),
  ('c', '¢ȼСсҪҫᏟᴄ₡Ⲥⲥꓚꮯ🅒🅲🇨🝌'),
  ('d', 'ÐĐđƉƌɖɗԁᎠᏧᑯᗞᗪᴅ₫ꓒꓓ🅓🅳🇩'),
  ('e', 'ɆɇΕЕеҽҿᎬᴇ℮⋿ꓰꬲ🅔🅴🇪'),
  ('f', 'ƑƒϜքᖴᵮẝꓝꜰꞘꞙꬵ𝈓🅕🅵🇫'),
  ('g', 'ƍǤǥɠɡɢԌցᏀᏳᶃꓖ🅖🅶🇬'),
  ('h', 'ĦħɦʜΗНћҢһӇӉհᎻᏂᏲᕼⱧⲎꓧꚕ🅗🅷🇭'),
  ('i', 'ıɨɩɪιіӏᎥᵻᵼ⍳⍸ꙇꭵ🅘🅸🇮'),
  ('j', 'ɈɉͿϳЈјᎫᒍᴊꓙꞲ🅙🅹🇯'),
  ('k', 'ƙΚКҚҞᏦᴋ₭ⱩⲔꓗꝀ🅚🅺🇰'),
  ('l', 'ŁłƖƗƚǀɫɭʟΙІӀᏞᒪ∣⏽ⲒⳐꓡꓲ𝈪🅛🅻🇱'),
  ('m', 'ɱΜϺМӍᎷᗰᴍᵯ₥Ⲙꓟ🅜🅼🇲'),
  ('n', 'ƝƞɳɴΝηոռᵰⲚꓠ𐆎🅝🅽🇳'),
  ('o', 'ØøƟɵΘΟθοσϴОоѲѳӨөՕօჿᎾᏫᴏᴑ⊖⊝⍬ⲞⲟꓳꝊꝋꬽꬾꭴꮎꮻ𝈚🅞🅾🇴🜔'),
  ('p', 'ƥΡρРрᏢᑭᴘᵽ⍴Ⲣⲣꓑ🅟🅿🇵'),
  ('q', 'ʠԛգզ🅠🆀🇶'),
  ('r', 'ƦɍɼɽʀгғᎡᏒᖇᴦᵲⲅꓣꭇꭈꮁ𝈖🅡🆁🇷'),
  ('s', 'ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ🅢🆂🇸'),
  ('t', 'ŦŧƭƮȾΤТҬᎢᴛᵵ₮⊤⍡⟙Ⲧꓔ🅣🆃🇹🝨'),
  ('u', 'ɄʋυՍսᏌᑌᴜᵾ∪⋃ꓴꞟꭎꭒꮜ🅤🆄🇺'),
  ('v', 'νѴѵᏙᐯᴠ∨⋁ꓦꮩ𐆗𝈍🅥🆅🇻🜈'),
  ('w', 'ɯѡѽԜԝաᎳᏔᴡ₩ꓪꝡꮃ🅦🆆🇼'),
  ('x', '×ΧХхҲᕁᕽ᙭᙮╳⤫⤬⨯⨰ⲬꓫꞳ𐆖🅧🆇🇽'),
  ('y', '¥ƴɎɏɣʏΥγУуҮүҰұყᎩᎽᶌỿⲨꓬꭚ🅨🆈🇾'),
  ('z', 'ƵƶȤȥʐΖᏃᴢᵶꓜꮓ𐋵🅩🆉🇿');

create function private.skeleton(written text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  -- The first 500 characters are enough, as in private.sanitize_name. Removes accents and invisible characters.
  folded text := regexp_replace(
    normalize(normalize(left(written, 500), nfkc), nfd),
    '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\U000E0000-\U000E0FFF]',
    '', 'g'
  );
  characters text;
  letters text;
begin
  -- Most names have only letters from a to z now, and need no table.
  if folded ~ '[^ -~]' then
    select string_agg(k.characters, '' order by k.letter), string_agg(repeat(k.letter, char_length(k.characters)), '' order by k.letter)
    into characters, letters
    from private.lookalikes k;
    folded := translate(lower(translate(folded, characters, letters)), characters, letters);
  end if;
  return translate(lower(folded), '01i2345789q', 'ollzeastbgg');
end
$$;
comment on function private.skeleton(text) is
  'Returns the same text for texts that look alike: without accents, capitals and invisible characters, and with letters instead of similar characters and digits. No two digits become the same letter, because many aliases end in a year.';

create function private.pair_skeleton(skeleton text) returns text
  language sql immutable
  set search_path = ''
  return replace(replace(skeleton, 'rn', 'm'), 'vv', 'w');
comment on function private.pair_skeleton(text) is 'Returns a skeleton with one letter instead of two letters that look like it.';

create function private.words_of(written text) returns text
  language sql stable
  set search_path = ''
as $$
  select private.pair_skeleton(' ' || btrim(regexp_replace(private.skeleton(written), '[^a-z0-9]+', ' ', 'g')) || ' ')
$$;
comment on function private.words_of(text) is 'Returns the skeleton of a text as words, with one blank before and after each word.';

-- The limits: a rate limit counts the uses of a subject in a time window, and a cap is the number of rows that one
-- subject may have at a time (docs/decisions/0092).

create table private.limits (
  name text primary key,
  uses_max integer not null check (uses_max > 0),
  new_account_max integer check (new_account_max > 0),
  window_seconds integer check (window_seconds > 0),
  slots integer check (slots between 1 and 100),
  wait_seconds_max integer check (wait_seconds_max > 0),
  is_counted_afterwards boolean not null default false,
  sentence text,
  constraint limits_slots_divide_a_window check (slots is null or window_seconds is not null),
  constraint limits_new_account_has_slots check (new_account_max is null or slots is not null),
  constraint limits_wait_is_of_attempts check (wait_seconds_max is null or (window_seconds is not null and slots is null))
);
comment on table private.limits is 'All limits: rates (private.consume), caps (private.require_room) and attempts (private.attempt).';
comment on column private.limits.uses_max is 'Maximum number of uses of one subject in the window, or of rows at a time.';
comment on column private.limits.new_account_max is 'Maximum number of uses in the first window after the subject''s account was opened; null if the limit is the same from the beginning.';
comment on column private.limits.window_seconds is 'Length of the window; null for a cap.';
comment on column private.limits.slots is 'Number of equal parts into which the window is divided. A use counts until the end of the window, and for at most one part longer. Null for a cap, and for attempts, whose window begins with the first of them.';
comment on column private.limits.wait_seconds_max is 'Maximum waiting time, for attempts with a back-off. Once they are used up, one attempt is possible after each wait. Each wait is twice as long as the previous wait, up to this maximum.';
comment on column private.limits.is_counted_afterwards is 'Whether the number of uses is known only after the work is done. The limit then refuses a database transaction only if the limit was used up before that transaction began. The last transaction may therefore exceed the limit.';
comment on column private.limits.sentence is 'The refusal that the client shows, with %s for the number; null if the limit refuses no call.';

insert into private.limits (name, uses_max, new_account_max, window_seconds, slots, is_counted_afterwards, sentence) values
  -- Enough to put 200 rules in order fifteen times. Transactions have limits of their own.
  ('rows written', 3000, null, 600, 10, true, 'Hiciste muchos cambios seguidos. Espera unos minutos.'),
  -- The customer's own expenses, restorations and amendments. The last two are refused only at twice the number, so that
  -- a customer who has used up the limit can still undo.
  ('own posting', 1000, 100, 86400, 24, false, 'Ya registraste el máximo de movimientos de 24 horas (%s).'),
  -- Enough for one bulk categorization and its undo.
  ('edit', 20000, null, 86400, 24, false, 'Ya hiciste el máximo de cambios de 24 horas (%s).'),
  ('imported line', 20000, 10000, 86400, 24, false, 'Ya importaste el máximo de gastos de 24 horas (%s).'),
  ('batch line', 50000, null, 86400, 24, false, 'Ya enviaste el máximo de abonos por lotes de 24 horas (%s).'),
  ('transfer', 100, null, 86400, 24, false, 'Ya pediste el máximo de transferencias de 24 horas (%s).'),
  -- Beneficiaries that were removed count, too.
  ('beneficiary', 5, null, 86400, 24, false, 'Ya añadiste el máximo de beneficiarios de 24 horas (%s).'),
  ('recurring expense', 100, null, 86400, 24, false, 'Ya guardaste el máximo de pagos recurrentes de 24 horas (%s).'),
  -- Each answer reveals whether another person has chosen that alias before.
  ('alias tried', 10, null, 86400, 24, false, 'Ya probaste el máximo de llaves de 24 horas (%s).'),
  -- Corrections of transactions and personal data, returns of transfers, and access changes: each sends a mail or moves
  -- money.
  ('act of staff', 600, null, 600, 10, false, 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'),
  -- Searches of one session that found transactions. Each adds an audit entry.
  ('search', 600, null, 600, 10, false, 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'),
  -- An audit entry about a list in one session. The window and one more part are one hour: no hour is without an entry.
  ('listing shown', 1, null, 3540, 59, false, null),
  -- A mail that warns of many sessions.
  ('many sessions', 1, null, 86400, 24, false, null);

-- Attempts (docs/decisions/0023): the limits of the server's surfaces. server/throttle/limits.ts has the same names.
insert into private.limits (name, uses_max, window_seconds, wait_seconds_max, sentence) values
  ('sign-in from an unknown network', 10, 60, 900, null),
  ('sign-in from a known network', 10, 60, 60, null),
  ('sign-in to an account', 30, 300, null, null),
  ('sign-in from a network', 30, 300, null, null),
  ('sign-up from a network', 30, 3600, null, null),
  ('mail to a recipient in a minute', 1, 60, null, null),
  ('mail to a recipient in an hour', 30, 3600, null, null),
  ('mail requested by a network', 30, 3600, null, null),
  -- One code allows five attempts, but up to thirty codes per hour are mailed.
  ('code typed', 20, 86400, null, null),
  ('challenge of a factor', 15, 60, null, null),
  ('refresh of a session', 30, 300, null, null),
  ('refresh from a network', 150, 300, null, null),
  -- One call per second on average. A payroll can use all calls of the ten minutes at once.
  ('function call', 600, 600, null, null),
  ('statement', 10, 600, null, null),
  ('password asked once more', 10, 60, 900, null),
  -- Each change writes a row of up to 4 kB, of which the old version stays in the files until the next vacuum.
  ('change of a user', 60, 600, null, null),
  ('refused write of a session', 60, 600, null, 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.'),
  ('refused write', 300, 600, null, 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.');

insert into private.limits (name, uses_max, sentence) values
  ('categories', 100, 'Caben %s como máximo.'),
  ('category rules', 200, 'Caben %s como máximo.'),
  ('category budgets', 2000, 'Caben %s como máximo.'),
  ('recurring expenses', 100, 'Ya tienes el máximo de pagos recurrentes (%s). Termina alguno primero.'),
  ('beneficiaries', 100, 'Ya tienes el máximo de beneficiarios (%s). Quita alguno primero.'),
  ('open transfers', 20, 'Ya tienes el máximo de transferencias pendientes (%s). Espera o cancela alguna.'),
  ('waiting acts', 100, 'Ya tienes el máximo de solicitudes pendientes (%s). Espera o cancela alguna.'),
  ('aliases in a year', 3, 'Ya elegiste el máximo de llaves de un año (%s). Puedes volver a una de ellas.');

create table private.counters (
  subject text not null,
  limit_name text not null,
  slot bigint not null,
  used integer[] not null,
  counted_in xid8 not null default pg_current_xact_id(),
  primary key (subject, limit_name)
-- Leaves room on each page, so that an update does not need a new index entry.
) with (fillfactor = 50);
comment on table private.counters is 'One row for each limit and each subject for which the limit was recently used.';
comment on column private.counters.subject is 'The id of the person or of another subject that is counted.';
comment on column private.counters.limit_name is 'As in private.limits.';
comment on column private.counters.slot is 'Number of the newest part of the window, counted from 1970.';
comment on column private.counters.used is 'Uses in the newest part of the window and in the parts before it, newest first. The number of elements is one more than the number of parts.';
comment on column private.counters.counted_in is 'The database transaction that last counted a use.';

-- The table is unlogged, so that counting does not wait for the disk. If the database crashes, all attempts are forgotten.
create unlogged table private.attempts (
  key text primary key,
  used integer not null,
  strikes integer not null,
  ends_at timestamptz not null
);
create index attempts_ends_at on private.attempts (ends_at);
comment on table private.attempts is 'One row for each limit of attempts and each subject (such as a user or a network) for which the limit was recently used. All servers of a bank share the rows.';
comment on column private.attempts.key is 'SHA-256 of the limit''s name and its subject, so that e-mail addresses and networks are not stored in plain text.';
comment on column private.attempts.used is 'Number of attempts in the current window.';
comment on column private.attempts.strikes is 'For limits with a back-off: number of consecutive windows before the current window in which the attempts were used up.';
comment on column private.attempts.ends_at is 'The end of the window. Until then, a row that has no attempts left refuses every attempt.';

create schema ledger;
comment on schema ledger is 'The permanent record of money. The table API does not expose this schema.';

-- Needed for the server's daily check, which runs as service_role. Clients still cannot reach the schema, because the
-- table API does not expose it.
grant usage on schema ledger to service_role;

-- Used in the check constraints of tables with fewer inserts, where a function call is fast enough.
create function private.is_word(word text, length_max integer) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  -- Uses the same character classes as transactions_description_is_a_line.
  return char_length(word) <= length_max
    and word is nfc normalized
    and word !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and word ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]';
end
$$;
comment on function private.is_word(text, integer) is 'Returns whether the text is a single line that has at most length_max characters and at least one visible character.';
grant execute on function private.is_word(text, integer) to authenticated;

-- The settings that the database enforces, read by name. A server writes them at each start; on a hosted project, the
-- operator calls private.set_settings.

create table private.settings (
  name text primary key,
  value text,
  pattern text,
  least numeric,
  most numeric,
  is_optional boolean not null default false,
  meaning text not null,
  constraint settings_value_is_set check (value is not null or is_optional),
  constraint settings_value_fits check (
    case when pattern is null then value::numeric between least and most else value ~ pattern end
  )
);
comment on table private.settings is 'The settings of this bank that the database enforces. private.set_settings writes the values. Most names are those of the server''s environment variables in lower case.';
comment on column private.settings.value is 'The value as text; null if an optional setting is not set.';
comment on column private.settings.pattern is 'Regular expression for the value; null if the value is a number.';
comment on column private.settings.least is 'The smallest number; null if the value is not a number.';
comment on column private.settings.most is 'The largest number; null if the value is not a number.';
comment on column private.settings.is_optional is 'Whether the value may be null.';
comment on column private.settings.meaning is 'The effect of the value. Amounts are in units of the bank''s currency.';

-- `npm run settings` writes these rows from server/settings.
insert into private.settings (name, value, pattern, least, most, is_optional, meaning) values
  ('transferencias', 'off', '^(on|off)$', null, null, false, 'Whether the bank has enabled this feature.'),
  ('notificaciones', 'off', '^(on|off)$', null, null, false, 'Whether the bank has enabled this feature.'),
  ('brand_name', null, '.', null, null, true, 'The name of the bank in its clearing files, which no customer can have.'),
  ('display_currency', null, '^(USD|COP)$', null, null, true, 'The currency of the bank.'),
  ('staff_proof', 'on', '^(on|off)$', null, null, false, 'Whether the actions of administrators that the specification names require a recent entry of the password or a mailed code. If not, staff_proof_above has no effect on them.'),
  ('staff_proof_above', '10000000', null, 0, 'infinity', false, 'The total amount that an administrator may order in a session before they must enter the password or a mailed code again.'),
  ('staff_self_dealing', 'allow', '^(allow|refuse)$', null, null, false, 'Whether administrators may record transactions in their own accounts.'),
  ('staff_approval_above', null, null, 0, 'infinity', true, 'The total amount that an administrator may move on one day in Bogotá without a second administrator. Without a value, the bank needs no second administrator.'),
  ('transfer_automatic_max', '125', null, 0, 'infinity', false, 'The largest sum of the transfers that one customer may make on one day in Bogotá without the decision of an administrator.'),
  ('transfer_max', '1250', null, 0.01, 'infinity', false, 'The largest amount of a single transfer.'),
  ('transfer_day_max', '2500', null, 0.01, 'infinity', false, 'The largest sum of the transfers that one customer may request on one day in Bogotá.'),
  ('transfer_expires_hours', '72', null, 1, 720, false, 'Hours after which an undecided request expires.'),
  ('clearing_account', null, '^[A-Z0-9]{1,34}$', null, null, true, 'The account from which the bank settles its clearing; the ISO 20022 value NOTPROVIDED if the files need not state the account.'),
  ('auth_rate_limits', 'on', '^(on|off)$', null, null, false, 'Whether the limits apply; off only for load tests.');
-- The end of the settings.

create function private.folded(line text) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  -- Most descriptions are pure ASCII, for which this branch takes only a tenth of the time.
  if octet_length(line) = char_length(line) then
    return lower(line);
  end if;
  return translate(
    lower(regexp_replace(normalize(line, nfd), '[\u0300-\u036F]+', '', 'g')),
    E'\u2018\u2019\u201A\u201B\u2032\u02BC\u00B4\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00A0\u2009\u202F',
    repeat('''', 7) || repeat('"', 7) || repeat('-', 7) || repeat(' ', 3)
  );
end
$$;
comment on function private.folded(text) is 'Returns the text in lower case, without accents and with plain quotes, dashes and spaces, exactly as contract/format/fold.ts does.';
grant execute on function private.folded(text) to authenticated;

-- The bank's periodic work. Subject *operations* lists it, because the jobs call the functions of all subjects.

create table private.jobs (
  name text primary key,
  every interval not null check (every > interval '0'),
  call text,
  full_at integer,
  is_exclusive boolean not null default true,
  lease interval,
  next_at timestamptz not null default 'epoch',
  ended_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  constraint jobs_are_called_or_leased check ((call is null) <> (lease is null)),
  constraint jobs_are_leased_until_a_time check ((leased_by is null) = (leased_until is null))
) with (fillfactor = 50);
comment on table private.jobs is 'The periodic work of the bank. The database itself carries out a job that has a call (private.run_job). For a job without a call, a server leases the job and carries it out (private.lease_job).';
comment on column private.jobs.name is 'The name that the server uses (server/jobs/jobs.ts).';
comment on column private.jobs.every is 'Pause between two turns.';
comment on column private.jobs.call is 'Expression that carries out one portion and returns how many things it handled.';
comment on column private.jobs.full_at is 'If the call handled this many things, the next portion follows at once. Null for a call whose turn has a single portion.';
comment on column private.jobs.is_exclusive is 'Whether only one server at a time carries out the job. Otherwise, each server carries it out in every interval.';
comment on column private.jobs.lease is 'Time after which another server takes over a leased job if its server stops renewing the lease.';
comment on column private.jobs.next_at is 'Time from which the next turn may begin.';
comment on column private.jobs.ended_at is 'Time at which the last turn ended; null before the first turn, and for a job that is not exclusive.';
comment on column private.jobs.leased_by is 'Random id of the server that carries out the job now.';
comment on column private.jobs.leased_until is 'End of the lease, which this server extends while it works.';
