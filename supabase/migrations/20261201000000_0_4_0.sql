-- Finanzas 0.4.0. Written by `npm run migration` from supabase/schemas; do not edit.

-- supabase/schemas/ground/begin.sql

-- A new function can be called by its owner only, and a new table of the schema public is closed to every other role, unless
-- a grant in these files says otherwise. By default, PostgreSQL would let every role call a function, and a hosted
-- project grants each new function and table in the schema public to three roles. A schema's default privileges are
-- added to the general ones, so both have to change. ground/end.sql gives them back, because they hold for everything
-- that this owner creates later.

do $$
declare
  general constant aclitem[] := coalesce(
    (
      select d.defaclacl from pg_catalog.pg_default_acl d
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 0 and d.defaclobjtype = 'f'
    ),
    acldefault('f', current_user::regrole)
  );
begin
  perform set_config('finanzas.default_privileges', concat_ws('; ',
    (
      select 'alter default privileges grant execute on functions to public'
      where exists (select from aclexplode(general) a where a.grantee = 0)
    ),
    (
      select string_agg(format(
        'alter default privileges in schema public grant %s on %s to %s',
        a.privilege_type, case d.defaclobjtype when 'f' then 'functions' else 'tables' end, a.grantee::regrole
      ), '; ')
      from pg_catalog.pg_default_acl d, aclexplode(d.defaclacl) a
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 'public'::regnamespace
        and d.defaclobjtype in ('f', 'r') and a.grantee::regrole::text in ('anon', 'authenticated', 'service_role')
    )
  ), false);
end
$$;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;

-- supabase/schemas/ground/tables.sql

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

-- supabase/schemas/audit/tables.sql

-- Audit: the log of what staff and the bank itself did, and the permission to read a customer that an entry gives.
-- Uses: ground.
-- Promises: entries are never changed or deleted, and each entry contains the hash of the entry before it.

create function private.cell() returns smallint
  language sql immutable
  return 1::smallint;
comment on function private.cell() is
  'The number of this cell, which is one of the databases of a bank that outgrew one database. A bank with one database has only cell 1.';

-- The audit log records the actor, action and target of each administrative action, in one hash chain for each
-- cell of the bank. No role can change or delete an entry. Triggers record the changes of users and transactions in the same
-- database transaction as the change, so that no code path can omit an entry.

create table ledger.audit (
  id bigint not null,
  cell smallint not null default private.cell(),
  recorded_at timestamptz not null,
  origin text not null,
  actor uuid,
  session_id uuid,
  request_id text,
  action text not null,
  target uuid,
  before jsonb,
  after jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (id, cell),
  constraint audit_origin_known check (origin in ('request', 'service', 'operator', 'system')),
  constraint audit_action_is_a_name check (action ~ '^[a-z][a-z_]{0,49}$'),
  constraint audit_request_id_is_short check (char_length(request_id) <= 100)
);
-- For every filter of public.audit_of, one of these indexes returns the newest entries first.
create index audit_by_target on ledger.audit (target, id);
create index audit_by_actor on ledger.audit (actor, id);
create index audit_by_action on ledger.audit (action, id);
create index audit_by_actor_and_action on ledger.audit (actor, action, id);
create index audit_by_time on ledger.audit (recorded_at, id);
create index audit_changes on ledger.audit (id) where action !~ '^(read|list|search)_';
create index audit_changes_by_actor on ledger.audit (actor, id) where action !~ '^(read|list|search)_';
create index audit_readings on ledger.audit (id) where action ~ '^(read|list|search)_';

comment on table ledger.audit is 'Append-only. One row for each action by which staff or an operator exercises authority over another person. Rows identify people only by id, and can therefore be kept after the people''s accounts are deleted.';
comment on column ledger.audit.cell is 'The cell that wrote the entry (private.cell). Each cell has its own chain, so that the entries of several cells can stand in one table.';
comment on column ledger.audit.id is 'Numbers the entries of the cell''s chain 1, 2, 3, … without gaps.';
comment on column ledger.audit.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column ledger.audit.origin is '`request`: the actor acted in their own session. `service`: a service acted on the actor''s behalf. `operator`: an operator ran a command. `system`: the actor is unknown, for example at the first start or when SQL was run directly.';
comment on column ledger.audit.actor is 'Id of the person who acted, who may have been deleted since; null if the person is unknown.';
comment on column ledger.audit.session_id is 'The actor''s session; null outside a request.';
comment on column ledger.audit.request_id is 'X-Request-Id of the answer; null if unknown.';
comment on column ledger.audit.action is 'The action, such as read_customer or register_transaction. docs/logging.md lists all actions.';
comment on column ledger.audit.target is 'Id of the person affected by the action, who may have been deleted since; null if the action did not affect a single person.';
comment on column ledger.audit.before is 'The previous value as JSON; null if none was recorded.';
comment on column ledger.audit.after is 'The new value as JSON; null if none was recorded. Amounts are strings with two decimals.';
comment on column ledger.audit.previous_hash is 'The hash of the previous entry; 32 zero bytes in the first entry.';
comment on column ledger.audit.hash is 'SHA-256 of all other columns (ledger.audit_hash).';

grant select on ledger.audit to authenticated;
create policy "administrators read the audit" on ledger.audit
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read the audit" on ledger.audit is 'Administrators read the audit only through public.audit_entries, because requests cannot address this schema.';
create index audit_openings on ledger.audit (target, session_id, recorded_at) where action = 'read_customer';
comment on index ledger.audit_openings is 'Finds out whether a session has opened a customer''s page (private.require_opened).';
create index audit_clearing_files on ledger.audit ((after ->> 'number')) where action = 'close_clearing_file';
comment on index ledger.audit_clearing_files is 'Finds the hashes of a clearing file (ledger.check_clearing_files).';

-- A batch has only one audit entry, so this table lists its customers ------------------------------------------

create table ledger.audit_targets (
  entry bigint not null,
  cell smallint not null default private.cell(),
  target uuid not null,
  lines integer not null,
  amount numeric,
  primary key (entry, cell, target)
);
create index audit_targets_by_person on ledger.audit_targets (target, entry);
comment on table ledger.audit_targets is 'Append-only. One row for each person in a batch that was ordered (register_batch) or reversed (reverse_batch), and for each person in the results of a search (search_transactions). Rows contain only ids and numbers, and can therefore be kept after the person is deleted.';
comment on column ledger.audit_targets.cell is 'The cell of the audit entry (private.cell).';
comment on column ledger.audit_targets.entry is 'The audit entry, which is never deleted.';
comment on column ledger.audit_targets.target is 'Id of the affected person, who may have been deleted since.';
comment on column ledger.audit_targets.lines is 'Number of this person''s deposits that were ordered or reversed, or number of their transactions that the search found.';
comment on column ledger.audit_targets.amount is 'Sum of these deposits in units of currency; null for a search.';

-- supabase/schemas/notices/tables.sql

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

-- supabase/schemas/people/tables.sql

-- People: the profile, the name, the account number, the identity document and the sessions of a person.
-- Uses: audit, notices.
-- Promises: each user has one profile and one account number, the number never changes, and a verified name belongs
-- to the bank.

-- Profiles, and the part of auth.users that administrators may see. Customers need no access to these tables, because
-- their session already contains their name and role.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  role text not null default 'user',
  constraint profiles_role_known check (role in ('user', 'admin')),
  constraint profiles_full_name_length check (char_length(full_name) <= 120)
);
create index profiles_administrators on public.profiles (id) where role = 'admin';
comment on index public.profiles_administrators is 'Finds the administrators without reading all customers (private.administrators).';
comment on table public.profiles is 'One row for each user, with the name and role that administrators see.';
comment on column public.profiles.id is 'Id of the user in auth.users.';
comment on column public.profiles.full_name is 'The name in account_holders, if the bank verified it; otherwise the name in the user''s metadata. Up to 120 characters; null if the user gave no name.';
comment on column public.profiles.role is '"user" (a customer) or "admin". Copied from auth.users.raw_app_meta_data, which is authoritative.';

grant select, update (role) on public.profiles to authenticated;
grant select on public.profiles to service_role;

-- If a customer's query includes their own profile, the policy raises 42501 instead of returning an empty list. The
-- page can then explain the refusal. A query for only another user's profile returns an empty list, as if that profile
-- did not exist.
create policy "administrators read every profile" on public.profiles
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every profile" on public.profiles is
  'A customer whose query includes their own row gets 42501. All other rows are hidden from customers.';

create policy "administrators change roles" on public.profiles
  for update to authenticated
  using ((select private.is_admin()));
comment on policy "administrators change roles" on public.profiles is
  'The column grant allows updates of the role only. Triggers check which changes of role are allowed.';

create policy "the service reads every profile" on public.profiles for select to service_role using (true);
comment on policy "the service reads every profile" on public.profiles is 'Lets the operator''s tools read the table.';

create table public.user_safe (
  id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  last_sign_in_at timestamptz
);
comment on table public.user_safe is 'The part of auth.users that an administrator may see, copied by a trigger.';
comment on column public.user_safe.id is 'Id of the user. This table has one row for each profile.';
comment on column public.user_safe.email is 'The address that the user signs in with.';
comment on column public.user_safe.last_sign_in_at is 'Time of the last sign-in; null until the user signs in for the first time.';
grant select on public.user_safe to authenticated, service_role;

create policy "administrators read every user" on public.user_safe
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every user" on public.user_safe is
  'Only administrators may read e-mail addresses.';
create policy "the service reads every user" on public.user_safe for select to service_role using (true);
comment on policy "the service reads every user" on public.user_safe is 'Lets the operator''s tools read the table.';

-- The list of staff: what they search people by, and the order of their lists. The rows that say the same are in three
-- tables, of which one belongs to the platform, so that no index could serve a search (docs/decisions/0119).

create function private.grams(line text) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct g.gram
    from generate_series(1, char_length(line) - 1) place
    cross join lateral (values (substr(line, place, 2)), (substr(line, place, 3))) g (gram)
    where position(' ' in g.gram) = 0 and char_length(g.gram) > 1
  );
comment on function private.grams(text) is
  'Returns all parts of a text that have two or three characters and no blank. A text contains a word only if it has all parts of the word.';

create table private.listed_people (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  words text not null,
  sorted_name text not null,
  role text not null,
  role_and_name text not null generated always as (role || ' ' || sorted_name) stored,
  is_confirmed boolean not null,
  banned_until timestamptz
);
comment on table private.listed_people is 'One row for each user: the words by which staff find the user, the order of lists, and the state of the address and of the account (private.list_person).';
comment on column private.listed_people.user_id is 'The user. The row is deleted together with the account.';
comment on column private.listed_people.words is 'The name, the e-mail address and, for an administrator, the word admin, folded by private.folded.';
comment on column private.listed_people.sorted_name is 'The folded name, or the folded e-mail address of a user without a name.';
comment on column private.listed_people.role is 'As in public.profiles.';
comment on column private.listed_people.role_and_name is 'The order by role, in which the users of a role are ordered by name.';
comment on column private.listed_people.is_confirmed is 'Whether the user has confirmed the e-mail address.';
comment on column private.listed_people.banned_until is 'Time until which the account is blocked, which may have passed; null if it was never blocked.';

create index listed_people_by_gram on private.listed_people using gin (private.grams(words));
comment on index private.listed_people_by_gram is 'Finds the users whose words contain a text (private.find_people).';
create index listed_people_by_name on private.listed_people (sorted_name, user_id);
comment on index private.listed_people_by_name is 'The order by name.';
create index listed_people_by_role on private.listed_people (role_and_name, user_id);
comment on index private.listed_people_by_role is 'The order by role.';
create index listed_people_unconfirmed on private.listed_people (user_id) where not is_confirmed;
comment on index private.listed_people_unconfirmed is 'Finds and counts the users who have not confirmed their address.';
create index listed_people_blocked on private.listed_people (banned_until) where banned_until is not null;
comment on index private.listed_people_blocked is 'Finds and counts the blocked users.';
create index user_safe_by_email on public.user_safe (email, id);
comment on index public.user_safe_by_email is 'The order by e-mail address (public.list_customers).';
create index user_safe_by_sign_in on public.user_safe (coalesce(last_sign_in_at, '-infinity'), id);
comment on index public.user_safe_by_sign_in is 'The order by last sign-in (public.list_customers). A user who never signed in comes before all others.';

create function private.sanitize_name(written text) returns text
  language sql immutable
  set search_path = ''
  return (
    select kept.name
    from (
      select left(
        btrim(regexp_replace(
          -- normalize() takes quadratic time on combining marks that are out of order. Truncating the input to 500
          -- characters bounds that time, and a displayed name is never longer than 120 characters.
          normalize(left(written, 500), nfc), '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]', '', 'g'
        )),
        120
      ) as name
    ) as kept
    where kept.name
      ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  );
comment on function private.sanitize_name(text) is
  'Returns a name that is safe to show to others: one line in NFC, built from the first 500 characters and cut to 120 characters. Removes the characters that transactions_description_is_a_line refuses. Returns null if no visible character is left.';

create function private.new_account_number() returns text
  language plpgsql volatile security definer
  set search_path = ''
as $$
declare
  digits bigint;
  number text;
begin
  loop
    -- The first twelve hexadecimal digits of a random UUID cannot be guessed, and the remainder of such a large number
    -- is practically uniform.
    digits := 1000000000 + ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint % 9000000000;
    number := (digits * 100 + 98 - digits * 100 % 97)::text;
    exit when not exists (select from public.account_holders h where h.account_number = number);
  end loop;
  return number;
end
$$;
comment on function private.new_account_number() is
  'Returns a random account number that no account has: ten digits, of which the first is not zero, and two check digits (ISO 7064 MOD 97-10).';

create function private.is_account_number(written text) returns boolean
  language sql immutable strict
  set search_path = ''
  return case when written ~ '^[1-9][0-9]{11}$' then written::bigint % 97 = 1 else false end;
comment on function private.is_account_number(text) is
  'Returns whether a text has twelve digits with correct check digits. The check digits detect every wrong digit and every exchange of two adjacent digits.';

create function private.is_document(kind text, written text) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return case kind
    when 'CC' then written ~ '^[1-9][0-9]{2,9}$'
    when 'CE' then written ~ '^[1-9][0-9]{2,9}$'
    when 'TI' then written ~ '^[1-9][0-9]{9,10}$'
    when 'RC' then written ~ '^[1-9][0-9]{7,10}$'
    when 'PPT' then written ~ '^[1-9][0-9]{4,9}$'
    when 'PA' then written ~ '^[A-Z0-9]{5,20}$'
    when 'NIT' then case
      when written ~ '^[1-9][0-9]{7,9}-[0-9]$'
        then private.nit_check_digit(split_part(written, '-', 1)) = split_part(written, '-', 2)::integer
      else false
    end
  end;
end
$$;
comment on function private.is_document(text, text) is
  'Returns whether a text is a number of this kind of identity document; null for an unknown kind. A NIT ends in a hyphen and its check digit. All letters of the number must be capitals, and the number has no other separators.';

-- Account holders: the number of each person's account, and the verified name, the identity document and the telephone
-- of its holder. Staff enter the name, the document and the telephone (public.correct_holder); the database assigns the
-- number.

create table public.account_holders (
  user_id uuid primary key references auth.users (id) on delete cascade,
  account_number text not null default private.new_account_number(),
  full_name text,
  document_kind text,
  document_number text,
  phone text,
  constraint account_holders_name_is_a_line check (full_name is not distinct from private.sanitize_name(full_name)),
  -- Papers and clearing files show both. A document of the bank must not stand beside a name that the customer typed.
  constraint account_holders_document_has_a_name check (document_number is null or full_name is not null),
  constraint account_holders_number_taken unique (account_number),
  constraint account_holders_number_is_one check (private.is_account_number(account_number)),
  constraint account_holders_document_taken unique (document_kind, document_number),
  constraint account_holders_document_kind_known check (document_kind in ('CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI')),
  constraint account_holders_document_is_whole check ((document_kind is null) = (document_number is null)),
  constraint account_holders_document_is_one check (private.is_document(document_kind, document_number)),
  constraint account_holders_phone_is_one check (phone ~ '^\+[1-9][0-9]{6,14}$')
);
comment on table public.account_holders is 'One row for each user: the number of the account, and the verified name, the identity document and the telephone of its holder. The database assigns the number, and staff enter the rest.';
comment on column public.account_holders.user_id is 'The user. The row is deleted together with the account.';
comment on column public.account_holders.account_number is 'Twelve digits: ten random digits and two check digits (ISO 7064 MOD 97-10). Never changes. Pages show the number in groups of four digits.';
comment on column public.account_holders.full_name is 'The name that the bank verified or corrected, which the customer cannot change; null while the name is the one that the customer typed (docs/decisions/0082).';
comment on column public.account_holders.document_kind is 'CC (cédula de ciudadanía), CE (cédula de extranjería), NIT, PA (pasaporte), PPT (permiso por protección temporal), RC (registro civil) or TI (tarjeta de identidad); null until staff enter the document.';
comment on column public.account_holders.document_number is 'The number without separators; a NIT ends in a hyphen and its check digit. Null until staff enter the document.';
comment on column public.account_holders.phone is 'The telephone number in the format E.164, such as +573001234567; null until staff enter it.';

create index account_holders_by_phone on public.account_holders (phone) where phone is not null;
comment on index public.account_holders_by_phone is 'Finds the holders of a telephone number (private.find_people).';

comment on constraint account_holders_number_taken on public.account_holders is 'El número de cuenta ya existe. Inténtalo de nuevo.';
comment on constraint account_holders_number_is_one on public.account_holders is 'El número de cuenta no es válido.';
comment on constraint account_holders_name_is_a_line on public.account_holders is 'Escribe un nombre de 120 caracteres como máximo.';
comment on constraint account_holders_document_has_a_name on public.account_holders is 'Un documento necesita el nombre de su titular.';
comment on constraint account_holders_document_taken on public.account_holders is 'Ya hay un cliente con este documento.';
comment on constraint account_holders_document_kind_known on public.account_holders is 'El tipo de documento no se conoce.';
comment on constraint account_holders_document_is_whole on public.account_holders is 'El documento necesita un tipo y un número.';
comment on constraint account_holders_document_is_one on public.account_holders is 'El número de documento no es válido.';
comment on constraint account_holders_phone_is_one on public.account_holders is 'El teléfono no es válido.';

grant select on public.account_holders to authenticated, service_role;

create policy "customers read their own account number" on public.account_holders
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own account number" on public.account_holders is
  'Staff read the rows of others through public.open_customer, which records the reading.';
create policy "the service reads every account holder" on public.account_holders for select to service_role using (true);
comment on policy "the service reads every account holder" on public.account_holders is 'Lets the operator''s tools read the table.';

-- Reserved names: a customer must not have a name or an alias with which they could pretend to be the bank. Texts that
-- look alike count as the same text (docs/decisions/0083).

create table private.reserved_words (
  word text primary key,
  words text not null
);
comment on table private.reserved_words is 'The words with which a customer could pretend to be the bank, beside the name of the bank (private.is_reserved). A name must not contain one of them as a whole word, and an alias must not contain one at all.';
comment on column private.reserved_words.word is 'The word.';
comment on column private.reserved_words.words is 'The result of private.words_of for the word.';
insert into private.reserved_words (word, words)
select w.word, private.words_of(w.word)
from unnest(array[
  'admin', 'ayuda', 'banco', 'cajero', 'finanzas', 'gerente', 'oficial', 'seguridad', 'sistema', 'soporte',
  -- An alias such as anita.gmail.com looks like an e-mail address.
  'gmail', 'hotmail', 'outlook'
]) as w (word);

create table private.staff_passwords (
  user_id uuid primary key references auth.users (id) on delete cascade
);
comment on table private.staff_passwords is 'The accounts whose present password an administrator typed. These customers can neither confirm a beneficiary nor request a transfer until they set a password through a link that was mailed to their address (private.require_own_password).';

-- Correcting the data of an account holder ------------------------------------------------------------------------

create table public.holder_corrections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  corrected_at timestamptz not null default clock_timestamp(),
  corrected_by text,
  before jsonb not null,
  after jsonb not null
);
create index holder_corrections_of_a_user on public.holder_corrections (user_id, corrected_at desc);
comment on table public.holder_corrections is 'One row for each time that staff corrected the name, document or telephone of an account holder. The audit names only the fields, because its entries remain after the account is deleted.';
comment on column public.holder_corrections.id is 'Id of the correction, which its audit entry names.';
comment on column public.holder_corrections.user_id is 'The user. The row is deleted together with the account.';
comment on column public.holder_corrections.corrected_at is 'Time at which the data were corrected.';
comment on column public.holder_corrections.corrected_by is 'Name of the administrator at the time of the correction; null if the administrator had no name.';
comment on column public.holder_corrections.before is 'The changed fields with their earlier values.';
comment on column public.holder_corrections.after is 'The changed fields with their new values.';
grant select on public.holder_corrections to authenticated;
create policy "customers read the corrections of their own data" on public.holder_corrections
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read the corrections of their own data" on public.holder_corrections is
  'Staff read the corrections of others through public.read_holder_corrections.';

-- supabase/schemas/orders/tables.sql

-- Orders: the order book, the requests that wait for a decision or for a day, and the acts on access.
-- Uses: people.
-- Promises: each act of an administrator is a row of the book, which commits together with the effect. A key takes
-- effect once. A request ends once and its row stays.

-- The acts by which an administrator could sign in as a customer, or could pass for one. For 90 days, that administrator
-- decides no transfer of the customer (docs/decisions/0080).

create table private.access_acts (
  person uuid not null,
  clerk uuid not null,
  act text not null,
  acted_at timestamptz not null default clock_timestamp(),
  primary key (person, clerk, act),
  constraint access_acts_act_known check (act in ('open', 'invite', 'holder', 'address', 'factor', 'link', 'block'))
);
create index access_acts_of_a_clerk on private.access_acts (clerk);
comment on index private.access_acts_of_a_clerk is 'Finds the rows of a deleted administrator.';
create index access_acts_oldest_first on private.access_acts (acted_at);
comment on index private.access_acts_oldest_first is 'Finds the acts that no longer count (private.purge_expired).';
comment on table private.access_acts is 'One row for each kind of act by which an administrator gave or changed a person''s access. Rows are purged after 90 days.';
comment on column private.access_acts.person is 'The person whose access was changed. On a hosted project, this person may not exist yet. The row is deleted together with the account.';
comment on column private.access_acts.clerk is 'The administrator who acted. The row is deleted together with the account.';
comment on column private.access_acts.act is '`open`: opened the account. `invite`: invited the person. `holder`: corrected the name, document or telephone. `address`: began or cancelled a change of the e-mail address. `factor`: removed the second factors. `link`: mailed a link again. `block`: blocked or unblocked the person.';
comment on column private.access_acts.acted_at is 'Time of the last act of this kind.';

-- The order book: one row for each act of an administrator on money, on power or on a person's access, whether the act
-- took effect at once or waits for another administrator (docs/decisions/0099). Each act has a single entry point: a
-- function (supabase/functions) or a call of the table API (docs/decisions/0032). The row commits together with the
-- effect. A call that is sent twice takes effect once, because the row also has the call's idempotency key.

create table private.orders (
  id uuid primary key,
  kind text not null,
  asked_by uuid not null,
  asked_in uuid,
  asked_at timestamptz not null,
  about uuid,
  thing uuid,
  amount numeric,
  counts boolean not null,
  request_id uuid,
  done_in xid8 not null default pg_current_xact_id(),
  route text,
  call_key text,
  body_hash bytea,
  details jsonb,
  constraint orders_kind_known check (kind in (
    'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'return_transfer', 'return_clearing_file',
    'approve_request', 'create_user', 'delete_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'end_sessions',
    'reset_factor', 'cancel_email_change', 'begin_email_change', 'send_link', 'correct_holder', 'reset_access'
  )),
  constraint orders_have_an_answer check (num_nonnulls(about, thing) > 0),
  constraint orders_count_once check (not counts or (amount is not null and request_id is null)),
  constraint orders_key_has_its_hash check ((call_key is null) = (body_hash is null) and (call_key is null or route is not null)),
  constraint orders_key_is_visible check (call_key ~ '^[\u0021-\u007E]{1,255}$'),
  constraint orders_body_hash_is_one check (octet_length(body_hash) = 32)
);
create unique index orders_of_a_key on private.orders (asked_by, route, call_key) where call_key is not null;
comment on index private.orders_of_a_key is 'Lets a key take effect once (private.claim).';
create index orders_oldest_key on private.orders (asked_at) where call_key is not null;
comment on index private.orders_oldest_key is 'Finds the keys that expire (private.purge_expired).';
create index orders_counted on private.orders (asked_by, asked_at) where counts;
comment on index private.orders_counted is 'Finds the amounts that an administrator moved on a day (private.moved_today).';
create index orders_of_a_session on private.orders (asked_in, asked_at) where amount is not null;
comment on index private.orders_of_a_session is 'Finds the orders in a session since the password or a mailed code was last entered (private.require_proof_of).';
create index orders_about_a_person on private.orders (about, kind, asked_at)
  where kind in (
    'create_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'reset_factor', 'reset_access',
    'begin_email_change', 'send_link', 'correct_holder'
  );
comment on index private.orders_about_a_person is 'Finds the acts on a person that later acts depend on (private.done_orders).';
create index orders_of_a_request on private.orders (request_id) where request_id is not null;
comment on index private.orders_of_a_request is 'Finds the order that another administrator decided (private.order_of).';

comment on table private.orders is 'The order book. One row for each act of an administrator on money, on power or on a person''s access. The acts of the operator and of other programs on a user are rows too. Rows contain no free text. A row is deleted only if the user that it was to create does not exist (public.abort_user_creation).';
comment on column private.orders.id is 'Id of the order. Of a call with several statements, the server chooses it (private.is_ordered).';
comment on column private.orders.kind is 'The act, in the words of the audit. `approve_request`: the administrator approved a request, alone or as the first of two. `promotion` and `demotion` change a role.';
comment on column private.orders.asked_by is 'The person who gave the order, who may have been deleted since. The nil id for the operator, and for another program.';
comment on column private.orders.asked_in is 'The session of the order; null for a caller without a session.';
comment on column private.orders.asked_at is 'Time of the order.';
comment on column private.orders.about is 'Id of the affected person, who may have been deleted since; null for a batch and for a clearing file.';
comment on column private.orders.thing is 'Id of the transaction, correction, batch, transfer or request; null for an act on a person.';
comment on column private.orders.amount is 'Amount in units of currency; null for an act that moves no money.';
comment on column private.orders.counts is 'Whether the amount counts toward the limit of the administrator''s day. The return of a transfer between customers does not count, nor does an order that waits, nor the approval of another administrator''s order.';
comment on column private.orders.request_id is 'Id of the request in public.requests that another administrator decides; null for an order that took effect at once.';
comment on column private.orders.done_in is 'The database transaction of the order, or of the approval that carried it out (private.is_done_here).';
comment on column private.orders.route is 'Name of the function in its URL, or "rpc/…" for a call of the table API. The same key may be used on different routes. Null for an order that can have no key.';
comment on column private.orders.call_key is 'The idempotency key as the client sent it: 1 to 255 visible ASCII characters. Null without a key, and after 48 hours, when the key becomes free again.';
comment on column private.orders.details is 'Facts for the audit entry and for the page of a customer. A block has its reason, a new user the role, the link for a new password its type, and a change of address the HMAC of the new address. A correction of a holder has its id and fields. Null for every other act.';
comment on column private.orders.body_hash is 'For a function, HMAC-SHA-256 of the body, keyed with a secret outside the database: a body may contain a password, which could be guessed from a plain hash. For a call of the table API, SHA-256 of the arguments. Null without a key.';

-- Requests are orders that wait for a decision, for a certain day, or for both. Customers request transfers, and
-- administrators request the acts that need a second administrator. Money moves only when a request is carried out.
-- Both postings of a transfer have the id of its request (docs/decisions/0067). A transfer to an account at another
-- bank has only the posting of the payer (docs/decisions/0070).

create table public.requests (
  id uuid primary key,
  kind text not null default 'transfer',
  status text not null,
  asked_by uuid not null,
  asked_at timestamptz not null default clock_timestamp(),
  payer uuid,
  payer_name text,
  payee uuid,
  payee_name text,
  payee_masked text,
  about uuid,
  amount numeric,
  description text,
  due_on date,
  expires_at timestamptz not null,
  risk smallint not null default 0,
  first_approved_by uuid,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  reason text,
  ended_at timestamptz,
  body_hash bytea not null,
  details jsonb,
  constraint requests_kind_known check (
    kind in (
      'transfer', 'transaction', 'correction', 'batch', 'deletion', 'promotion', 'demotion', 'block', 'factor', 'return', 'file_return'
    )
  ),
  constraint requests_have_their_people check (
    case kind when 'transfer' then payer is not null and about is null
      else num_nonnulls(payer, payee) = 0 and (about is null) = (kind in ('batch', 'file_return')) end
  ),
  -- The account of an administrator may hold no money.
  constraint requests_have_an_amount check (
    kind = 'deletion' or (amount is null) = (kind in ('promotion', 'demotion', 'block', 'factor'))
  ),
  -- A transfer to a customer has a payee and no details. A transfer to an account at another bank has details and no
  -- payee. Every other request has details.
  constraint requests_have_details check ((details is null) = (kind = 'transfer' and payee is not null)),
  constraint requests_status_known check (
    status in ('waiting', 'scheduled', 'done', 'declined', 'cancelled', 'expired', 'failed', 'returned')
  ),
  constraint requests_are_between_two check (payer <> payee),
  constraint requests_end_once check ((ended_at is null) = (status in ('waiting', 'scheduled'))),
  constraint requests_amount_is_money check (
    amount > 0 and (amount <= 999999999999.99 or kind <> 'transfer') and scale(trim_scale(amount)) <= 2
  ),
  constraint requests_description_is_a_line check (description is null or private.is_word(description, 140)),
  constraint requests_reason_is_a_line check (reason is null or private.is_word(reason, 200))
);
create index requests_newest_first on public.requests (payer, asked_at desc);
create index requests_latest on public.requests (asked_at desc, id desc);
create index requests_by_status on public.requests (status, asked_at desc, id desc);
create index requests_of_asker on public.requests (asked_by) where status = 'waiting' and kind <> 'transfer';
create index requests_about on public.requests (about) where about is not null;
create index requests_open on public.requests (payer) where status in ('waiting', 'scheduled');
create index requests_of_payee on public.requests (payee);
create index requests_riskiest_first on public.requests ((kind = 'transfer'), risk desc, asked_at) where status = 'waiting';
create index requests_undecided on public.requests (expires_at) where status = 'waiting';
create index requests_scheduled on public.requests (due_on) where status = 'scheduled';
create index requests_largest on public.requests (payer, amount) where status = 'done';
comment on index public.requests_largest is 'Finds the largest earlier transfer of a payer (private.risk_of).';

comment on table public.requests is 'One row for each transfer that a customer requested, and for each act of an administrator that needs a second administrator. The row contains the state of the request and the decision. Rows are never deleted.';
comment on column public.requests.id is 'The client chooses the id, so that a retry cannot request the transfer twice. All postings of the transfer have the same id. A transaction, a correction and a batch have the id of their request.';
comment on column public.requests.kind is '`transfer` is a request of a customer. All other kinds are acts of an administrator: `transaction` (a deposit or an expense), `correction`, `batch`, and `deletion` of an administrator or of an account with money. Also `promotion` to administrator, `demotion` or `block` of an administrator, `factor`: the removal of a customer''s second factors, `return` of a transfer that another bank sent back, `file_return` of all transfers in a clearing file.';
comment on column public.requests.status is '`waiting` for a decision; `scheduled` for the day `due_on`; `done`; `declined` by an administrator; `cancelled`; `expired` without a decision; `failed` for the given reason; `returned` by an administrator. The person who made the request can cancel it; deleting the account of this person also cancels the request.';
comment on column public.requests.asked_by is 'The customer or administrator who made the request, who may have been deleted since.';
comment on column public.requests.asked_at is 'Time at which the request was made.';
comment on column public.requests.payer is 'The customer who pays a transfer. This customer may have been deleted since; null unless kind is transfer.';
comment on column public.requests.payer_name is 'The payer''s name at the time of the request, as the deposit shows it to the payee; null unless kind is transfer, if the payer had no name, or if the payer''s account has been deleted.';
comment on column public.requests.payee is 'The customer who receives a transfer. This customer may have been deleted since; null unless kind is transfer, and null for a transfer to an account at another bank.';
comment on column public.requests.payee_name is 'The name that the payer gave to the beneficiary; null unless kind is transfer, or if the payer''s account has been deleted.';
comment on column public.requests.about is 'The person that an administrator''s act affects. This person may have been deleted since; null for a transfer, for a batch and for the return of a clearing file.';
comment on column public.requests.payee_masked is 'The masked name of the payee''s account, as the confirmation of the beneficiary showed it. For an account at another bank, the name of the bank and the last digits of the number; null for acts of administrators, or if the account of the payer or of the payee has been deleted.';
comment on column public.requests.amount is 'Amount in units of currency: positive, with at most two decimals. For a deletion, the amount is the absolute balance, or the balance according to the bank if that balance is larger; null without money. Null for a promotion, a demotion, a block and the removal of second factors.';
comment on column public.requests.description is 'One line of up to 140 characters, which the payer and the payee can read; null unless kind is transfer, if the payer wrote no description, or if the payer''s account has been deleted.';
comment on column public.requests.due_on is 'The day in Bogotá on which the transfer is carried out; null unless kind is transfer. Also null for a transfer without a day, which is carried out at once, or as soon as it has been approved.';
comment on column public.requests.expires_at is 'Time at which the request expires unless an administrator has decided it.';
comment on column public.requests.risk is 'Sum of the signs of risk at the time of the request. A beneficiary who was confirmed within 24 hours counts 4. An amount of at least three times the payer''s largest earlier transfer counts 2. The hours from 22:00 to 06:00 in Bogotá count 1. The risk is 0 for requests other than transfers.';
comment on column public.requests.first_approved_by is 'The administrator who approved the transfer first, if the approval exceeded their limit of the day; a second administrator then decides the transfer. Null for every other request.';
comment on column public.requests.decided_by is 'The administrator who approved or declined the request, who may have been deleted since; null without a decision.';
comment on column public.requests.decided_by_name is 'Name of the administrator who decided the request, at the time of the decision; null if the administrator had no name or if the request is not decided.';
comment on column public.requests.decided_at is 'Time at which the request was approved or declined; null without a decision.';
comment on column public.requests.reason is 'The reason for the decision, the return or the failure. The person who made the request can read this reason; null without a reason or if the payer''s account has been deleted.';
comment on column public.requests.ended_at is 'Time at which the request reached its present state; null while the request is waiting or scheduled.';
comment on column public.requests.body_hash is 'SHA-256 of the arguments of the call. A call that reuses the id with other arguments is refused.';
comment on column public.requests.details is 'The account at another bank to which a transfer pays, as in public.beneficiaries.destination; null for a transfer to a customer. For an act of an administrator, the arguments that have no column of their own. A transaction has type, description, date and category. A correction has transaction_id, reason and right_amount. A batch has title and lines. A block has reason and, unless it is permanent, hours. The removal of second factors has factors, their ids at the time of the request. A return has transfer_id and reason. The return of a clearing file has file, transfers and reason. Empty after the account of the payer or of the affected person has been deleted.';
comment on constraint requests_description_is_a_line on public.requests is 'Escribe un concepto de 140 caracteres como máximo.';
comment on constraint requests_amount_is_money on public.requests is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint requests_reason_is_a_line on public.requests is 'Escribe un motivo de 200 caracteres como máximo.';

alter table public.requests replica identity full;
-- Leaves out the columns that the payer's page does not need: the risk, the hash, and the columns about other people.
grant select (
  id, kind, status, asked_at, payer, payee_name, payee_masked, amount, description, due_on, expires_at, decided_by_name, decided_at,
  reason, ended_at
) on public.requests to authenticated;

create policy "customers read the transfers that they requested" on public.requests
  for select to authenticated using (payer = (select auth.uid()));
comment on policy "customers read the transfers that they requested" on public.requests is
  'Administrators read the requests of others only through public.list_waiting_requests and public.list_decided_requests. The payee sees only the deposit, once the transfer is done.';
alter publication supabase_realtime add table public.requests;

-- supabase/schemas/money/tables.sql

-- Money: the balance, the transactions and their edits, deletions and corrections, and the journal that proves them.
-- Uses: people, notices.
-- Promises: a balance is the sum of its journal, entries are never changed or deleted, and each entry contains the
-- hash of the one before it.

-- Each customer's balance and monthly limit.

create table public.budgets (
  user_id uuid primary key references auth.users (id) on delete cascade,
  balance numeric not null default 0,
  monthly_limit numeric,
  noted numeric not null default 0,
  -- A JavaScript number is exact only up to 2^53 hundredths. A browser would show a balance above 2^53 hundredths
  -- incorrectly.
  constraint budgets_balance_exact check (
    balance between -90071992547409.91 and 90071992547409.91 and scale(trim_scale(balance)) <= 2
  ),
  -- A transfer checks only the balance. The customer's notes must therefore never make the balance larger than the
  -- balance according to the bank.
  constraint budgets_notes_only_lower check (noted <= 0),
  constraint budgets_monthly_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.budgets is 'One row for each customer: the balance that the bank holds, and the monthly limit that the customer set.';
comment on column public.budgets.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.budgets.balance is 'The balance in units of the account''s currency, with at most two decimals; may be negative. Only postings to the ledger change it.';
comment on column public.budgets.noted is 'The sum, in units of currency, of the customer''s notes, which are the expenses that the customer recorded; never positive. The balance minus this sum is the balance according to the bank. Only postings to the ledger change it.';
comment on column public.budgets.monthly_limit is 'The limit for each calendar month in Bogotá, in units of currency with at most two decimals; null until the customer sets a limit.';

-- If a row violates a constraint, the table API answers with the comment on that constraint.
comment on constraint budgets_balance_exact on public.budgets is 'El saldo quedaría fuera de lo que el banco puede registrar.';
comment on constraint budgets_notes_only_lower on public.budgets is 'Las anotaciones del cliente no pueden aumentar el saldo.';
comment on constraint budgets_monthly_limit_is_money on public.budgets is 'El límite mensual debe ser mayor que cero, con dos decimales como máximo.';

alter table public.budgets replica identity full;
grant select, update (monthly_limit) on public.budgets to authenticated;
grant select on public.budgets to service_role;

create policy "customers read their own budget" on public.budgets
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own budget" on public.budgets is 'The table API shows customers only their own balance.';

create policy "customers set their own monthly limit" on public.budgets
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers set their own monthly limit" on public.budgets is 'The column grant covers only the limit. Customers therefore cannot change their balance.';

create policy "the service reads every budget" on public.budgets for select to service_role using (true);
comment on policy "the service reads every budget" on public.budgets is 'Lets the operator''s tools read the table.';

alter publication supabase_realtime add table public.budgets;

-- The amounts and the time by which staff order and filter the accounts. The amounts stand beside the budgets and not in
-- them, because an index on the balance would make each posting write all indexes of the budget, and because the table API
-- shows the budgets to the customers (docs/decisions/0119).

create table private.listed_accounts (
  user_id uuid primary key references public.budgets (user_id) on delete cascade,
  balance numeric not null default 0,
  is_overdrawn boolean not null default false,
  last_at timestamptz not null default '-infinity'
);
comment on table private.listed_accounts is 'One row for each budget, by which staff order and filter the accounts. Each posting keeps it (ledger.post_all), and the verification of the ledger compares it (ledger.check_balances).';
comment on column private.listed_accounts.user_id is 'The customer. The row is deleted together with the account.';
comment on column private.listed_accounts.balance is 'As in public.budgets.';
comment on column private.listed_accounts.is_overdrawn is 'Whether the balance is negative according to the bank, without the customer''s own notes.';
comment on column private.listed_accounts.last_at is 'Date of the newest transaction in the customer''s list; -infinity without transactions.';
create index listed_accounts_by_balance on private.listed_accounts (balance, user_id);
comment on index private.listed_accounts_by_balance is 'The order by balance (public.list_customers).';
create index listed_accounts_by_last on private.listed_accounts (last_at, user_id);
comment on index private.listed_accounts_by_last is 'The order by newest transaction (public.list_customers).';
create index listed_accounts_overdrawn on private.listed_accounts (balance, user_id) where is_overdrawn;
comment on index private.listed_accounts_overdrawn is 'Finds and counts the accounts with a negative balance according to the bank, in the order by balance.';

-- The kind alone decides whether an entry is a note, because the hash of an entry covers the kind and the kind never
-- changes. The actor does not identify notes: a transfer and a recurring expense have no actor.
create function ledger.is_note(kind text) returns boolean
  language sql immutable
  return kind not in ('deposit', 'expense', 'closing');
comment on function ledger.is_note(text) is
  'Returns whether entries of this kind are notes, which record the customer''s own changes to their list. All other entries are postings of the bank.';

-- The journal stores every posting, reversal and removal in one hash chain for each customer. No role can change or
-- delete an entry. Entries remain after a customer is deleted; therefore the table has no foreign key to auth.users.

create table ledger.journal (
  user_id uuid not null,
  seq bigint not null,
  kind text not null,
  origin text,
  origin_id uuid,
  transaction_id uuid,
  delta numeric not null,
  balance_after numeric not null,
  actor uuid,
  dated_at timestamptz,
  recorded_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  -- The column is stored, because statements and explanations of a balance add up the notes of the whole history.
  is_note boolean not null generated always as (ledger.is_note(kind)) stored,
  primary key (user_id, seq),
  constraint journal_kind_known check (kind in ('deposit', 'expense', 'note', 'amendment', 'edit', 'reversal', 'removal', 'restoration', 'closing')),
  constraint journal_origin_is_of_a_transaction check (
    (origin is null) = (kind = 'closing') and (origin_id is null) = (coalesce(origin, 'own') = 'own')
  )
);

create unique index journal_posts_once on ledger.journal (user_id, transaction_id)
  where kind in ('deposit', 'expense', 'note');
comment on index ledger.journal_posts_once is 'Ensures that a transaction is posted once, even if the customer has deleted it since.';

-- This index is not unique, because a transaction's posting, edits, reversal and restoration all have the same
-- transaction_id. The last column is seq, so that a transaction's latest entry can be found without scanning the
-- customer's history.
create index journal_by_transaction on ledger.journal (user_id, transaction_id, seq);
comment on index ledger.journal_by_transaction is 'Finds the entries of a transaction, and its latest entry.';

comment on table ledger.journal is 'Append-only. A row is added when a customer''s balance changes, when a customer edits a transaction, and when a customer removes a bank transaction from their list or restores it.';
comment on column ledger.journal.user_id is 'The customer, who may have been deleted since.';
comment on column ledger.journal.seq is 'Numbers each customer''s entries 1, 2, 3, … without gaps.';
comment on column ledger.journal.kind is
  '`deposit`, `expense`: a new transaction of the bank. `note`: a new expense that the customer recorded. `edit`: a new value of a column of private.editable, which public.transaction_edits stores. `reversal`: the customer deleted an expense that they had recorded, or changed its amount or date. `amendment`: the expense with its new amount and date, right after its reversal. `removal`: the customer removed a bank transaction from their list. `restoration`: the customer undid a reversal or removal. `closing`: the account was closed.';
comment on column ledger.journal.origin is 'Origin of the transaction, as in public.transactions.origin; null for a closing.';
comment on column ledger.journal.origin_id is 'As in public.transactions.origin_id.';
comment on column ledger.journal.transaction_id is
  'The transaction that the entry posts, amends, edits, reverses, removes or restores. The transaction may have been deleted since. Null for a closing.';
comment on column ledger.journal.delta is
  'Signed change of the balance in units of currency; 0 for an edit, for a removal, and for a restoration after a removal.';
comment on column ledger.journal.balance_after is 'The balance after this entry, in units of currency: the sum of all deltas up to and including this entry.';
comment on column ledger.journal.actor is 'Id of the user who made the change; null if the system made it, and for a transfer.';
comment on column ledger.journal.dated_at is 'Date of the transaction, used in statements and in balances over time. A correction has the same date as the mistake that it corrects. Null for an edit and for a closing.';
comment on column ledger.journal.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column ledger.journal.previous_hash is 'The hash of the previous entry; 32 zero bytes in the first entry.';
comment on column ledger.journal.hash is 'SHA-256 of all other columns except is_note, which the kind determines (ledger.entry_hash).';
comment on column ledger.journal.is_note is 'Whether the entry is a note of the customer (ledger.is_note).';

grant select on ledger.journal to authenticated;

create policy "customers read their own journal" on ledger.journal
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own journal" on ledger.journal is
  'Customers read their entries only through public.journal_entries, because requests cannot address this schema. Administrators, like customers, can read only their own entries.';
create index journal_by_time on ledger.journal (recorded_at);
comment on index ledger.journal_by_time is 'Finds the entries of a day, from which public.sum_bank computes how much the bank''s debt changed.';
create index journal_by_date on ledger.journal (user_id, dated_at, seq) include (delta, is_note);
comment on index ledger.journal_by_date is 'Finds the entries of a month, and sums the entries before that month (public.statement). With 100,000 entries, a statement took 120 ms without this index and 45 ms with it.';

-- This index is small, because it contains only the bank transactions that customers removed from their lists.
create index journal_removals on ledger.journal (user_id, transaction_id) where kind = 'removal';
comment on index ledger.journal_removals is 'Finds transactions that the customer removed from their list but that still count in the balance (public.sum_transactions).';

-- This index is small, because few transfers are returned.
create index journal_returns on ledger.journal (user_id, origin_id) where origin = 'return';
comment on index ledger.journal_returns is 'Finds the posting that returned a transfer (ledger.check_transfers).';

-- Transactions of customers. Customers record their own expenses, and the bank records all other transactions.

create table public.transactions (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null,
  description text not null,
  amount numeric not null,
  date timestamptz not null default now(),
  category text,
  recorded_by text not null default 'customer',
  is_void boolean not null default false,
  origin text not null default 'own',
  origin_id uuid,
  -- The key begins with user_id, so that the table can be sharded by customer. The key must include the owner, because
  -- the announcement of a deletion contains only the key.
  primary key (user_id, id),
  constraint transactions_type_known check (type in ('deposit', 'expense')),
  -- The type is not numeric(14,2), which would accept NaN and would round amounts that must be refused.
  constraint transactions_amount_is_money check (
    amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2
  ),
  -- The two character classes are the same as in contract/format/plain-line.ts. Characters of the first class are not allowed:
  -- controls, line separators and changes of text direction. At least one character must be outside the second class,
  -- which lists invisible characters: blanks, joiners, fillers, selectors and tags. The two character classes are
  -- literals, because PostgreSQL would inline a function again for each INSERT.
  constraint transactions_description_is_a_line check (
    char_length(description) <= 200
    and description is nfc normalized
    and description !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and description ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_category_is_a_word check (
    char_length(category) <= 50
    and category is nfc normalized
    and category !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and category ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_recorder_known check (recorded_by in ('customer', 'bank')),
  constraint transactions_origin_known check (
    origin in ('own', 'import', 'recurring', 'clerk', 'batch', 'transfer', 'return', 'correction')
  ),
  constraint transactions_origin_has_its_id check ((origin_id is null) = (origin = 'own')),
  constraint transactions_recorder_is_of_the_origin check (
    recorded_by = case when origin in ('own', 'import', 'recurring') then 'customer' else 'bank' end
  )
);
create index transactions_newest_first on public.transactions (user_id, date desc, id desc);
comment on table public.transactions is 'One row for each deposit or expense of a customer. Rows can be added and deleted. The category of every row can change. The other columns that can change do so only if the customer recorded the transaction.';
comment on column public.transactions.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.transactions.id is 'Unique for each customer. The client may choose the id, so that a retry cannot record the transaction twice.';
comment on column public.transactions.type is '"deposit" increases the balance, and "expense" decreases it.';
comment on column public.transactions.description is 'One line of up to 200 characters.';
comment on column public.transactions.amount is 'Amount in units of currency, with at most two decimals. Always positive, because the column type says whether the balance increases or decreases.';
comment on column public.transactions.date is 'Time of the deposit or expense. When the transaction is recorded, the date must be at most ten years in the past and at most one day in the future.';
comment on column public.transactions.category is 'One of the product''s categories or any other text of up to 50 characters; may be null for deposits.';
comment on column public.transactions.recorded_by is '"bank" for transactions that the bank recorded, "customer" for the customer''s own expenses. No client can write this column.';
comment on column public.transactions.is_void is 'Whether the transaction is void: a corrected mistake of the bank, or a correction (private.void_at). Void transactions cancel each other out, and are excluded from income, spending and balances over time. Only private.correct changes this column; clients cannot write it.';
comment on column public.transactions.origin is
  'The way in which the transaction was recorded, which never changes. `own`: the customer entered it. `import`: from a file. `recurring`: by a recurring expense. `clerk`: an administrator registered it. `batch`: a line of a batch. `transfer` and `return`: one side of a transfer or of its return. `correction`: the reversal or the replacement of a mistake. No client can write this column.';
comment on column public.transactions.origin_id is
  'Id of the import, of the recurring expense, of the administrator''s order, of the batch, of the transfer, or of the order that corrected the mistake: a correction or a batch that was reversed. Never the id of a person. Null for the origin `own`.';

-- If a row violates a constraint, the table API answers with the comment on that constraint.
comment on constraint transactions_user_id_fkey on public.transactions is 'El cliente no tiene una cuenta abierta.';
comment on constraint transactions_type_known on public.transactions is 'El tipo debe ser depósito o gasto.';
comment on constraint transactions_amount_is_money on public.transactions is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint transactions_description_is_a_line on public.transactions is 'Escribe una descripción de 200 caracteres como máximo.';
comment on constraint transactions_category_is_a_word on public.transactions is 'La categoría no es válida.';
comment on constraint transactions_origin_known on public.transactions is 'El origen del movimiento no existe.';
comment on constraint transactions_origin_has_its_id on public.transactions is 'El origen del movimiento no dice de dónde viene.';
comment on constraint transactions_recorder_is_of_the_origin on public.transactions is 'El origen del movimiento no es de quien lo registró.';

alter table public.transactions replica identity full;
grant select, delete, insert (user_id, id, type, description, amount, date, category) on public.transactions to authenticated;
grant select on public.transactions to service_role;

create policy "customers read their own transactions" on public.transactions
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own transactions" on public.transactions is 'Administrators, like customers, can read only their own transactions.';

create policy "customers record their own expenses" on public.transactions
  for insert to authenticated with check (user_id = (select auth.uid()) and type = 'expense' and origin = 'own');
comment on policy "customers record their own expenses" on public.transactions is 'Only the bank records deposits, and only the database records the other origins.';

create policy "customers delete their own transactions" on public.transactions
  for delete to authenticated using (user_id = (select auth.uid()));
comment on policy "customers delete their own transactions" on public.transactions is
  'The trigger post_removed_transactions decides whether a deletion changes the balance.';

create policy "the service reads every transaction" on public.transactions for select to service_role using (true);
comment on policy "the service reads every transaction" on public.transactions is 'Lets the operator''s tools read the table.';

alter publication supabase_realtime add table public.transactions;
grant update (description, category) on public.transactions to authenticated;

-- Every rule about the columns that a customer may change calls this function. A test compares it with the grant above.
create function private.editable(t public.transactions) returns jsonb
  language sql stable
  return jsonb_build_object('description', t.description, 'category', t.category);
comment on function private.editable(public.transactions) is
  'Returns the columns of a transaction that the customer may change without a new posting. public.transaction_edits stores them before and after each edit. In a transaction of the bank, only the category may change.';

create policy "customers edit their own transactions" on public.transactions
  for update to authenticated using (user_id = (select auth.uid()) and (select private.has_rows_left()));
comment on policy "customers edit their own transactions" on public.transactions is
  'Refuses a customer who has used up the limit "rows written", once for each statement and before it writes a row. The column grants cover the columns of private.editable. A trigger refuses to change any of them except the category in a bank transaction.';

-- This index is on an expression, so that the planner does not choose it for a customer's own list. A customer's own
-- list should use the index transactions_newest_first.
create index transactions_by_amount on public.transactions (trunc(amount * 100), date desc);
comment on index public.transactions_by_amount is 'Finds the newest transactions with a given amount, in hundredths, in the whole bank (public.search_bank).';
-- Uses only built-in functions, because they run for every posting and every imported line. private.folded takes 1.3
-- ms.
create index transactions_by_description on public.transactions (
  (translate(lower(left(description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--')) text_pattern_ops, date desc
);
comment on index public.transactions_by_description is 'Finds transactions in the whole bank by the first 40 characters of their description, ignoring case and Spanish accents (public.search_bank).';

-- Undo: a deleted transaction can be restored for 24 hours, exactly as it was -----------------------

create table ledger.deleted_transactions (
  -- References the budget and not the user, because closing an account deletes the budget before the user.
  user_id uuid not null references public.budgets (user_id) on delete cascade,
  id uuid not null,
  "row" jsonb not null,
  delta numeric not null,
  deleted_at timestamptz not null default clock_timestamp(),
  restored_in xid8,
  primary key (user_id, id)
);
create index deleted_transactions_oldest_first on ledger.deleted_transactions (deleted_at);

comment on table ledger.deleted_transactions is 'Transactions that customers deleted in the last 24 hours and can restore. The rows are deleted with the account.';
comment on column ledger.deleted_transactions.user_id is 'The customer. The row is deleted together with the account.';
comment on column ledger.deleted_transactions.id is 'Id of the transaction. The transaction keeps this id when it is restored.';
comment on column ledger.deleted_transactions."row" is 'The whole row of public.transactions at the time of the deletion, including all edits. A restoration preserves it, even if its date is more than ten years old. Only is_void may have changed since.';
comment on column ledger.deleted_transactions.delta is 'Signed change of the balance that the deletion caused, in units of currency; 0 for a bank transaction. The restoration reverses this change.';
comment on column ledger.deleted_transactions.deleted_at is 'Time at which the transaction was deleted. The transaction can be restored for 24 hours.';
comment on column ledger.deleted_transactions.restored_in is 'The database transaction that is restoring the row, so that its triggers can recognize the restoration. Null in committed rows.';

-- Edits: customers change the texts of their transactions. The journal records only that an edit happened. The old and
-- new texts are stored in the table below instead. The journal outlives the customer and must therefore not contain
-- free text. A change of amount or date appears in the journal itself, as a reversal and an amendment.

create table public.transaction_edits (
  -- References the budget and not the user, because closing an account deletes the budget before the user.
  user_id uuid not null references public.budgets (user_id) on delete cascade,
  seq bigint not null,
  transaction_id uuid not null,
  -- A copy of the journal entry's time, so that a page of edits needs no lookups in the journal.
  recorded_at timestamptz not null,
  before jsonb not null,
  after jsonb not null,
  primary key (user_id, seq)
);
create index transaction_edits_by_transaction on public.transaction_edits (user_id, transaction_id, seq);

comment on table public.transaction_edits is 'Append-only. One row for each journal entry of kind "edit", with the texts of the transaction before and after the edit. Clients read the rows in pages, ordered by seq. Rows are deleted with the account, or when the transaction can no longer be restored.';
comment on column public.transaction_edits.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.transaction_edits.seq is 'Number of the journal entry.';
comment on column public.transaction_edits.transaction_id is 'The transaction, which may have been deleted in the last 24 hours.';
comment on column public.transaction_edits.recorded_at is 'Time of the edit, equal to the time of the journal entry.';
comment on column public.transaction_edits.before is 'The columns of private.editable before the edit.';
comment on column public.transaction_edits.after is 'The same columns after the edit, also those that did not change.';

grant select on public.transaction_edits to authenticated;

create policy "customers read their own edits" on public.transaction_edits
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own edits" on public.transaction_edits is 'Administrators, like customers, can read only their own edits.';

-- Corrections: bank transactions that reverse an earlier bank transaction. Staff order a correction with
-- public.correct_transaction or public.reverse_batch.

create table public.corrections (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  corrected_id uuid not null,
  mistake_id uuid not null,
  makes_void boolean not null,
  dated_at timestamptz not null,
  replacement_id uuid,
  reason text not null,
  corrected_by text,
  corrected_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint corrections_correct_once unique (user_id, corrected_id),
  constraint corrections_reason_is_a_line check (private.is_word(reason, 200))
);
create index corrections_by_mistake on public.corrections (user_id, mistake_id);

comment on table public.corrections is 'One row for each bank transaction that reverses an earlier bank transaction, with the reason and the administrator''s name. Append-only while the account is open. The customer may have removed the correction, the corrected transaction or both from their list.';
comment on column public.corrections.user_id is 'Owner of the correction and of the corrected transaction.';
comment on column public.corrections.id is 'Id of the correcting transaction. A later correction may reverse this transaction in turn.';
comment on column public.corrections.corrected_id is 'Id of the transaction that was a mistake. A transaction can be corrected only once.';
comment on column public.corrections.mistake_id is 'Id of the first wrong transaction. If the corrected transaction is itself a correction, this column equals the mistake_id of that correction; otherwise, this column equals corrected_id.';
comment on column public.corrections.makes_void is 'Whether the mistake is void after this correction. False for the correction of a correction that made it void: the mistake is valid again.';
comment on column public.corrections.dated_at is 'Date of the mistake, with which the journal posts the correction.';
comment on column public.corrections.replacement_id is 'Id of the transaction with the right amount, which the same call recorded; null if the correction only cancels the mistake.';
comment on column public.corrections.reason is 'One line of up to 200 characters, which the customer can read.';
comment on column public.corrections.corrected_by is 'The administrator''s name at the time of the correction; null if the administrator had no name.';
comment on column public.corrections.corrected_at is 'Time of the correction.';
comment on constraint corrections_correct_once on public.corrections is 'Este movimiento ya se corrigió.';
comment on constraint corrections_reason_is_a_line on public.corrections is 'Escribe un motivo de 200 caracteres como máximo.';

grant select on public.corrections to authenticated, service_role;

create policy "customers read their own corrections" on public.corrections
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own corrections" on public.corrections is 'Customers see who made each correction and why.';
create policy "the service reads every correction" on public.corrections for select to service_role using (true);
comment on policy "the service reads every correction" on public.corrections is 'Lets the operator''s tools read the table.';

-- The result of the ledger's last verification. One server verifies the ledger on behalf of all servers of a bank.

create table ledger.daily_check (
  is_only boolean primary key default true,
  ended_at timestamptz not null,
  is_broken boolean not null,
  constraint daily_check_is_one_row check (is_only)
);
comment on table ledger.daily_check is 'The result of the last verification. The table has at most one row, and is empty before the first verification.';
comment on column ledger.daily_check.is_only is 'Always true, so that the table cannot have a second row.';
comment on column ledger.daily_check.ended_at is 'Time at which the last complete verification ended.';
comment on column ledger.daily_check.is_broken is 'Whether the last verification found an invalid entry.';

-- supabase/schemas/planning/tables.sql

-- Planning: a customer orders and plans their spending with categories, rules, limits and recurring expenses.
-- Uses: money, orders.
-- Promises: each row belongs to one customer, who has a limited number of rows. No row moves money of the bank.

-- A customer's own categories, and rules that categorize expenses by their description. A transaction stores the name
-- of its category as text. These tables determine only which names the page offers and proposes.

create table public.categories (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  primary key (user_id, name),
  constraint categories_name_is_a_word check (private.is_word(name, 50))
);
create unique index categories_once on public.categories (user_id, private.folded(name));

comment on table public.categories is 'One row for each category that a customer created in addition to the product''s categories.';
comment on column public.categories.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.categories.name is 'Name of the category. Changing the name here also changes it in transactions, rules, limits and recurring expenses. Deleting the category does not change transactions.';
comment on constraint categories_name_is_a_word on public.categories is 'Escribe un nombre de 50 caracteres como máximo.';
alter table public.categories replica identity full;
grant select, delete, insert, update (name) on public.categories to authenticated;
create policy "customers keep categories of their own" on public.categories
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep categories of their own" on public.categories is 'The column grants allow customers to change only the name.';
alter publication supabase_realtime add table public.categories;

create table public.category_rules (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  contains text not null,
  category text not null,
  position numeric not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  first_seq bigint,
  entries integer,
  undone_at timestamptz,
  -- Truncates the text, because constraints are checked only later, and folding takes quadratic time.
  folded text not null generated always as (private.folded(left(contains, 100))) stored,
  primary key (user_id, id),
  constraint category_rules_text_is_a_word check (private.is_word(contains, 100) and char_length(contains) >= 2),
  constraint category_rules_category_is_a_word check (private.is_word(category, 50)),
  -- Without this limit, a customer could store numbers of any length.
  constraint category_rules_position_is_short check (position between 0 and 10000 and scale(position) <= 1),
  -- Customers are allowed to write the columns `entries` and `first_seq`. This limit prevents them from making an undo
  -- change more rows than one application of a rule could.
  constraint category_rules_entries_are_few check (entries between 1 and 10000),
  constraint category_rules_first_seq_is_one check (first_seq between 1 and 1000000000000000)
);
create unique index category_rules_once on public.category_rules (user_id, folded);

comment on table public.category_rules is 'One row for each rule of a customer. A rule assigns a category to expenses whose description contains a given text. The first matching rule applies.';
comment on column public.category_rules.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.category_rules.id is 'Unique for each customer.';
comment on column public.category_rules.contains is 'Text to find in descriptions, ignoring case and accents; from 2 to 100 characters.';
comment on column public.category_rules.category is 'The category that the rule assigns to matching expenses.';
comment on column public.category_rules.position is 'Rules are tried in ascending order of position. Among equal positions, the newest rule is tried first.';
comment on column public.category_rules.created_at is 'Time at which the rule was created.';
comment on column public.category_rules.first_seq is 'Number (seq) of the journal entry of the first edit that the rule''s last application made; null if the rule was never applied.';
comment on column public.category_rules.entries is 'Number of edits that the last application made. The journal entries of these edits are consecutive and start at first_seq.';
comment on column public.category_rules.undone_at is 'Time at which the customer undid the last application; null if the application was not undone.';
comment on column public.category_rules.folded is 'The text of the column `contains` in lower case and without accents (private.folded), for comparison with descriptions.';
comment on constraint category_rules_text_is_a_word on public.category_rules is 'Escribe entre 2 y 100 caracteres de la descripción.';
comment on constraint category_rules_category_is_a_word on public.category_rules is 'La categoría no es válida.';
comment on constraint category_rules_entries_are_few on public.category_rules is 'Una regla archiva hasta 10.000 movimientos.';
comment on constraint category_rules_first_seq_is_one on public.category_rules is 'El primer registro de la regla no es válido.';
comment on constraint category_rules_position_is_short on public.category_rules is 'El orden de las reglas no es válido.';
-- The replica identity is the key. From PostgreSQL 18 on, a publication of deletions refuses a table whose replica
-- identity includes a generated column.
grant select, delete, insert (user_id, id, contains, category),
  update (contains, category, position, first_seq, entries, undone_at) on public.category_rules to authenticated;
create policy "customers keep rules of their own" on public.category_rules
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep rules of their own" on public.category_rules is 'A rule gives customers no additional rights: they could make the same changes by editing their transactions one by one.';
alter publication supabase_realtime add table public.category_rules;

-- A customer's monthly limits by category, and the amounts that are carried over to the next month.

create table public.category_budgets (
  user_id uuid not null references auth.users (id) on delete cascade,
  category text not null,
  month date not null,
  monthly_limit numeric,
  carries_over boolean not null default false,
  primary key (user_id, category, month),
  constraint category_budgets_category_is_a_word check (private.is_word(category, 50)),
  constraint category_budgets_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.category_budgets is 'One row for each month in which a customer changed a category''s limit. The limit applies until the month of the next row. The amounts that are carried over are computed from these rows.';
comment on column public.category_budgets.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.category_budgets.category is 'Name of the category, as stored in public.transactions.';
comment on column public.category_budgets.month is 'First day (in Bogotá) of the month from which the limit applies.';
comment on column public.category_budgets.monthly_limit is 'Units of currency with at most two decimals, per calendar month in Bogotá; null if the category has no limit from that month on.';
comment on column public.category_budgets.carries_over is 'Whether the unspent rest of the limit, or the amount spent above the limit, is carried over to the next month.';
comment on constraint category_budgets_category_is_a_word on public.category_budgets is 'La categoría no es válida.';
comment on constraint category_budgets_limit_is_money on public.category_budgets is 'El límite debe ser mayor que cero, con dos decimales como máximo.';

grant select on public.category_budgets to authenticated;

create policy "customers read their own category limits" on public.category_budgets
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own category limits" on public.category_budgets is 'Customers set their limits with public.set_category_budget, which takes the month from the database''s clock.';

-- Recurring expenses: payments that customers expect every week, every two weeks, every month or every year. A
-- transaction with a similar description settles a due payment. If the customer chooses, the database itself records
-- the payment on its due day. The due day is determined by the database's clock in Bogotá's time zone. Customers can
-- confirm, change, pause and end recurring expenses.

create table public.recurring_expenses (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  description text not null,
  amount numeric not null,
  category text,
  rhythm text not null,
  due_day smallint,
  next_due_on date not null,
  expected_from date not null,
  is_automatic boolean not null default false,
  status text not null default 'active',
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id),
  constraint recurring_expenses_rhythm_known check (rhythm in ('weekly', 'biweekly', 'monthly', 'yearly')),
  constraint recurring_expenses_status_known check (status in ('active', 'paused', 'ended', 'dismissed')),
  constraint recurring_expenses_due_day_fits check (
    case
      when rhythm in ('weekly', 'biweekly') then due_day is null
      else due_day between 1 and 31 and extract(day from next_due_on) = least(
        due_day, extract(day from date_trunc('month', next_due_on::timestamp) + interval '1 month - 1 day')
      )
    end is true
  )
);
create index recurring_expenses_due on public.recurring_expenses (next_due_on, user_id, id) where status = 'active';

comment on table public.recurring_expenses is 'One row for each recurring expense of a customer, including ended expenses and dismissed proposals.';
comment on column public.recurring_expenses.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.recurring_expenses.id is 'Unique for each customer. The client chooses the id, so that a retry cannot add the expense twice.';
comment on column public.recurring_expenses.description is 'The description of the transactions that settle the payments. Descriptions are compared ignoring case, accents, digits and punctuation (private.normalize_payee).';
comment on column public.recurring_expenses.amount is 'Amount of each payment in units of currency: positive, with at most two decimals. The amount of a transaction that settles the payment may differ by up to 10 %.';
comment on column public.recurring_expenses.category is 'The category of the payments that the database records; may be null.';
comment on column public.recurring_expenses.rhythm is 'weekly, biweekly (every 14 days), monthly or yearly.';
comment on column public.recurring_expenses.due_day is 'Day of the month for monthly and yearly expenses. In a shorter month, the last day is used. Null for weekly and biweekly expenses.';
comment on column public.recurring_expenses.next_due_on is 'The next due day in Bogotá. private.record_due_expenses advances it.';
comment on column public.recurring_expenses.expected_from is 'Due days before this date never count as missing. A change of the description, amount or rhythm sets this date to the day of the change. A change of next_due_on, or the end of a pause, sets this date to next_due_on.';
comment on column public.recurring_expenses.is_automatic is 'Whether the database records the payment on its due day if no transaction has settled the payment.';
comment on column public.recurring_expenses.status is '`active`: payments are expected on the due days. `paused`: payments are neither expected nor recorded. `ended`: the expense cannot become active again. `dismissed`: a proposal that the customer declined.';
comment on column public.recurring_expenses.created_at is 'Time at which the row was first saved.';
comment on constraint recurring_expenses_rhythm_known on public.recurring_expenses is 'Elige cada semana, cada dos semanas, cada mes o cada año.';
comment on constraint recurring_expenses_due_day_fits on public.recurring_expenses is 'La fecha no cae en el día del mes que elegiste.';
grant select on public.recurring_expenses to authenticated;
create policy "customers read their own recurring expenses" on public.recurring_expenses
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own recurring expenses" on public.recurring_expenses is 'Administrators are also limited to their own recurring expenses.';

-- Copies the check constraints of public.transactions. An expense that public.transactions would refuse on the due day
-- is therefore refused when the customer saves the recurring expense.
do $$
declare
  of_movements record;
begin
  for of_movements in
    select
      replace(c.conname, 'transactions_', 'recurring_expenses_') as name,
      pg_get_constraintdef(c.oid) as definition,
      obj_description(c.oid, 'pg_constraint') as message
    from pg_catalog.pg_constraint c
    where c.conrelid = 'public.transactions'::regclass
      and c.conname in ('transactions_amount_is_money', 'transactions_description_is_a_line', 'transactions_category_is_a_word')
  loop
    execute format('alter table public.recurring_expenses add constraint %I %s', of_movements.name, of_movements.definition);
    execute format('comment on constraint %I on public.recurring_expenses is %L', of_movements.name, of_movements.message);
  end loop;
end
$$;

create table public.recurring_occurrences (
  user_id uuid not null,
  recurring_id uuid not null,
  due_on date not null,
  amount numeric not null,
  transaction_id uuid,
  recorded_at timestamptz not null default clock_timestamp(),
  -- The key prevents concurrent calls from recording a due payment twice.
  primary key (user_id, recurring_id, due_on),
  foreign key (user_id, recurring_id) references public.recurring_expenses (user_id, id) on delete cascade
);

comment on table public.recurring_occurrences is 'One row for each due day of an automatic expense on which the database recorded the payment or failed to record it.';
comment on column public.recurring_occurrences.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.recurring_occurrences.recurring_id is 'The recurring expense.';
comment on column public.recurring_occurrences.due_on is 'The due day in Bogotá.';
comment on column public.recurring_occurrences.amount is 'The expense''s amount on that day, in units of currency.';
comment on column public.recurring_occurrences.transaction_id is 'The recorded transaction, which may have been deleted since; null if the payment was refused.';
comment on column public.recurring_occurrences.recorded_at is 'Time at which the payment was recorded or refused. This time is on the due day, or later if the server was not running.';
grant select on public.recurring_occurrences to authenticated;
create policy "customers read their own occurrences" on public.recurring_occurrences
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own occurrences" on public.recurring_occurrences is 'Administrators are also limited to their own occurrences.';

-- supabase/schemas/uploads/tables.sql

-- Uploads: files with many lines, which are the imports of customers, and the batches and new customers of staff.
-- Uses: money, orders.
-- Promises: an upload is stored as a whole or not at all, and each of its lines takes effect once.

-- The list of each customer's imports. The quota for single transactions reads this list, because imported expenses do
-- not count toward that quota. public.import_transactions records an import.

create table public.imports (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  entries integer not null,
  amount numeric not null,
  first_seq bigint not null,
  body_hash bytea not null,
  undone_at timestamptz,
  primary key (user_id, id)
);

comment on table public.imports is 'One row for each import of a customer. The entries of an import are consecutive in the customer''s journal, and identify the imported transactions.';
comment on column public.imports.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.imports.id is 'Unique for each customer. The client chooses the id, so that a retry cannot record the import twice.';
comment on column public.imports.created_at is 'Time of the import.';
comment on column public.imports.entries is 'Number of imported expenses. Each expense has one journal entry.';
comment on column public.imports.amount is 'Sum of the imported expenses in units of currency.';
comment on column public.imports.first_seq is 'Number (seq) of the import''s first entry in the customer''s journal.';
comment on column public.imports.body_hash is 'SHA-256 of the expenses in the form in which the client sent them. A call that reuses the id with different expenses is refused.';
comment on column public.imports.undone_at is 'Time at which the customer undid the import; null if the import was not undone.';

alter table public.imports replica identity full;
grant select on public.imports to authenticated, service_role;

create policy "customers read their own imports" on public.imports
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own imports" on public.imports is 'Administrators, like customers, can read only their own imports.';

create policy "the service reads every import" on public.imports for select to service_role using (true);
comment on policy "the service reads every import" on public.imports is 'Lets the operator''s tools read the table.';

-- Announces an import once, instead of announcing each imported expense. After the announcement, open pages reload
-- their lists.
alter publication supabase_realtime add table public.imports;

-- Imports: a customer records many expenses at once, from a file that their browser has read. Each import is recorded
-- completely or not at all, takes effect once, and can be undone as a whole.

-- Stores the original data of each imported transaction. The customer may rename the transaction, but the next file
-- from the other bank will contain it again under its original name.

create table public.import_lines (
  user_id uuid not null references auth.users (id) on delete cascade,
  transaction_id uuid not null,
  date date not null,
  amount numeric not null,
  description text,
  reference text,
  primary key (user_id, transaction_id),
  constraint import_lines_reference_is_a_line check (private.is_word(reference, 100))
);

comment on table public.import_lines is 'The original data of each imported transaction, for comparison with the next file. The rows are deleted with the account and when the import is undone.';
comment on column public.import_lines.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.import_lines.transaction_id is 'The imported transaction, which the customer may have deleted since.';
comment on column public.import_lines.date is 'Day of the transaction in Bogotá.';
comment on column public.import_lines.amount is 'Units of currency, positive.';
comment on column public.import_lines.description is 'The description in the file; null after the transaction was deleted and can no longer be restored.';
comment on column public.import_lines.reference is 'The other bank''s reference for the transaction (FITID in OFX; AcctSvcrRef or EndToEndId in camt); null if the file has no reference.';
comment on constraint import_lines_reference_is_a_line on public.import_lines is 'La referencia debe ser una línea visible de 100 caracteres como máximo.';

grant select on public.import_lines to authenticated;

create policy "customers read the lines of their own imports" on public.import_lines
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read the lines of their own imports" on public.import_lines is 'Administrators, like customers, can read only the lines of their own imports.';

-- Batches: deposits for many customers at once, for example a payroll. An order is stored first, either completely or
-- not at all. The database then posts the lines of the order in pieces of several lines, and posts each line only once.
-- If a line cannot be posted, the reason is stored in the column fault, and the other lines are still posted. A batch
-- can be reversed as a whole: its deposits are then also corrected in pieces.

create table public.batches (
  id uuid primary key,
  title text not null,
  created_at timestamptz not null default clock_timestamp(),
  sent_by uuid not null,
  sent_by_name text,
  posted_by uuid not null,
  lines integer not null,
  amount numeric not null,
  posted integer not null default 0,
  posted_amount numeric not null default 0,
  failed integer not null default 0,
  reversed_at timestamptz,
  reversed_by uuid,
  reversed_by_name text,
  reason text,
  reversed integer not null default 0,
  reversed_amount numeric not null default 0,
  kept integer not null default 0,
  is_held boolean not null default false,
  opens_accounts boolean not null default false,
  invites_since timestamptz,
  invited_by uuid,
  stopped_at timestamptz,
  finished_at timestamptz,
  body_hash bytea not null,
  constraint batches_title_is_a_line check (private.is_word(title, 200)),
  constraint batches_reason_is_a_line check (
    (reason is null) = (reversed_at is null) and (reason is null or private.is_word(reason, 200))
  )
);
create index batches_newest_first on public.batches (created_at desc);
create index batches_by_sender on public.batches (sent_by, created_at);
create index batches_to_post on public.batches (
  (case when reversed_at is null then posted + failed else reversed + kept end), created_at
) where finished_at is null and stopped_at is null and not is_held;
comment on index public.batches_to_post is 'Finds the next batch to post or to reverse (private.post_batch_piece).';

comment on table public.batches is 'One row for each batch of deposits that an administrator ordered, with its progress. Rows are never deleted.';
comment on column public.batches.id is 'The client chooses the id, so that a retry cannot order the batch twice.';
comment on column public.batches.title is 'The title that the administrator entered, or the name of their file; one line of up to 200 characters.';
comment on constraint batches_title_is_a_line on public.batches is 'Escribe un nombre de 200 caracteres como máximo.';
comment on column public.batches.created_at is 'Time at which the batch was ordered.';
comment on column public.batches.sent_by is 'The administrator who ordered the batch, who may have been deleted since.';
comment on column public.batches.sent_by_name is 'Name of the administrator who ordered the batch, at the time of the order; null if the administrator had no name.';
comment on column public.batches.posted_by is 'The administrator on whose behalf the batch is posted or reversed: the last administrator who ordered, continued or reversed it. The batch stops if this person is no longer an administrator.';
comment on constraint batches_reason_is_a_line on public.batches is 'Escribe un motivo de 200 caracteres como máximo.';
comment on column public.batches.lines is 'Number of ordered deposits.';
comment on column public.batches.amount is 'Sum of the ordered deposits in units of currency.';
comment on column public.batches.posted is 'Number of lines that have been posted so far.';
comment on column public.batches.posted_amount is 'Sum of the posted lines in units of currency.';
comment on column public.batches.failed is 'Number of lines that could not be posted. The fault of each of these lines states the reason.';
comment on column public.batches.reversed_at is 'Time at which the reversal was ordered; null if the batch was not reversed.';
comment on column public.batches.reversed_by is 'The administrator who ordered the reversal, who may have been deleted since; null if the batch was not reversed.';
comment on column public.batches.reversed_by_name is 'Name of the administrator who ordered the reversal, at the time of the reversal; null if the administrator had no name or if the batch was not reversed.';
comment on column public.batches.reason is 'Reason for the reversal, in one line of up to 200 characters that the customers can read; null if the batch was not reversed.';
comment on column public.batches.reversed is 'Number of posted lines that have been reversed so far.';
comment on column public.batches.reversed_amount is 'Sum of the reversed lines in units of currency.';
comment on column public.batches.kept is 'Number of posted lines that the reversal skipped. The fault of each of these lines states the reason.';
comment on column public.batches.is_held is 'Whether the batch waits for the decision of another administrator on the request with the same id.';
comment on column public.batches.opens_accounts is 'Whether the batch opens an account for each line. The amount of the line is then the opening balance (public.create_customers).';
comment on column public.batches.invites_since is 'Time from which the new customers of the batch are invited; null while no customer is invited.';
comment on column public.batches.invited_by is 'The administrator who started the invitations last, who may have been deleted since; null while no customer is invited. Customers are invited only while this person is an administrator.';
comment on column public.batches.stopped_at is 'Time at which the batch was stopped; null if the batch is not stopped now.';
comment on column public.batches.finished_at is 'Time at which the last line was processed; null while lines are waiting.';
comment on column public.batches.body_hash is 'SHA-256 of the lines in the form in which the client sent them. A call that reuses the id with different lines is refused.';
grant select on public.batches to authenticated;
create policy "administrators read every batch" on public.batches
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every batch" on public.batches is 'Customers see their own deposits, but not the batch.';
create index batches_inviting on public.batches (invites_since) where invites_since is not null;
comment on index public.batches_inviting is 'Finds the batches whose customers are invited (private.claim_invitations).';

create table public.batch_lines (
  batch_id uuid not null references public.batches (id),
  line integer not null,
  user_id uuid references public.profiles (id) on delete set null,
  amount numeric not null,
  description text,
  transaction_id uuid not null default gen_random_uuid(),
  status text not null default 'waiting',
  fault text,
  invitation text,
  invited_at timestamptz,
  primary key (batch_id, line),
  -- Together with the primary key of transactions and with ledger.post_all, this constraint ensures that a line causes
  -- only one deposit.
  constraint batch_lines_post_once unique (user_id, transaction_id),
  constraint batch_lines_status_known check (status in ('waiting', 'posted', 'failed', 'reversing', 'reversed')),
  constraint batch_lines_invitation_known check (invitation in ('waiting', 'sent', 'refused'))
);
create index batch_lines_waiting on public.batch_lines (batch_id, line) where status in ('waiting', 'reversing');
comment on index public.batch_lines_waiting is 'Finds the lines of a batch to post or reverse next (private.post_batch_piece).';
create index batch_lines_to_invite on public.batch_lines (batch_id, line) where invitation = 'waiting';
comment on index public.batch_lines_to_invite is 'Finds the customers to invite next (private.claim_invitations).';
create index batch_lines_invited on public.batch_lines (invited_at) where invited_at is not null;
comment on index public.batch_lines_invited is 'Counts the invitations of the last hour (private.claim_invitations).';

comment on table public.batch_lines is 'One row for each deposit of a batch. A batch that opens accounts has one row for each account.';
comment on column public.batch_lines.batch_id is 'The batch.';
comment on column public.batch_lines.line is 'Number of the line in the file.';
comment on column public.batch_lines.user_id is 'The customer; null until the account is opened, and after the account was deleted.';
comment on column public.batch_lines.amount is 'Amount in units of currency with at most two decimals: positive, or zero for a new account without an opening balance.';
comment on column public.batch_lines.description is 'One line of up to 200 characters, which the customer can read; null after the account was deleted.';
comment on column public.batch_lines.transaction_id is 'Id of the deposit, assigned before the deposit is posted.';
comment on column public.batch_lines.status is '"waiting", "posted" or "failed". In a reversed batch, the status can also be "reversing" (a posted line that waits for its reversal) or "reversed".';
comment on column public.batch_lines.fault is 'A sentence that explains why the line failed or why the reversal skipped it; null otherwise.';
comment on column public.batch_lines.invitation is '"waiting", "sent", or "refused" if the mail server said that the address does not exist; null if the line opened no account.';
comment on column public.batch_lines.invited_at is 'Time at which the last invitation was sent or tried; null if the customer was never invited.';
grant select on public.batch_lines to authenticated;
create policy "administrators read every line of a batch" on public.batch_lines
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every line of a batch" on public.batch_lines is
  'The lines are orders of the bank, and contain no data that the customer entered. Administrators may also read individual deposits in the audit.';

create table public.new_accounts (
  batch_id uuid not null,
  line integer not null,
  user_id uuid not null default gen_random_uuid(),
  full_name text not null,
  email text not null,
  document_kind text,
  document_number text,
  phone text,
  primary key (batch_id, line)
);
comment on table public.new_accounts is 'One row for each account that a batch still has to open. The row is deleted when the account is opened, or 30 days after the batch has finished.';
comment on column public.new_accounts.batch_id is 'The batch.';
comment on column public.new_accounts.line is 'Number of the line in the file.';
comment on column public.new_accounts.user_id is 'Id of the future user, assigned before the account is opened.';
comment on column public.new_accounts.full_name is 'The customer''s name.';
comment on column public.new_accounts.email is 'The customer''s e-mail address in lower case.';
comment on column public.new_accounts.document_kind is 'The format is the same as in account_holders; null if the file has no document.';
comment on column public.new_accounts.document_number is 'The format is the same as in account_holders; null if the file has no document.';
comment on column public.new_accounts.phone is 'The format is the same as in account_holders; null if the file has no telephone.';
grant select (batch_id, line, user_id, full_name, email) on public.new_accounts to authenticated;
create policy "administrators read every new account" on public.new_accounts
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every new account" on public.new_accounts is
  'The page of a batch shows the names and addresses of these customers. Administrators read the documents and telephones through public.read_failed_accounts, which records the reading.';

-- supabase/schemas/transfers/tables.sql

-- Transfers: beneficiaries, aliases, limits, and the clearing with other banks.
-- Uses: money, orders.
-- Promises: a beneficiary shows nothing about its owner, an alias never changes its owner, and a handed-over transfer
-- is in at most one file.

-- The limits that customers set for their own transfers, and the amounts that the page of transfers shows.

create table private.transfer_limits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  transfer_max numeric,
  day_max numeric,
  receive_min numeric,
  receives_from_known boolean not null default false,
  constraint transfer_limits_are_money check (
    receive_min between 0.01 and 999999999999.99 and scale(trim_scale(receive_min)) <= 2 and
    transfer_max between 0 and 999999999999.99 and scale(trim_scale(transfer_max)) <= 2
    and day_max between 0 and 999999999999.99 and scale(trim_scale(day_max)) <= 2
  )
);
comment on table private.transfer_limits is 'Limits that customers set for the transfers that they send and receive. The bank''s limits apply in addition.';
comment on column private.transfer_limits.transfer_max is 'The largest amount of a single transfer, in units of currency; null if the customer set no limit.';
comment on column private.transfer_limits.day_max is 'The largest sum, in units of currency, of the transfers requested on one day in Bogotá; null if the customer set no limit.';
comment on column private.transfer_limits.receive_min is 'The smallest transfer that the customer receives, in units of currency; null if the customer receives every amount.';
comment on column private.transfer_limits.receives_from_known is 'Whether the customer receives transfers only from people that they have paid or named as a beneficiary.';

-- The clearing: the transfers to accounts at other banks whose amounts have left the payers' accounts, and the files
-- with which the bank hands over these transfers (docs/decisions/0070). The bank owes the amounts of the transfers that
-- are not in a file yet.

create table private.clearing_files (
  number integer primary key,
  closed_at timestamptz not null,
  closed_by uuid not null,
  closed_by_name text,
  transfers integer not null,
  amount numeric not null,
  csv text not null,
  xml text not null,
  constraint clearing_files_number_from_one check (number > 0),
  constraint clearing_files_have_transfers check (transfers > 0)
);
comment on table private.clearing_files is 'The files that the bank hands to its clearing. Append-only, so that a file can be downloaded again with the same bytes.';
comment on column private.clearing_files.number is 'Number of the file, without gaps.';
comment on column private.clearing_files.closed_at is 'Time at which the file was closed.';
comment on column private.clearing_files.closed_by is 'Id of the administrator who closed the file; that administrator may have been deleted since then.';
comment on column private.clearing_files.closed_by_name is 'Name of that administrator at the time of the closing; null if the administrator had no name.';
comment on column private.clearing_files.transfers is 'Number of transfers in the file.';
comment on column private.clearing_files.amount is 'Sum of the transfers, in units of currency.';
comment on column private.clearing_files.csv is 'The file as comma-separated values.';
comment on column private.clearing_files.xml is 'The file as ISO 20022 pain.001.001.09.';

create table private.clearing_transfers (
  transfer_id uuid primary key,
  payer_name text,
  payer_document_kind text,
  payer_document text,
  payee_name text not null,
  destination jsonb not null,
  amount numeric not null,
  concept text,
  posted_at timestamptz not null default clock_timestamp(),
  file integer references private.clearing_files (number)
);
create index clearing_transfers_not_in_a_file on private.clearing_transfers (posted_at, transfer_id) where file is null;
create index clearing_transfers_of_file on private.clearing_transfers (file);
comment on table private.clearing_transfers is 'One row for each transfer to an account at another bank whose amount has left the payer''s account. Rows are never deleted: the bank must send the amount even if the payer closes the account.';
comment on column private.clearing_transfers.transfer_id is 'The request, whose row is never deleted.';
comment on column private.clearing_transfers.payer_name is 'The payer''s verified name, or the name that the payer had typed at the time of the request; null if the payer had no name.';
comment on column private.clearing_transfers.payer_document_kind is 'Kind of the payer''s identity document; null if the bank did not know the document.';
comment on column private.clearing_transfers.payer_document is 'Number of that document without separators; null if the bank did not know the document.';
comment on column private.clearing_transfers.payee_name is 'The holder of the account elsewhere.';
comment on column private.clearing_transfers.destination is 'As in public.beneficiaries.destination.';
comment on column private.clearing_transfers.amount is 'Units of currency.';
comment on column private.clearing_transfers.concept is 'The text that the payer wrote; null if the payer wrote none.';
comment on column private.clearing_transfers.posted_at is 'Time at which the amount left the payer''s account.';
comment on column private.clearing_transfers.file is 'The file that contains the transfer; null if the transfer is not in a file yet, or if it was returned before it could be put into a file.';

create function private.is_alias(alias text) returns boolean
  language sql immutable
  set search_path = ''
  return char_length(alias) between 3 and 30 and alias ~ '^[a-z][a-z0-9]*([.-][a-z0-9]+)*$';
comment on function private.is_alias(text) is
  'Returns whether a text has the form of an alias: 3 to 30 letters from a to z, digits, and single dots and hyphens between them. The first character is a letter, so that an alias does not look like the number of an account or of a telephone.';

-- Aliases: short names such as @anita.p, by which other customers name a beneficiary instead of an e-mail address. An
-- alias that a customer has chosen never belongs to another person (docs/decisions/0067).

create table private.aliases (
  alias text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  chosen_at timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  constraint aliases_are_aliases check (private.is_alias(alias))
);
create unique index aliases_one_at_a_time on private.aliases (user_id) where released_at is null;
create index aliases_of_owner on private.aliases (user_id, chosen_at desc);
comment on table private.aliases is 'The alias of each customer, and the aliases that the customer had before.';
comment on column private.aliases.alias is 'In lower case, without the @.';
comment on column private.aliases.chosen_at is 'Time at which the customer first chose the alias.';
comment on column private.aliases.released_at is 'Time at which the customer replaced or removed the alias; null for the present alias.';

create table private.taken_aliases (
  digest bytea primary key,
  constraint taken_aliases_are_digests check (octet_length(digest) = 32)
);
comment on table private.taken_aliases is 'One row for each alias that a customer has ever chosen. Rows are never deleted. Money for an earlier owner would otherwise reach a stranger.';
comment on column private.taken_aliases.digest is 'SHA-256 of the alias without dots, hyphens and similar characters (private.alias_skeleton). The hash does not identify a person, and is therefore kept after the account is deleted.';

-- Beneficiaries: the people that a customer pays. A beneficiary is identified by an e-mail address, by an alias or by
-- an account at another bank. Adding a beneficiary reveals nothing about the address. Confirming the beneficiary
-- reveals whether the address belongs to a customer, and is therefore limited.

create table public.beneficiaries (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  name text not null,
  address text,
  destination jsonb,
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  payee_name text,
  removed_at timestamptz,
  primary key (user_id, id),
  constraint beneficiaries_have_one_destination check (num_nonnulls(address, destination) = 1),
  constraint beneficiaries_name_is_a_line check (private.is_word(name, 80)),
  constraint beneficiaries_address_is_one check (
    char_length(address) <= 320 and address ~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' and address = lower(address)
    or address like '@%' and private.is_alias(substr(address, 2))
  )
);
create unique index beneficiaries_have_one_address on public.beneficiaries (user_id, address) where removed_at is null;
create index beneficiaries_removed on public.beneficiaries (removed_at) where removed_at is not null;
comment on index public.beneficiaries_removed is 'Finds the removed beneficiaries to purge (private.purge_expired).';

comment on table public.beneficiaries is 'One row for each person that a customer may pay by transfer. Removed rows are purged after 24 hours.';
comment on column public.beneficiaries.user_id is 'The customer who added the beneficiary. The row is deleted together with the account.';
comment on column public.beneficiaries.id is 'Unique for each customer. The client chooses the id, so that a retry cannot add the beneficiary twice.';
comment on column public.beneficiaries.name is 'The name that the customer chose, or the holder of an account elsewhere; one line of up to 80 characters.';
comment on column public.beneficiaries.address is 'E-mail address, or an alias that begins with @; in lower case. Null for an account elsewhere.';
comment on column public.beneficiaries.destination is 'The account at another bank: the bank''s code `bank`, `kind` (`savings`, `checking` or `deposit`), `number`, and the holder''s `document_kind` and `document`; null for a customer of this bank.';
comment on column public.beneficiaries.created_at is 'Time at which the beneficiary was added.';
comment on column public.beneficiaries.confirmed_at is 'Time at which the customer confirmed the beneficiary; null before the confirmation.';
comment on column public.beneficiaries.payee_name is 'The masked name of the account that has the address, such as "L••• G•••"; null before the confirmation, after the account is closed, or if the address did not belong to a customer when it was confirmed. For an account elsewhere, this name is the bank and the last digits of the number, such as "Bancolombia ••••6789".';
comment on column public.beneficiaries.removed_at is 'Time at which the customer removed the beneficiary; null while the beneficiary is in the customer''s list.';
comment on constraint beneficiaries_name_is_a_line on public.beneficiaries is 'Escribe un nombre de 80 caracteres como máximo.';
comment on constraint beneficiaries_address_is_one on public.beneficiaries is 'Escribe un email o una llave válida.';

alter table public.beneficiaries replica identity full;
grant select on public.beneficiaries to authenticated;

create policy "customers read their own beneficiaries" on public.beneficiaries
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own beneficiaries" on public.beneficiaries is 'Includes removed beneficiaries, because a removal would otherwise not be announced to the customer''s other pages. Administrators are also limited to their own beneficiaries.';

alter publication supabase_realtime add table public.beneficiaries;
create unique index beneficiaries_have_one_destination_each on public.beneficiaries
  (user_id, (destination ->> 'bank'), (destination ->> 'number')) where removed_at is null and destination is not null;
comment on index public.beneficiaries_have_one_destination_each is 'A customer lists an account elsewhere only once.';

create table private.payees (
  user_id uuid not null,
  beneficiary_id uuid not null,
  payee uuid not null references auth.users (id) on delete cascade,
  primary key (user_id, beneficiary_id),
  foreign key (user_id, beneficiary_id) references public.beneficiaries (user_id, id) on delete cascade
);
create index payees_by_account on private.payees (payee, user_id, beneficiary_id);
comment on table private.payees is 'The account of each confirmed beneficiary. A later owner of the same address does not receive the transfers.';
comment on column private.payees.user_id is 'The customer who added the beneficiary.';
comment on column private.payees.payee is 'The account. The row is deleted together with the account.';

-- Beneficiaries at other banks. The customer enters all data of the account, because this bank cannot look up the
-- account. The bank checks the form of the account, and the other bank checks the rest (docs/decisions/0070).

create table private.clearing_banks (
  code text primary key,
  name text not null,
  constraint clearing_banks_code_is_one check (code ~ '^[0-9]{4}$')
);
comment on table private.clearing_banks is 'The banks that a customer can pay, with their codes in the Colombian clearing. `npm run types` writes contract/transfers/banks.ts from it.';
comment on column private.clearing_banks.code is 'Code of the bank in the clearing; four digits.';
comment on column private.clearing_banks.name is 'The name that customers read.';
insert into private.clearing_banks (code, name) values
  ('1001', 'Banco de Bogotá'),
  ('1002', 'Banco Popular'),
  ('1006', 'Itaú'),
  ('1007', 'Bancolombia'),
  ('1009', 'Citibank'),
  ('1012', 'GNB Sudameris'),
  ('1013', 'BBVA Colombia'),
  ('1019', 'Scotiabank Colpatria'),
  ('1023', 'Banco de Occidente'),
  ('1032', 'Banco Caja Social'),
  ('1040', 'Banco Agrario'),
  ('1047', 'Banco Mundo Mujer'),
  ('1051', 'Davivienda'),
  ('1052', 'AV Villas'),
  ('1053', 'Banco W'),
  ('1059', 'Bancamía'),
  ('1060', 'Banco Pichincha'),
  ('1061', 'Bancoomeva'),
  ('1062', 'Banco Falabella'),
  ('1063', 'Banco Finandina'),
  ('1065', 'Banco Santander'),
  ('1066', 'Coopcentral'),
  ('1067', 'Mibanco'),
  ('1069', 'Banco Serfinanza'),
  ('1070', 'Lulo Bank'),
  ('1097', 'dale!'),
  ('1121', 'Juriscoop'),
  ('1151', 'RappiPay'),
  ('1283', 'CFA Cooperativa Financiera'),
  ('1286', 'JFK Cooperativa Financiera'),
  ('1289', 'Cotrafa'),
  ('1291', 'Coofinep'),
  ('1292', 'Confiar'),
  ('1303', 'Banco Unión'),
  ('1370', 'Coltefinanciera'),
  ('1507', 'Nequi'),
  ('1551', 'DaviPlata'),
  ('1637', 'Iris'),
  ('1801', 'Movii'),
  ('1804', 'Ualá'),
  ('1808', 'Bold'),
  ('1809', 'Nu Colombia');

-- Returns of transfers: a correction that names the transfer reverses each of its postings.

-- The return of a whole clearing file ---------------------------------------------------------------------------------

create table private.open_returns (
  file integer primary key,
  request_id uuid not null references public.requests (id),
  constraint open_returns_one_file unique (request_id)
);
comment on table private.open_returns is 'The clearing files whose return was ordered and is not finished.';
comment on column private.open_returns.request_id is 'The order, a request of the kind file_return.';

create table private.unreturned_transfers (
  transfer_id uuid primary key references public.requests (id),
  request_id uuid not null references public.requests (id),
  reason text not null
);
create index unreturned_transfers_of_order on private.unreturned_transfers (request_id);
comment on table private.unreturned_transfers is 'The transfers that the last return of their clearing file left out. A transfer that was returned later keeps its row.';
comment on column private.unreturned_transfers.request_id is 'The order, a request of the kind file_return.';
comment on column private.unreturned_transfers.reason is 'Why the transfer was left out, as the page shows it to administrators.';

-- supabase/schemas/operations/tables.sql

-- Operations: the state of the servers, the alarms, the export of own data, and the periodic work.
-- Uses: planning, staff.
-- Promises: the rows describe the present state and no customer. Old rows are purged.

-- The state of the bank for its operator and its administrators: the servers, the alarms and the last backup
-- (docs/decisions/0072). Our own servers write these tables. On a hosted project, the tables stay empty.

create table private.servers (
  process uuid primary key,
  name text not null,
  version text not null,
  engine text not null,
  started_at timestamptz not null,
  known_since timestamptz not null,
  serving_since timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  disk_free_bytes bigint,
  backup_interval_minutes integer,
  last_backup_at timestamptz,
  constraint servers_name_length check (char_length(name) between 1 and 300)
);
comment on table private.servers is 'The bank''s servers. Each server updates its row once a minute and when it shuts down.';
comment on column private.servers.process is 'Random id of the process.';
comment on column private.servers.name is 'Machine name and port of the server.';
comment on column private.servers.version is 'Release of this software.';
comment on column private.servers.engine is 'Engine of the database, as the server names it: "pglite" or "postgres".';
comment on column private.servers.started_at is 'Time at which the process started.';
comment on column private.servers.known_since is 'Start of the first process with this name. Remains the same when the server restarts within a week.';
comment on column private.servers.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes.';
comment on column private.servers.seen_at is 'Time of the last report.';
comment on column private.servers.ended_at is 'Time at which the server shut down regularly; null while the server is running, and after a crash.';
comment on column private.servers.disk_free_bytes is 'Free space on the disk of DATA_DIR; null if the server cannot measure it.';
comment on column private.servers.backup_interval_minutes is 'Interval of the regular backups; 0 if the server makes no backups, and null if BACKUP_INTERVAL_MINUTES is unset on PostgreSQL.';
comment on column private.servers.last_backup_at is 'Time of the last backup, as recorded in the server''s DATA_DIR; null before the first backup.';

create table private.alarms (
  id uuid primary key default gen_random_uuid(),
  code text not null,
  process uuid,
  begun_at timestamptz not null,
  open_until timestamptz not null,
  constraint alarms_code_is_a_word check (code ~ '^[a-z-]{1,40}$')
);
comment on table private.alarms is 'The alarms of the last 30 days. The details of an alarm are only in the log.';
comment on column private.alarms.id is 'Random id of the alarm.';
comment on column private.alarms.code is 'A code from contract/operations/alarms.ts.';
comment on column private.alarms.process is 'The server that the alarm is about; null for an alarm of the whole bank.';
comment on column private.alarms.begun_at is 'Time at which the alarm began.';
comment on column private.alarms.open_until is 'Time at which the alarm ended, or at which it will count as over unless a server reports it again.';
create index alarms_by_end on private.alarms (open_until);
comment on index private.alarms_by_end is 'Finds the alarms of the last day.';

create table private.mailed_alarms (
  code text primary key,
  is_open boolean not null,
  mailed_at timestamptz not null
);
comment on table private.mailed_alarms is 'The last mail to the operator about each alarm.';
comment on column private.mailed_alarms.code is 'The value of the same column in private.alarms.';
comment on column private.mailed_alarms.is_open is 'Whether the last mail said that the alarm began.';
comment on column private.mailed_alarms.mailed_at is 'Time at which the last mail about the beginning of this alarm was stored or sent.';

create table private.synchronous_standby (
  is_only boolean primary key default true,
  gone_since timestamptz,
  constraint synchronous_standby_is_one_row check (is_only)
);
comment on table private.synchronous_standby is 'One row after PostgreSQL had a synchronous standby for the first time; otherwise empty. An operator who removes the standby for good deletes the row.';
comment on column private.synchronous_standby.is_only is 'Always true, so that the table has at most one row.';
comment on column private.synchronous_standby.gone_since is 'Time of the first report that found no synchronous standby; null while there is one.';

-- supabase/schemas/ground/functions.sql

-- Functions of ground: the checks of a caller and of their proof, words, features and limits. They know no table of
-- another subject.

create function private.is_hosted() returns boolean
  language sql stable
  set search_path = ''
as $$
  select to_regprocedure('auth.enqueue_notice(uuid,text,jsonb)') is null
$$;
comment on function private.is_hosted() is
  'Returns whether the database belongs to a hosted project, whose schema auth does not have the functions of our own authentication service (docs/hosted.md).';

-- Does not set search_path, so that PostgreSQL can inline the function into a scan of all users.
create function private.is_working_admin(person auth.users) returns boolean
  language sql stable
  return person.raw_app_meta_data ->> 'role' = 'admin'
    and (person.banned_until is null or person.banned_until <= now()) and person.deleted_at is null;
comment on function private.is_working_admin(auth.users) is
  'Returns whether a person is an administrator who is neither banned nor deleted. For a customer, may return null instead of false.';

create function private.may_administer(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (select from auth.users u where u.id = person and private.is_working_admin(u))
$$;
comment on function private.may_administer(uuid) is
  'Returns whether a person is an administrator and is not blocked, whether or not the person is signed in.';

create function private.guard_last_admin(leaving uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Without this lock, two administrators could demote each other at the same time, because each check would still see
  -- the other administrator.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  if not exists (select from auth.users u where u.id <> leaving and private.is_working_admin(u)) then
    raise exception 'El banco necesita al menos un administrador.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.guard_last_admin(uuid) is 'Refuses a change that would leave the bank without an administrator who can sign in. Concurrent calls run one after another.';

-- The small functions of the limiter do not set search_path, so that PostgreSQL can inline them. A call of an SQL function
-- that is not inlined plans its body again.

create function private.moved_slots(used integer[], steps bigint) returns integer[]
  language sql immutable
  return case
    when steps <= 0 then used
    else array_fill(0, array[least(steps, cardinality(used))::integer])
      || used[:(cardinality(used) - least(steps, cardinality(used)))::integer]
  end;
comment on function private.moved_slots(integer[], bigint) is 'Moves the uses to older parts of the window, and drops the uses that leave the window.';

create function private.total_uses(used integer[]) returns bigint
  language sql immutable
  return (select sum(u) from unnest(used) u);
comment on function private.total_uses(integer[]) is 'Returns the number of uses in all parts of the window.';

create function private.limit_of(name text) returns integer
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  uses_max integer;
begin
  select l.uses_max into strict uses_max from private.limits l where l.name = limit_of.name;
  return uses_max;
end
$$;
comment on function private.limit_of(text) is 'Returns the number of a limit, for code that cannot call private.consume or private.require_room. Fails (P0002) if the limit does not exist.';

create function private.require_room(limit_name text, present bigint, is_of_table boolean default false) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  rule private.limits;
begin
  select l.* into strict rule from private.limits l where l.name = limit_name;
  if present < rule.uses_max then
    return;
  end if;
  if is_of_table then
    raise exception using message = format(rule.sentence, rule.uses_max), errcode = '23514';
  end if;
  raise exception using message = format(rule.sentence, rule.uses_max), errcode = 'PT409';
end
$$;
comment on function private.require_room(text, bigint, boolean) is
  'Refuses a new row (PT409; 23514 for a write through the table API) if the caller already has as many rows as the cap allows. Must be called after a lock that makes the caller''s calls run one after another.';

create function private.slot_at(rule private.limits, moment timestamptz) returns bigint
  language sql stable
  return floor(extract(epoch from moment) * rule.slots / rule.window_seconds)::bigint;
comment on function private.slot_at(private.limits, timestamptz) is 'Returns the number of the part of the window at a moment, counted from 1970.';

create function private.earlier_max(rule private.limits, uses integer, allowed integer) returns integer
  language sql immutable
  return allowed - case when rule.is_counted_afterwards then 1 else uses end;
comment on function private.earlier_max(private.limits, integer, integer) is
  'Returns the number of earlier uses in the window at which a limit still admits a call.';

create function private.admits(
  rule private.limits, subject text, uses integer, allowed integer, only_checks boolean, moment timestamptz default clock_timestamp()
) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  present constant bigint := private.slot_at(rule, moment);
  most constant integer := private.earlier_max(rule, uses, allowed);
begin
  if most < 0 then
    return false;
  end if;
  if only_checks then
    return not exists (
      select from private.counters c
      where c.subject = admits.subject and c.limit_name = rule.name
        and (select sum(u) from unnest(private.moved_slots(c.used, present - c.slot)) u) > most
        and (not rule.is_counted_afterwards or c.counted_in is distinct from pg_current_xact_id_if_assigned())
    );
  end if;
  insert into private.counters as c (subject, limit_name, slot, used)
  values (admits.subject, rule.name, present, array[uses] || array_fill(0, array[rule.slots]))
  on conflict (subject, limit_name) do update set
    slot = greatest(c.slot, present),
    used = array[(private.moved_slots(c.used, present - c.slot))[1] + uses]
      || (private.moved_slots(c.used, present - c.slot))[2:],
    counted_in = pg_current_xact_id()
  where (select sum(u) from unnest(private.moved_slots(c.used, present - c.slot)) u) <= most
    or rule.is_counted_afterwards and c.counted_in = pg_current_xact_id();
  return found;
end
$$;
comment on function private.admits(private.limits, text, integer, integer, boolean, timestamptz) is
  'Counts the uses and returns true, or counts nothing and returns false if the window would then contain more uses than allowed.';

create function private.seconds_to_wait(
  rule private.limits, subject text, uses integer, allowed integer, moment timestamptz default clock_timestamp()
) returns double precision
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  present constant bigint := private.slot_at(rule, moment);
  most constant integer := private.earlier_max(rule, uses, allowed);
  counted private.counters;
  total bigint;
begin
  select c.* into counted from private.counters c
  where c.subject = seconds_to_wait.subject and c.limit_name = rule.name;
  counted.used := private.moved_slots(coalesce(counted.used, '{0}'), present - coalesce(counted.slot, present));
  total := private.total_uses(counted.used);
  -- Finds the time at which enough of the oldest uses have left the window.
  for place in reverse cardinality(counted.used) .. 1 loop
    total := total - counted.used[place];
    if total <= most then
      return (greatest(counted.slot, present) - place + 1 + rule.slots + 1) * rule.window_seconds::double precision
        / rule.slots - extract(epoch from moment);
    end if;
  end loop;
  return rule.window_seconds::double precision;
end
$$;
comment on function private.seconds_to_wait(private.limits, text, integer, integer, timestamptz) is
  'Returns the seconds after which a limit admits the refused uses; the length of the window if it can never admit so many.';

create function private.consume(
  limit_name text, subject text, uses integer default 1, times integer default 1, only_checks boolean default false
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rule private.limits;
  allowed integer;
  grows_at timestamptz;
begin
  select l.* into rule from private.limits l
  join private.settings s on s.name = 'auth_rate_limits' and s.value = 'on'
  where l.name = consume.limit_name;
  if not found then
    -- The limits are off, or the name is unknown.
    perform private.limit_of(limit_name);
    return;
  end if;
  only_checks := only_checks or uses = 0;
  -- For most calls, the number of a new account is enough. The age of the account is then not read.
  allowed := times * coalesce(rule.new_account_max, rule.uses_max);
  if private.admits(rule, subject, uses, allowed, only_checks) then
    return;
  end if;
  if rule.new_account_max is not null then
    grows_at := (
      select u.created_at + make_interval(secs => rule.window_seconds) from auth.users u where u.id = consume.subject::uuid
    );
    if grows_at <= clock_timestamp() then
      grows_at := null;
      allowed := times * rule.uses_max;
      if private.admits(rule, subject, uses, allowed, only_checks) then
        return;
      end if;
    end if;
  end if;
  raise exception using message = format(rule.sentence, allowed), errcode = 'PT429',
    detail = 'Retry-After: ' || greatest(1, ceil(least(
      private.seconds_to_wait(rule, subject, uses, allowed), extract(epoch from grows_at - clock_timestamp())
    )))::integer;
end
$$;
comment on function private.consume(text, text, integer, integer, boolean) is
  'Counts the uses of a limit by a subject. Refuses the call (PT429, whose detail states the seconds to wait) and counts nothing if the window would then contain more uses than the limit allows, multiplied by `times`. With 0 uses or with only_checks, only checks the limit, without a lock. Call this function after the lock that makes the subject''s calls run one after another, and before the first row is written if the number of uses is known. Does nothing while the setting auth_rate_limits is off.';

create function private.is_first_use(limit_name text, subject text) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rule private.limits;
begin
  select l.* into strict rule from private.limits l where l.name = is_first_use.limit_name;
  return private.admits(rule, subject, 1, rule.uses_max, false);
end
$$;
comment on function private.is_first_use(text, text) is 'Counts one use and returns true, or returns false if the limit is used up. For limits that refuse no call.';

create function private.attempt(limit_name text, key text, moment timestamptz default clock_timestamp()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
-- A window begins with its first attempt. If the limit has a back-off, used-up attempts allow one attempt after each
-- wait. Each wait is twice as long as the previous wait, up to the maximum. After an hour without an attempt after a
-- wait, the limit starts again with its full number.
declare
  rule private.limits;
  wait interval;
begin
  select l.* into strict rule from private.limits l where l.name = attempt.limit_name;
  insert into private.attempts as b (key, used, strikes, ends_at)
  values (attempt.key, 1, 0, moment + make_interval(secs => rule.window_seconds))
  on conflict (key) do update
  set (used, strikes, ends_at) = (
    select case when b.ends_at > moment then b.used + 1 else 1 end, next.strikes,
      case
        when b.ends_at > moment then b.ends_at
        when next.strikes = 0 then moment + make_interval(secs => rule.window_seconds)
        else moment + make_interval(
          secs => least(rule.window_seconds * 2 ^ least(next.strikes - 1, 20), rule.wait_seconds_max)
        )
      end
    from (
      select case
        when b.ends_at > moment then b.strikes
        when rule.wait_seconds_max is null or moment >= b.ends_at + interval '1 hour' then 0
        when b.strikes > 0 or b.used >= rule.uses_max then b.strikes + 1
        else 0
      end as strikes
    ) as next
  )
  where b.ends_at <= moment or (b.strikes = 0 and b.used < rule.uses_max);
  if found then
    return 0;
  end if;
  select b.ends_at - moment into wait from private.attempts b where b.key = attempt.key;
  return greatest(1, ceil(extract(epoch from wait))::integer);
end
$$;
comment on function private.attempt(text, text, timestamptz) is
  'Counts one attempt and returns 0. If the limit is used up, counts nothing and returns the number of seconds until the next attempt is possible. Unlike private.consume, this function is called in a database transaction of its own, so that a refusal does not undo the count.';

create function private.refund_attempt(key text) returns void
  language sql security definer
  set search_path = ''
begin atomic
  update private.attempts b
  set used = case when b.strikes = 0 then b.used - 1 else b.used end,
      -- During a back-off, a refund ends the current wait at once. The next wait is as long as the wait that the refund
      -- ended.
      strikes = case when b.strikes > 1 then b.strikes - 1 else b.strikes end,
      ends_at = case when b.strikes = 0 then b.ends_at else least(b.ends_at, clock_timestamp()) end
  where b.key = refund_attempt.key and b.used > 0;
end;
comment on function private.refund_attempt(text) is 'Gives one counted attempt back. Does not shorten the next wait of a back-off.';

create function private.end_attempts(limit_name text, key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select l.wait_seconds_max from private.limits l where l.name = limit_name) is null then
    perform private.refund_attempt(key);
  else
    delete from private.attempts b where b.key = end_attempts.key;
  end if;
end
$$;
comment on function private.end_attempts(text, text) is 'Gives one attempt back after a success, and ends the back-off.';

create function private.attempt_all(attempts jsonb) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  wanted record;
  wait_seconds integer;
  counted text[] := '{}';
begin
  for wanted in select * from jsonb_to_recordset(attempts) as a (limit_name text, key text) loop
    wait_seconds := private.attempt(wanted.limit_name, wanted.key);
    if wait_seconds > 0 then
      -- A request that exceeds the limit per minute must not also count toward the limit per hour. Otherwise an
      -- attacker could use up a customer's hourly limit.
      perform private.refund_attempt(k.key) from unnest(counted) as k (key);
      return wait_seconds;
    end if;
    counted := counted || wanted.key::text;
  end loop;
  return 0;
end
$$;
comment on function private.attempt_all(jsonb) is
  'Counts one attempt of every given limit and returns 0. If a limit is used up, counts nothing and returns the number of seconds until the first such limit allows an attempt again.';

create function private.limit_refused_writes(limit_name text, key text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  rule private.limits;
  wait interval;
begin
  select l.* into strict rule from private.limits l where l.name = limit_refused_writes.limit_name;
  select b.ends_at - clock_timestamp() into wait
  from private.attempts b where b.key = limit_refused_writes.key and b.used >= rule.uses_max;
  if wait > interval '0' then
    raise exception using message = rule.sentence, errcode = 'FZ429', detail = ceil(extract(epoch from wait));
  end if;
end
$$;
comment on function private.limit_refused_writes(text, text) is
  'Refuses with FZ429 if the limit counts too many refused writes; the error''s detail is the number of seconds to wait. Runs before each write of a customer.';

grant execute on function private.attempt(text, text, timestamptz) to supabase_auth_admin;
grant execute on function private.refund_attempt(text) to supabase_auth_admin;
grant execute on function private.end_attempts(text, text) to supabase_auth_admin;
grant execute on function private.attempt_all(jsonb) to supabase_auth_admin;

create function private.count_written_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.consume('rows written', auth.uid()::text, (select count(*)::integer from written));
  return null;
end
$$;
comment on function private.count_written_rows() is 'Counts the rows that a statement of the caller wrote toward the limit "rows written". private.begin_write has checked the limit before the statement.';

create function private.purge_rows(relation regclass, condition text, rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  removed integer;
begin
  execute format(
    'delete from %1$s where ctid = any (array(select due.ctid from %1$s due where %2$s limit $1 for update skip locked))',
    relation, condition
  ) using rows_max;
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.purge_rows(regclass, text, integer) is
  'Deletes up to rows_max rows of a table that meet a condition, and returns their number. The condition is SQL text in which `due` is the alias of the row. It may end with an ORDER BY clause, without which the planner can read the whole table if it expects many such rows. Skips rows that another call has locked.';

create function private.setting(name text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  found_value text;
begin
  select s.value into strict found_value from private.settings s where s.name = setting.name;
  return found_value;
end
$$;
comment on function private.setting(text) is 'Returns the value of a setting of the bank; null if the setting is optional and not set. Fails (P0002) if the setting does not exist.';

-- These two functions do not set search_path, so that PostgreSQL can inline them.

create function private.number(name text) returns numeric
  language sql stable
  return private.setting(name)::numeric;
comment on function private.number(text) is 'Returns the value of a setting as a number; null if the setting is optional and not set.';

create function private.is_on(name text) returns boolean
  language sql stable
  return private.setting(name) = 'on';
comment on function private.is_on(text) is 'Returns whether a setting is on.';

create function private.set_settings(given jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  unknown constant text := (
    select string_agg(g.name, ', ' order by g.name) from jsonb_object_keys(given) g (name)
    where not exists (select from private.settings s where s.name = g.name)
  );
begin
  if unknown is not null then
    raise exception 'Unknown settings: %', unknown using errcode = '22023';
  end if;
  -- Writes only the differences, so that servers that start with the same settings do not wait for each other. The
  -- order lets servers that start with different settings wait without a deadlock.
  perform from private.settings s join jsonb_each_text(given) g on g.key = s.name
  where s.value is distinct from g.value order by s.name for no key update of s;
  update private.settings s set value = g.value
  from jsonb_each_text(given) g where g.key = s.name and s.value is distinct from g.value;
end
$$;
comment on function private.set_settings(jsonb) is
  'Writes the given settings of the bank and leaves all others as they are. The argument is an object with the names and values; the value null removes an optional setting. Refuses an unknown name (22023) and a value that is not allowed (23514), and then writes nothing.';
grant execute on function private.set_settings(jsonb) to supabase_auth_admin;

create function private.proof_ends_at() returns timestamptz
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- A hosted project does not record when the password or a mailed code was entered.
  if private.is_hosted() then
    return 'infinity';
  end if;
  return coalesce(auth.proof_ends_at(((select auth.jwt()) ->> 'session_id')::uuid), '-infinity');
end
$$;
comment on function private.proof_ends_at() is
  'Returns the time until which the last entry of the password or a mailed code in the caller''s session counts as recent. Returns -infinity if neither was entered in this session, and infinity on a hosted project.';

create function private.requires_proof(is_specified boolean) returns boolean
  language sql stable security definer
  set search_path = ''
  return not is_specified or private.is_on('staff_proof');
comment on function private.requires_proof(boolean) is
  'Returns false if the bank''s rules ask for no proof and the specification names the action. Every other action requires a proof.';

create function private.require_proof(is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if private.requires_proof(is_specified) and not private.is_hosted() then
    perform auth.require_proof(((select auth.jwt()) ->> 'session_id')::uuid);
  end if;
end
$$;
comment on function private.require_proof(boolean) is
  'Guards the actions that must remain impossible for a person who has stolen an administrator''s session. Raises 42501 for a caller who is not an administrator. Raises 42501 with the hint reauthentication_needed unless the password or a mailed code was entered in this session within the last ten minutes. If is_specified is true, asks for no proof where the bank''s rules ask for none (private.requires_proof).';
grant execute on function private.require_proof(boolean) to authenticated;

-- On a hosted project the functions reach the database through the table API, with the service key. The functions pass
-- the id of the administrator whose token they have verified. The database then makes the same checks as in that
-- administrator's own request.

create function private.act_for(actor uuid, session_id uuid) returns void
  language sql
  set search_path = ''
as $$
  select set_config(
    'request.jwt.claims', jsonb_build_object('sub', actor, 'session_id', session_id, 'role', 'authenticated')::text, true
  )
$$;
comment on function private.act_for(uuid, uuid) is
  'For the rest of this database transaction, treats the given person and session as the caller, instead of the service key. The function grants no rights: an unknown or ended session is refused, exactly as in the person''s own request.';

create function private.require_feature(name text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.is_on(name) then
    raise exception 'Función no implementada.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_feature(text) is 'Refuses (PT404) a call of a feature that the bank has not enabled.';

create function private.require_same_upload(is_same boolean, message text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if is_same is not true then
    raise exception using message = message, errcode = 'PT409';
  end if;
end
$$;
comment on function private.require_same_upload(boolean, text) is
  'Refuses (PT409) an id that was already used for a different upload.';

create function private.is_email(written text) returns boolean
  language sql immutable
  set search_path = ''
  return char_length(written) <= 254
    and written ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$'
    and written !~ '(^\.|\.\.|\.@)';
comment on function private.is_email(text) is
  'Returns whether a text is an e-mail address in the form that the authentication service accepts and stores.';

-- Proofs ------------------------------------------------------------------------------------------------------------

create function private.require_second_factor() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- Needed on a hosted project, which also serves sessions that have not passed their second factor. Our own server
  -- refuses such sessions earlier.
  if exists (
    select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified'
  ) and not exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid and s.user_id = (select auth.uid()) and s.aal = 'aal2'
  ) then
    raise exception 'Confirma el segundo factor para continuar.' using errcode = '42501', hint = 'insufficient_aal';
  end if;
end
$$;
comment on function private.require_second_factor() is
  'Refuses (42501 with the hint insufficient_aal) a session of a person with a second factor, if the session has not passed this factor.';

create function private.require_own_proof() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  if not private.is_hosted() then
    perform auth.require_proof(((select auth.jwt()) ->> 'session_id')::uuid);
    return;
  end if;
  -- On a hosted project, only the claims of the token show when the customer entered the password or a code. A second
  -- factor is accepted instead.
  if (select auth.jwt()) ->> 'aal' is distinct from 'aal2' and not exists (
    select from jsonb_array_elements(
      case jsonb_typeof((select auth.jwt()) -> 'amr') when 'array' then (select auth.jwt()) -> 'amr' else '[]' end
    ) e
    where e ->> 'method' not in ('token_refresh', 'anonymous')
      and to_timestamp((e ->> 'timestamp')::double precision) > now() - interval '10 minutes'
  ) then
    raise exception 'Confirma tu contraseña para continuar.' using errcode = '42501', hint = 'reauthentication_needed';
  end if;
end
$$;
comment on function private.require_own_proof() is
  'Guards the actions of a customer that must remain impossible with a stolen session. Raises 42501 with the hint reauthentication_needed unless the password or a mailed code was entered in this session within the last ten minutes. On a hosted project, a session that has passed its second factor is accepted without a password or code.';

-- Periodic work. Each function that ends a turn or finds no turn to begin returns the number of seconds after which the
-- caller asks again.

create function private.run_job(job text) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  due private.jobs;
  handled integer;
  is_full boolean;
begin
  select j.* into strict due from private.jobs j where j.name = job and j.call is not null;
  if due.is_exclusive then
    -- A locked row means that another server carries out this turn.
    perform from private.jobs j where j.name = job and j.next_at <= now() for no key update skip locked;
    if not found then
      return extract(epoch from case when due.next_at > now() then due.next_at - now() else due.every end)::float8;
    end if;
  end if;
  execute format('select (%s)::integer', due.call) into handled;
  is_full := coalesce(handled >= due.full_at, false);
  if due.is_exclusive and not is_full then
    update private.jobs j set next_at = now() + j.every, ended_at = now() where j.name = job;
  end if;
  return case when is_full then 0 else extract(epoch from due.every) end::float8;
end
$$;
comment on function private.run_job(text) is
  'Carries out one portion of a job that has a call, if the job is due and no other server carries it out. Returns 0 if another portion may follow.';
grant execute on function private.run_job(text) to supabase_auth_admin;

create function private.lease_job(
  job text, server uuid, out is_ours boolean, out wait_seconds double precision
)
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update private.jobs j set leased_by = server, leased_until = now() + j.lease
  where j.name = job
    and (j.leased_by = server or (j.next_at <= now() and (j.leased_until is null or j.leased_until <= now())));
  is_ours := found;
  select extract(epoch from greatest(j.next_at, j.leased_until, now() + interval '1 second') - now())::float8
  into strict wait_seconds from private.jobs j where j.name = job;
end
$$;
comment on function private.lease_job(text, uuid) is
  'Acquires or renews the server''s lease of a job. Returns false if the job is not due or if another server holds the lease.';
grant execute on function private.lease_job(text, uuid) to supabase_auth_admin;

create function private.release_job(job text, server uuid, is_done boolean) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  wait double precision;
begin
  update private.jobs j set
    leased_by = null, leased_until = null,
    next_at = case when is_done then now() + j.every else j.next_at end,
    ended_at = case when is_done then now() else j.ended_at end
  where j.name = job and j.leased_by = server
  returning extract(epoch from j.next_at - now())::float8 into wait;
  return greatest(wait, 0);
end
$$;
comment on function private.release_job(text, uuid, boolean) is
  'Ends the server''s lease of a job. A turn that was not done stays due, so that another server carries it out. Does nothing if another server has taken over the lease.';
grant execute on function private.release_job(text, uuid, boolean) to supabase_auth_admin;

create function private.hasten_job(job text, pause interval) returns void
  language sql security definer
  set search_path = ''
as $$
  update private.jobs j set next_at = least(j.next_at, coalesce(j.ended_at + pause, now())) where j.name = job
$$;
comment on function private.hasten_job(text, interval) is
  'Lets the next turn of a job begin after a shorter pause than usual.';
grant execute on function private.hasten_job(text, interval) to supabase_auth_admin;

-- supabase/schemas/audit/functions.sql

-- Functions of audit: recording an entry, verifying the chain, and requiring an entry before a read.

-- Written in PL/pgSQL, because an SQL function would set up its query for every entry and take twice as long.
create function ledger.length_prefixed(variadic fields text[]) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  field text;
  encoded bytea := '';
begin
  foreach field in array fields loop
    encoded := encoded || case
      when field is null then int4send(-1)
      else int4send(octet_length(field)) || convert_to(field, 'UTF8')
    end;
  end loop;
  return encoded;
end
$$;
comment on function ledger.length_prefixed(text[]) is
  'Encodes each field as a four-byte length (big-endian, -1 for null) followed by the field in UTF-8. Two different lists of fields therefore never have the same encoding.';

create function ledger.refuse_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'The % is append-only.', tg_table_name using errcode = '42501';
end
$$;
comment on function ledger.refuse_change() is 'Refuses every change to an append-only table, even by the table''s owner.';

create function ledger.audit_hash(entry ledger.audit) returns bytea
  language sql immutable
  set search_path = ''
  return sha256(ledger.length_prefixed(
    entry.cell::text,
    entry.id::text,
    (extract(epoch from entry.recorded_at) * 1000000)::bigint::text,
    entry.origin,
    entry.actor::text,
    entry.session_id::text,
    entry.request_id,
    entry.action,
    entry.target::text,
    entry.before::text,
    entry.after::text,
    encode(entry.previous_hash, 'hex')
  ));
comment on function ledger.audit_hash(ledger.audit) is
  'Computes the hash of an audit entry. The time is encoded as microseconds since 1970, JSON as PostgreSQL prints jsonb, and the previous hash in hex.';

create function private.audit_context(part text) returns text
  language sql stable
  set search_path = ''
  return nullif(current_setting('audit.context', true), '')::jsonb ->> part;
comment on function private.audit_context(text) is
  'Returns a part of the setting audit.context, which describes the current database transaction: `request_id`, or `origin` and `actor` (private.act_as). Returns null if nothing set this part.';

create function private.add_to_audit_context(parts jsonb) returns void
  language sql
  set search_path = ''
  return set_config(
    'audit.context', (coalesce(nullif(current_setting('audit.context', true), '')::jsonb, '{}') || parts)::text, true
  );
comment on function private.add_to_audit_context(jsonb) is
  'Sets parts of the setting audit.context for the rest of this database transaction, and keeps its other parts.';

create function private.is_operator() returns boolean
  language sql stable
  set search_path = ''
  return (select auth.uid()) is null and coalesce(private.audit_context('origin') = 'operator', false);
comment on function private.is_operator() is
  'Returns whether a command of the operator acts at present (private.act_as). A signed-in caller is never the operator.';

create function private.author_of(asked_by uuid, out actor uuid, out origin text, out session_id uuid) returns record
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  actor := coalesce(asked_by, (select auth.uid()));
  if actor is null then
    actor := private.audit_context('actor')::uuid;
    origin := coalesce(private.audit_context('origin'), 'system');
  else
    origin := 'request';
    session_id := case when asked_by is null then ((select auth.jwt()) ->> 'session_id')::uuid end;
  end if;
end
$$;
comment on function private.author_of(uuid) is
  'Returns who acts at present: the administrator who asked for an approved act, the request''s caller, or the person named by private.act_as. Also returns the origin of the act, and the session of the caller.';

create function private.record_audit(
  action text, target uuid, before jsonb, after jsonb, asked_by uuid default null
) returns bigint
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.audit;
begin
  select a.actor, a.origin, a.session_id into entry.actor, entry.origin, entry.session_id
  from private.author_of(asked_by) a;
  entry.request_id := private.audit_context('request_id');
  entry.action := action;
  entry.target := target;
  entry.before := before;
  entry.after := after;

  -- Ensures that only one writer at a time appends to the chain; the lock is held until that writer commits. Recording
  -- a customer's own transactions never takes this lock.
  perform pg_advisory_xact_lock(hashtext('finanzas.audit'));
  entry.cell := private.cell();
  select a.id, a.hash into entry.id, entry.previous_hash
  from ledger.audit a where a.cell = entry.cell order by a.id desc limit 1;
  entry.id := coalesce(entry.id, 0) + 1;
  entry.previous_hash := coalesce(entry.previous_hash, decode(repeat('00', 32), 'hex'));
  entry.recorded_at := clock_timestamp();
  entry.hash := ledger.audit_hash(entry);
  insert into ledger.audit select entry.*;
  return entry.id;
end
$$;
comment on function private.record_audit(text, uuid, jsonb, jsonb, uuid) is
  'Appends an audit entry for a change that no trigger can see, and returns the entry''s id. The actor is the request''s caller, or the person named by private.act_as. For an act that another administrator approved, the actor is the administrator who requested the act (requests.asked_by), and the entry has no session. Call this function last, because the chain stays locked until the commit.';
grant execute on function private.record_audit(text, uuid, jsonb, jsonb, uuid) to service_role, supabase_auth_admin;

create function private.act_as(origin text, actor uuid default null) returns void
  language sql security definer
  set search_path = ''
  return private.add_to_audit_context(jsonb_build_object('origin', origin, 'actor', actor));
comment on function private.act_as(text, uuid) is
  'Sets the actor that the audit records for the rest of this database transaction: ''operator'' for a command, or ''service'' with the person on whose behalf a service acts. A signed-in caller takes precedence.';
grant execute on function private.act_as(text, uuid) to service_role, supabase_auth_admin;

create function public.record_audit(action text, actor uuid, target uuid, before jsonb, after jsonb) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.act_as('service', actor);
  return private.record_audit(action, target, before, after);
end
$$;
comment on function public.record_audit(text, uuid, uuid, jsonb, jsonb) is
  'Appends an audit entry on behalf of a person. Services that hold the service key call this function for changes that the database cannot see.';
grant execute on function public.record_audit(text, uuid, uuid, jsonb, jsonb) to service_role;

create function private.audited_role(app_metadata jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return jsonb_build_object('role', case app_metadata ->> 'role' when 'admin' then 'admin' else 'user' end);
comment on function private.audited_role(jsonb) is 'Returns a user''s role in the form that the audit records.';

create function ledger.check_audit(
  after_id bigint, rows_max integer,
  out rows integer, out last_id bigint, out broken_id bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    -- Also reads the last entry of the previous portion, because each entry is checked against its predecessor.
    select a.*, a as entry from ledger.audit a
    where after_id is null or a.id >= after_id
    order by a.id, a.cell
    limit rows_max + 1
  ),
  pairs as (
    select p.*, lag(p.id) over chain as id_before, lag(p.hash) over chain as hash_before
    from portion p
    window chain as (order by p.id, p.cell)
  ),
  checked as materialized (
    select
      p.id,
      case
        -- Only this cell may write to its table.
        when p.cell <> private.cell() then 'sequence'
        when p.id <> coalesce(p.id_before, 0) + 1 then 'sequence'
        when p.previous_hash <> coalesce(p.hash_before, decode(repeat('00', 32), 'hex')) then 'link'
        when p.recorded_at not between '2000-01-01' and '9999-12-31' then 'hash'
        when p.hash <> ledger.audit_hash(p.entry) then 'hash'
      end as fault
    from pairs p
    where p.id is distinct from after_id
  )
  select c.counted, c.last, b.id, b.fault
  into rows, last_id, broken_id, fault
  from (select count(*) as counted, max(k.id) as last from checked k) c
  left join (select k.* from checked k where k.fault is not null order by k.id limit 1) b on true;
end
$$;
comment on function ledger.check_audit(bigint, integer) is
  'Checks the next audit entries, each against its predecessor. If an entry is invalid, fault names the check that failed: `sequence`, `link` or `hash`. Returns the number of entries checked, the last entry checked and the first broken entry. If fewer than rows_max entries were checked, the call has reached the end of the audit.';
grant execute on function ledger.check_audit(bigint, integer) to service_role;

create function private.require_opened(customer uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if not exists (
    select from ledger.audit a
    where a.target = customer and a.action = 'read_customer'
      and a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
      and a.recorded_at > now() - interval '1 hour'
  ) then
    raise exception 'Abre otra vez la página del cliente.' using errcode = '42501';
  end if;
end
$$;
comment on function private.require_opened(uuid) is
  'Refuses (42501) every caller except an administrator who, within the last hour, opened this customer''s page in the same session (public.open_customer).';

-- supabase/schemas/notices/functions.sql

-- Functions of notices: private.tell is the one way to tell people. Notices then become notifications and mails.

create function private.mail(addresses text[], topic text, facts jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the platform sends all mails, but none about these topics.
  if not private.is_hosted() then
    perform auth.enqueue_notices(addresses, jsonb_build_object('topic', mail.topic, 'facts', mail.facts));
  end if;
end
$$;
comment on function private.mail(text[], text, jsonb) is
  'Queues a mail about a topic to each of these addresses, in the database transaction of the event. Every mail that the product sends by itself passes here.';

create function private.tell(
  recipients uuid[], topic text, facts jsonb default '{}', happened_at timestamptz default clock_timestamp(), dedupe text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_variable
declare
  told private.topics;
  recipient uuid;
  stop_seed uuid;
begin
  select t.* into strict told from private.topics t where t.name = topic;
  if told.is_listed then
    if not private.is_on('notificaciones') then
      return;
    end if;
    if told.is_chosen then
      recipients := array(
        select r.id from unnest(recipients) r (id)
        where exists (select from public.notification_preferences p where p.user_id = r.id and p.kind = topic)
      );
    end if;
  end if;
  if cardinality(recipients) = 0 then
    return;
  elsif told.is_listed and told.pace is not null then
    -- A notice must never make a posting or a sign-in fail.
    begin
      insert into private.notices (recipient, topic, facts, happened_at, dedupe)
      select r.id, topic, facts, happened_at, dedupe from unnest(recipients) r (id)
      on conflict do nothing;
    exception when others then
      raise warning 'notices: % (%)', sqlerrm, sqlstate;
    end;
  elsif told.pace is not null then
    foreach recipient in array recipients loop
      insert into private.notice_marks as m (recipient, topic, mailed_at) values (recipient, topic, happened_at)
      on conflict on constraint notice_marks_pkey do update set mailed_at = excluded.mailed_at
      where m.mailed_at <= happened_at - told.pace and coalesce(m.stopped_until <= now(), true)
      returning m.seed into stop_seed;
      if found then
        perform private.mail(
          array(select u.email::text from auth.users u where u.id = recipient), topic,
          facts || jsonb_build_object('seed', stop_seed)
        );
      end if;
    end loop;
  else
    if told.is_listed then
      insert into public.notifications (user_id, kind, detail, events, happened_at)
      select r.id, topic, facts ->> 'detail', 1, happened_at from unnest(recipients) r (id);
      facts := facts || jsonb_build_object('events', 1, 'happened_at', happened_at);
    end if;
    perform private.mail(
      array(select u.email::text from auth.users u where u.id = any (recipients) order by u.id), topic, facts
    );
  end if;
end
$$;
comment on function private.tell(uuid[], text, jsonb, timestamptz, text) is
  'Tells people about an event of a topic. Call this function in the database transaction of the event. The notice of a listed topic with a pace waits in private.notices. All other notices are mailed with the transaction: those of a topic with a pace at most once in this time. Leaves out customers who did not choose the topic, and people who got a notice with the same `dedupe`. Does nothing for a listed topic while the setting `notificaciones` is off.';

create function private.forget_topics(customer uuid, topics text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from private.notice_marks m where m.recipient = customer and m.topic = any (topics);
  update private.notices n set mailed_at = now()
  where n.recipient = customer and n.topic = any (topics) and n.listed_at is not null and n.mailed_at is null;
end
$$;
comment on function private.forget_topics(uuid, text[]) is
  'Drops the waiting mails about topics that a customer no longer chooses, and makes the links in earlier mails invalid.';

create function private.choose_first_topics(customer uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into public.notification_preferences (user_id, kind)
  select customer, k from unnest('{transfer,deposit,correction,statement}'::text[]) k
  on conflict do nothing
$$;
comment on function private.choose_first_topics(uuid) is
  'Chooses the topics about money for a new person, whether or not the bank has enabled notifications. The person can remove them (public.set_notifications).';

create function public.set_notifications(
  kinds text[], expense_above numeric default null, balance_below numeric default null
) returns setof public.notification_preferences
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kinds_max constant integer := 7;
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('notificaciones');
  perform private.require_second_factor();
  -- With this lock, concurrent calls of one customer wait for each other.
  perform from auth.users u where u.id = me for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  if coalesce(cardinality(kinds), 0) > kinds_max then
    raise exception 'Se eligen hasta % avisos.', kinds_max using errcode = 'PT422';
  end if;
  -- Without re-authentication, a thief with a stolen session could first stop the mails that would report the thief's
  -- transfers.
  if exists (
    select from public.notification_preferences p
    where p.user_id = me and (
      p.kind <> all (coalesce(kinds, '{}'))
      or (p.kind = 'large_expense' and expense_above > p.amount)
      or (p.kind = 'low_balance' and balance_below < p.amount)
    )
  ) then
    perform private.require_own_proof();
  end if;
  perform private.consume('rows written', me::text, (
    select count(*)::integer from (
      select p.kind from public.notification_preferences p where p.user_id = me union select unnest(kinds)
    ) written
  ));
  perform private.forget_topics(me, array(
    select t.name from private.topics t where t.is_chosen and t.name <> all (coalesce(kinds, '{}'))
  ));
  delete from public.notification_preferences p where p.user_id = me and p.kind <> all (coalesce(kinds, '{}'));
  begin
    return query
      insert into public.notification_preferences as p (user_id, kind, amount)
      select distinct me, k, case k when 'large_expense' then expense_above when 'low_balance' then balance_below end
      from unnest(kinds) k
      on conflict on constraint notification_preferences_pkey do update set amount = excluded.amount
      returning p.*;
  exception when check_violation or not_null_violation then
    raise exception 'Elige avisos que existan, con un monto mayor que cero y dos decimales como máximo donde haga falta.'
      using errcode = 'PT422';
  end;
end
$$;
comment on function public.set_notifications(text[], numeric, numeric) is
  'Chooses exactly the given kinds of events for the caller, and returns the preferences. `large_expense` requires expense_above, and `low_balance` requires balance_below. To remove a kind, raise expense_above or lower balance_below, the caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT404 while the bank has not enabled notifications, and PT422 for an unknown kind or an amount that is missing or not money.';
grant execute on function public.set_notifications(text[], numeric, numeric) to authenticated;

create function public.read_notifications() returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('notificaciones');
  perform private.consume('rows written', me::text, (
    select count(*)::integer from public.notifications n where n.user_id = me and n.read_at is null
  ));
  update public.notifications n set read_at = now() where n.user_id = me and n.read_at is null;
end
$$;
comment on function public.read_notifications() is
  'Marks the caller''s notifications as read. Raises PT404 while the bank has not enabled notifications.';
grant execute on function public.read_notifications() to authenticated;

create function private.stop_notices(seed uuid, out person uuid, out topic text) returns record
  language plpgsql security definer
  set search_path = ''
as $$
declare
  found_mark private.notice_marks;
  stopped private.topics;
begin
  select m.* into found_mark from private.notice_marks m where m.seed = stop_notices.seed;
  select t.* into stopped from private.topics t where t.name = found_mark.topic;
  if stopped.is_chosen and private.is_on('notificaciones') then
    -- Locks the account first, as every other change of a customer's rows does.
    perform from auth.users u where u.id = found_mark.recipient for key share;
    delete from private.notice_marks m where m.seed = stop_notices.seed;
    if not found then
      return;
    end if;
    perform private.forget_topics(found_mark.recipient, array[found_mark.topic]);
    delete from public.notification_preferences p where p.user_id = found_mark.recipient and p.kind = found_mark.topic;
    -- Every reader of a mail can follow its link. The customer therefore learns that the notices have stopped.
    perform private.tell(array[found_mark.recipient], 'stopped', jsonb_build_object('detail', found_mark.topic));
  elsif not stopped.is_listed then
    -- Stops an administrator's mails for 30 days only, because every reader of such a mail can use the link in it.
    update private.notice_marks m set stopped_until = now() + interval '30 days', seed = gen_random_uuid()
    where m.seed = stop_notices.seed;
    if not found then
      return;
    end if;
  else
    return;
  end if;
  person := found_mark.recipient;
  topic := found_mark.topic;
end
$$;
comment on function private.stop_notices(uuid) is
  'Removes the preference to which a link in a mail belongs, tells the customer by mail and in the list, and returns the person and the topic. For a link in a mail about requests, stops the mails about requests for 30 days instead. Returns nulls for an unknown seed, for a sign-in from a new device, and for the link of a customer while the bank has not enabled notifications. The server verifies the link''s token first.';
grant execute on function private.stop_notices(uuid) to supabase_auth_admin;

-- Money: the functions that post new or changed rows call private.tell_money. The sums of a month are compared with the
-- limits later, by private.judge_limits, so that a posting computes no sums.

create function private.chosen_topics(customer uuid) returns text[]
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return case when private.is_on('notificaciones') then array(
    select p.kind from public.notification_preferences p where p.user_id = customer
  ) else '{}' end;
end
$$;
comment on function private.chosen_topics(uuid) is
  'Returns the topics that a customer chose; none while the bank has not enabled notifications. One lookup in such a bank.';

create type private.money_news as (topic text, category text, amount numeric, dated_at timestamptz);
comment on type private.money_news is 'A posting of which a customer might want to know.';
comment on column private.money_news.topic is '`deposit`, `correction` or `large_expense` for a transaction that the bank recorded; null if only the category counts.';
comment on column private.money_news.category is 'The category of an expense that is valid; otherwise null.';
comment on column private.money_news.amount is 'Units of currency: the amount, or for a changed expense the amount that it added to its category.';
comment on column private.money_news.dated_at is 'The date of the transaction.';

create function private.tell_money(
  customer uuid, news private.money_news[], balance_before numeric, balance_after numeric
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  month_begins_at constant timestamptz :=
    date_trunc('month', now() at time zone 'America/Bogota') at time zone 'America/Bogota';
begin
  insert into private.notices (recipient, topic, facts, events)
  select customer, p.kind, '{}', 1 from public.notification_preferences p
  where p.user_id = customer and p.kind = 'low_balance' and balance_before >= p.amount and balance_after < p.amount
  union all
  select
    customer, case p.kind when 'category_limit' then 'spending' else p.kind end,
    case p.kind
      when 'category_limit' then jsonb_build_object('detail', n.detail, 'amount', sum(n.amount)) else '{}'
    end,
    count(*)
  from public.notification_preferences p
  cross join lateral (
    select e.*, case p.kind when 'category_limit' then e.category end as detail from unnest(news) e
  ) n
  where p.user_id = customer and case p.kind
    when 'category_limit' then n.category is not null and n.dated_at >= month_begins_at
    when 'large_expense' then n.topic = p.kind and n.amount > p.amount
    else n.topic = p.kind
  end
  group by p.kind, n.detail;
exception when others then
  -- A notice must never make a posting fail.
  raise warning 'notices: % (%)', sqlerrm, sqlstate;
end
$$;
comment on function private.tell_money(uuid, private.money_news[], numeric, numeric) is
  'Tells a customer about the postings of one SQL statement, and about a balance that fell below a chosen amount. Groups the events of each topic. Stores the sums of the expenses by category for private.judge_limits. Call this function last, and only for a customer who chose topics (private.chosen_topics).';

create function private.device_of(user_agent text, ip text) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  network text := coalesce(ip, '');
begin
  begin
    network := case family(ip::inet) when 6 then host(network(set_masklen(ip::inet, 64))) else host(ip::inet) end;
  exception when invalid_text_representation then
    -- Some proxies add a port to the address. The address together with the port then counts as a separate network. An
    -- error must not be raised here, because it would prevent every later report.
    null;
  end;
  -- Browsers change their version every month, and one IPv6 connection has many addresses.
  return sha256(convert_to(
    regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g') || ' ' || coalesce(network, ''), 'UTF8'
  ));
end
$$;
comment on function private.device_of(text, text) is 'Returns a hash of the browser without its version, and of the network: an IPv4 address, the first half of an IPv6 address, or a text that is not an address.';

create function private.note_device(person uuid, session uuid, user_agent text, ip text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept_max constant integer := 100;
  current constant bytea := private.device_of(user_agent, ip);
begin
  if not exists (select from private.known_devices d where d.user_id = person and d.device = current)
    -- The first session of an account, and the devices that were signed in when the bank enabled notifications, are
    -- not reported.
    and (
      exists (select from private.known_devices d where d.user_id = person)
      or exists (select from auth.sessions s where s.user_id = person and s.id <> session)
    )
    and not exists (
      select from auth.sessions s
      where s.user_id = person and s.id <> session and private.device_of(s.user_agent, s.ip::text) = current
    )
  then
    perform private.tell(array[person], 'new_device', jsonb_build_object('detail', left(user_agent, 256)));
  end if;
  insert into private.known_devices as d (user_id, device) values (person, current)
  on conflict on constraint known_devices_pkey do update set last_seen_at = now()
  where d.last_seen_at < now() - interval '1 day';
  delete from private.known_devices d where d.user_id = person and d.device in (
    select o.device from private.known_devices o
    where o.user_id = person order by o.device = current desc, o.last_seen_at desc offset kept_max
  );
end
$$;
comment on function private.note_device(uuid, uuid, text, text) is
  'Stores the device of a new session, and keeps the newest 100 devices of a person. Tells the person if they had not used the device in 90 days.';

create function private.warn_of_many_sessions(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The service keeps the newest fifty sessions (auth.bound_sessions). A thief who knows only the password could end the owner's
  -- sessions by signing in many times. A mail warns the owner before that happens. Sessions at aal1 and at aal2 are
  -- counted separately, as there.
  if not private.is_hosted()
    and exists (select from auth.sessions s where s.user_id = person group by s.aal having count(*) >= 20)
    and private.is_first_use('many sessions', person::text)
  then
    perform private.tell(array[person], 'many_sessions');
  end if;
end
$$;
comment on function private.warn_of_many_sessions(uuid) is 'Mails a warning, at most once a day, to a user who has twenty or more sessions of one level.';

create function private.note_session() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.is_on('notificaciones') then
    begin
      perform private.note_device(new.user_id, new.id, new.user_agent, new.ip::text);
    exception when others then
      -- A notice must never make a sign-in fail.
      raise warning 'notices: % (%)', sqlerrm, sqlstate;
    end;
  end if;
  perform private.warn_of_many_sessions(new.user_id);
  return null;
end
$$;
comment on function private.note_session() is 'Tells a person about a sign-in from a new device, and about many sessions of one level.';

create function private.tell_statements(people_max integer, at timestamptz) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  days_max constant integer := 7;
  today constant date := (at at time zone 'America/Bogota')::date;
  ready constant date := date_trunc('month', today - interval '1 month')::date;
  month constant text := to_char(ready, 'YYYY-MM');
  people uuid[];
begin
  if extract(day from today) > days_max then
    return;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  people := array(
    select o.id from auth.users o
    -- An account that was opened later has no statement of that month.
    where o.created_at < (ready + interval '1 month') at time zone 'America/Bogota' and o.id in (
      select p.user_id from public.notification_preferences p
      where p.kind = 'statement' and not exists (
        select from private.notices n where n.recipient = p.user_id and n.topic = p.kind and n.dedupe = month
      )
    )
    order by o.id limit people_max for key share
  );
  perform private.tell(people, 'statement', jsonb_build_object('detail', month), dedupe => month);
end
$$;
comment on function private.tell_statements(integer, timestamptz) is
  'Tells up to people_max customers who chose it that the statement of the last month is ready. Does nothing after the seventh day of a month in Bogotá. Each customer gets one notice for a month.';

create function private.list_notices(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept_max constant integer := 100;
  people uuid[];
  ids uuid[];
begin
  if not private.is_on('notificaciones') then
    return 0;
  end if;
  select array_agg(n.recipient), array_agg(n.id) into people, ids
  from (
    select o.recipient, o.id from private.notices o
    where o.listed_at is null and o.topic <> 'spending' order by o.happened_at limit rows_max
  ) n;
  if ids is null then
    return 0;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  with taken as (
    update private.notices n set
      listed_at = now(),
      -- A hosted project cannot send these mails. The customer may have removed the preference in the meantime.
      mailed_at = case when private.is_hosted() or not w.is_wanted then now() end
    from (
      select k.recipient, k.id, not t.is_chosen or exists (
        select from public.notification_preferences p where p.user_id = k.recipient and p.kind = k.topic
      ) as is_wanted
      from unnest(people, ids) i (recipient, id)
      join private.notices k on k.recipient = i.recipient and k.id = i.id
      join private.topics t on t.name = k.topic
    ) w
    where n.recipient = w.recipient and n.id = w.id
    returning n.*, w.is_wanted
  )
  insert into public.notifications (user_id, kind, detail, events, happened_at)
  select t.recipient, t.topic, t.facts ->> 'detail', sum(t.events), max(t.happened_at)
  from taken t where t.is_wanted
  group by t.recipient, t.topic, t.facts ->> 'detail';
  delete from public.notifications n where (n.user_id, n.id) in (
    select o.user_id, o.id from (select distinct p.id from unnest(people) p (id)) person cross join lateral (
      select k.user_id, k.id from public.notifications k join private.topics t on t.name = k.kind
      -- Otherwise, the notifications of small expenses in a hundred categories would push the notification of a
      -- stranger's sign-in out of the list.
      where k.user_id = person.id
      order by t.place = 0 desc, k.happened_at desc, k.id offset kept_max
    ) o
  );
  return cardinality(ids);
end
$$;
comment on function private.list_notices(integer) is
  'Adds up to rows_max notices, oldest first, to the lists of their recipients, and returns the number of notices. Does nothing while the bank has not enabled notifications.';

create function private.mail_notices(mails_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- A bank that enables notifications again does not mail old events.
  mailed_for constant interval := interval '24 hours';
  people uuid[];
  names text[];
  due record;
  mails integer := 0;
begin
  if private.is_hosted() or not private.is_on('notificaciones') then
    return 0;
  end if;
  select array_agg(d.recipient), array_agg(d.topic) into people, names
  from (
    select w.recipient, w.topic
    from (
      select n.recipient, n.topic, max(n.happened_at) as happened_at from private.notices n
      where n.listed_at is not null and n.mailed_at is null and n.happened_at > now() - mailed_for
      group by n.recipient, n.topic
    ) w
    join private.topics t on t.name = w.topic
    left join private.notice_marks m on m.recipient = w.recipient and m.topic = w.topic
    where coalesce(m.mailed_at <= now() - t.pace, true)
    order by t.place, w.happened_at limit mails_max
  ) d;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  for due in
    with due as (
      select * from unnest(people, names) with ordinality as d (recipient, topic, place)
    ),
    mailed as (
      update private.notices n set mailed_at = now()
      from due d
      where n.recipient = d.recipient and n.topic = d.topic and n.listed_at is not null and n.mailed_at is null
      returning n.*
    ),
    news as (
      select
        n.recipient, n.topic, sum(n.events) as events, max(n.happened_at) as happened_at,
        -- If money was both sent and received, the mail must report the sent transfer, even if the received transfer is
        -- later.
        (array_agg(n.facts ->> 'detail' order by n.facts ->> 'detail' is not distinct from 'sent' desc, n.happened_at desc))[1]
          as detail
      from mailed n where n.happened_at > now() - mailed_for
      group by n.recipient, n.topic
    ),
    marks as (
      insert into private.notice_marks as m (recipient, topic, mailed_at)
      select n.recipient, n.topic, now() from news n
      on conflict on constraint notice_marks_pkey do update set mailed_at = excluded.mailed_at
      returning m.recipient, m.topic, m.seed
    )
    select u.email::text as address, n.topic, jsonb_build_object(
      'events', n.events, 'happened_at', n.happened_at,
      'detail', case when t.shows_detail then n.detail end, 'seed', case when t.is_chosen then m.seed end
    ) as facts
    from news n
    join due d on d.recipient = n.recipient and d.topic = n.topic
    join marks m on m.recipient = n.recipient and m.topic = n.topic
    join private.topics t on t.name = n.topic
    join auth.users u on u.id = n.recipient and u.email_confirmed_at is not null and u.deleted_at is null
    -- The customer may have removed the preference in the meantime.
    where not t.is_chosen or exists (
      select from public.notification_preferences p where p.user_id = n.recipient and p.kind = n.topic
    )
    order by d.place
  loop
    perform private.mail(array[due.address], due.topic, due.facts);
    mails := mails + 1;
  end loop;
  delete from private.notices n using unnest(people, names) as d (recipient, topic)
  where n.recipient = d.recipient and n.topic = d.topic and n.mailed_at is not null and n.dedupe is null;
  return mails;
end
$$;
comment on function private.mail_notices(integer) is
  'Enqueues up to mails_max mails about listed notices: those about transfers and new devices first, and those about statements last. A person gets at most one mail about a topic within its pace. Later events are counted in the next mail. Events older than 24 hours are not mailed. A mail contains no amount, no balance, no description and no name. Returns the number of mails. Does nothing while the bank has not enabled notifications.';
grant execute on function private.mail_notices(integer) to supabase_auth_admin;

-- supabase/schemas/people/functions.sql

-- Functions of people: names, documents, passwords that staff typed, and the sessions of a person.

create function private.refuse_customers_request() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Checks only updates made by requests. Updates by private.mirror_person are not checked, because this function runs
  -- with its owner's rights.
  if current_user = 'authenticated' then
    perform private.require_admin();
  end if;
  return null;
end
$$;
comment on function private.refuse_customers_request() is
  'Raises 42501 when a customer tries to change a role, even if no row matches.';

create function private.nit_check_digit(digits text) returns integer
  language sql immutable
  set search_path = ''
as $$
  select case when r.rest > 1 then 11 - r.rest else r.rest end
  from (
    select sum(d.digit::integer * ('{3,7,13,17,19,23,29,37,41,43,47,53,59,67,71}'::integer[])[d.place])::integer % 11 as rest
    from regexp_split_to_table(reverse(digits), '') with ordinality as d (digit, place)
  ) r
$$;
comment on function private.nit_check_digit(text) is
  'Returns the check digit of a Colombian tax number (NIT), which has up to 15 digits (DIAN, Orden Administrativa 4 of 1989).';

create function private.keep_account_number() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'El número de una cuenta no cambia.' using errcode = 'PT403';
end
$$;
comment on function private.keep_account_number() is
  'Refuses to change the number or the owner of an account, whichever program writes to the table. Other people may already use the number to pay the customer.';

create function private.verified_name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.full_name from public.account_holders h where h.user_id = person
$$;
comment on function private.verified_name_of(uuid) is
  'Returns the name of a person that the bank verified; null if the person typed the name.';

create function private.shown_name(person auth.users) returns text
  language sql stable security definer
  set search_path = ''
  -- Users set `full_name` themselves, and an invalid name must not make the sign-up fail. It never replaces a name that
  -- the bank verified.
  return coalesce(private.verified_name_of(person.id), private.sanitize_name(person.raw_user_meta_data ->> 'full_name'));
comment on function private.shown_name(auth.users) is
  'Returns the name of a person in profiles: the name that the bank verified, or else the name that the person typed, cleaned with private.sanitize_name.';

create function private.list_person(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.listed_people as l (user_id, words, sorted_name, role, is_confirmed, banned_until)
  select
    p.id, private.folded(concat_ws(' ', p.full_name, s.email, r.admin)), private.folded(coalesce(p.full_name, s.email)),
    coalesce(r.admin, 'user'), u.email_confirmed_at is not null, u.banned_until
  from public.profiles p
  join public.user_safe s on s.id = p.id
  join auth.users u on u.id = p.id
  -- A role is written to auth.users before it is written to profiles.
  cross join lateral (select case when u.raw_app_meta_data ->> 'role' = 'admin' then 'admin' end as admin) r
  where p.id = person
  on conflict (user_id) do update set
    words = excluded.words, sorted_name = excluded.sorted_name, role = excluded.role, is_confirmed = excluded.is_confirmed,
    banned_until = excluded.banned_until
  where (l.words, l.sorted_name, l.role, l.is_confirmed, l.banned_until)
    is distinct from (excluded.words, excluded.sorted_name, excluded.role, excluded.is_confirmed, excluded.banned_until)
$$;
comment on function private.list_person(uuid) is 'Writes the row of a user in private.listed_people.';

create function private.show_name(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.profiles p set full_name = private.shown_name(u) from auth.users u
  where p.id = person and u.id = person and p.full_name is distinct from private.shown_name(u);
  select private.list_person(person);
$$;
comment on function private.show_name(uuid) is
  'Copies the name of a person to profiles (private.shown_name) and to private.listed_people. A function calls this function if it changes a verified name after the name in auth.users.';

create function private.mirror_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name' then
    perform private.require_free_name(new);
  end if;
  update public.profiles p set full_name = private.shown_name(new)
  where p.id = new.id and p.full_name is distinct from private.shown_name(new);
  update public.user_safe s set email = coalesce(new.email, ''), last_sign_in_at = new.last_sign_in_at
  where s.id = new.id
    and (s.email, s.last_sign_in_at) is distinct from (coalesce(new.email, ''), new.last_sign_in_at);
  -- A sign-in changes none of these columns.
  if (new.email, new.raw_user_meta_data, new.raw_app_meta_data, new.email_confirmed_at, new.banned_until)
    is distinct from (old.email, old.raw_user_meta_data, old.raw_app_meta_data, old.email_confirmed_at, old.banned_until)
  then
    perform private.list_person(new.id);
  end if;
  return null;
end
$$;
comment on function private.mirror_person() is 'Copies the name, the address and the last sign-in of a user to profiles and user_safe, and writes the row of the user in private.listed_people. Also raises the error of private.require_free_name.';

create function private.document_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.document_kind || ' ' || h.document_number from public.account_holders h where h.user_id = person
$$;
comment on function private.document_of(uuid) is
  'Returns the identity document of a person, such as "CC 1020304050"; null if the bank does not know it.';

create function private.is_reserved(skeleton text, is_alias boolean default false) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from (
      select w.words, false as is_brand from private.reserved_words w
      union all
      select b.words, true from private.words_of(private.setting('brand_name')) b (words)
      -- A name without letters of the skeleton would reserve every name.
      where btrim(b.words) <> ''
    ) r
    cross join lateral (select replace(r.words, ' ', '') as joined) l
    where position(r.words in skeleton) > 0
      or position(l.joined in replace(skeleton, ' ', '')) > 0 and case
        -- A short name of a bank stands inside many honest aliases, such as "uno" in "bruno".
        when is_alias then not r.is_brand or char_length(l.joined) >= 5
        -- The letters of a long name may be apart, as in "B a n c o F i n a n z a s".
        else r.is_brand and char_length(l.joined) >= 8
      end
  )
$$;
comment on function private.is_reserved(text, boolean) is
  'Returns whether a skeleton contains a reserved word or the name of the bank (private.reserved_words and the setting brand_name). In a name, whose skeleton is private.words_of, a reserved word counts as a whole word, and the name of the bank also if its letters are apart. In an alias, whose skeleton is private.alias_skeleton, both count anywhere, except for a bank''s name of fewer than five letters.';

create function private.require_free_name(person auth.users) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- Administrators act for the bank. A verified name hides the name that the person types.
  if person.raw_app_meta_data ->> 'role' = 'admin' or private.verified_name_of(person.id) is not null then
    return;
  end if;
  if private.is_reserved(private.words_of(person.raw_user_meta_data ->> 'full_name')) then
    raise exception 'Este nombre está reservado para el banco. Escribe otro.' using errcode = 'PT422', hint = 'reserved_name';
  end if;
end
$$;
comment on function private.require_free_name(auth.users) is
  'Refuses (PT422 with the hint reserved_name) a name with which a customer could pretend to be the bank.';

-- Written in PL/pgSQL, because auth.sessions of a hosted project does not have the column amr.
create function private.note_own_password(person uuid, session uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A session in which the password was entered may belong to the administrator who typed it.
  delete from private.staff_passwords p
  where p.user_id = person and exists (
    select from auth.sessions s
    where s.id = note_own_password.session and s.user_id = person
      and jsonb_path_exists(s.amr, '$[*] ? (@.method == "recovery" || @.method == "invite" || @.method == "otp")')
      and not jsonb_path_exists(s.amr, '$[*] ? (@.method == "password")')
  );
end
$$;
comment on function private.note_own_password(uuid, uuid) is
  'Records that a person set a password in this session. The password is then the person''s own if the session used a link or a code that was mailed to their address, and was never proven by a password. The authentication service calls this function before auth.settle_password.';
grant execute on function private.note_own_password(uuid, uuid) to supabase_auth_admin;

create function private.note_hosted_password() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The authentication service has ended all sessions except the one that set the password. A session of a mailed link
  -- has the method otp.
  delete from private.staff_passwords p
  where p.user_id = new.id and (
    select bool_or(c.authentication_method in ('otp', 'recovery', 'invite', 'magiclink'))
      and not bool_or(c.authentication_method = 'password')
    from auth.sessions s join auth.mfa_amr_claims c on c.session_id = s.id
    where s.user_id = new.id
  );
  return null;
end
$$;
comment on function private.note_hosted_password() is
  'On a hosted project, does the work of private.note_own_password when the authentication service has stored a password.';

create function private.require_own_password() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if exists (select from private.staff_passwords p where p.user_id = (select auth.uid())) then
    raise exception 'El banco escribió tu contraseña. Para transferir, elige una tú con «¿Olvidaste tu contraseña?».'
      using errcode = 'PT403', hint = 'own_password_needed';
  end if;
end
$$;
comment on function private.require_own_password() is
  'Refuses (PT403 with the hint own_password_needed) a caller whose present password an administrator typed.';

create function private.waiting_email_change(person uuid) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if private.is_hosted() then
    return null;
  end if;
  return auth.waiting_address_change(person);
end
$$;
comment on function private.waiting_email_change(uuid) is
  'Returns a person''s pending change of e-mail address in the format of auth.waiting_address_change, or null if no change is pending.';

create type public.own_session as (
  id uuid,
  is_present boolean,
  began_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  network text
);
comment on type public.own_session is 'A live session of the caller.';
comment on column public.own_session.id is 'Id of the session, which is the session_id claim of its access tokens.';
comment on column public.own_session.is_present is 'Whether this request belongs to the session.';
comment on column public.own_session.began_at is 'Time of the sign-in.';
comment on column public.own_session.last_used_at is 'Time of the last token refresh; time of the sign-in if the token was never refreshed.';
comment on column public.own_session.user_agent is 'User-Agent header of the sign-in; null if the browser sent none.';
comment on column public.own_session.network is 'IP address of the sign-in; null if unknown.';

create function public.own_sessions() returns setof public.own_session
  language sql stable security definer
  set search_path = ''
  -- A hosted project stores the time of the last refresh in UTC without a time zone. A hosted project stores the IP
  -- address as inet.
  set timezone = 'UTC'
as $$
  select s.id, s.id = ((select auth.jwt()) ->> 'session_id')::uuid, s.created_at,
    coalesce(s.refreshed_at::timestamptz, s.created_at), s.user_agent, split_part(s.ip::text, '/', 1)
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 2 desc, 4 desc, 1
$$;
comment on function public.own_sessions() is
  'Returns the caller''s sessions. The session of this request comes first; the others follow, most recently used first.';
grant execute on function public.own_sessions() to authenticated;

create function public.end_session(session_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = (select auth.uid());
  if not found then
    raise exception 'Esa sesión ya terminó.' using errcode = 'PT404';
  end if;
end
$$;
comment on function public.end_session(uuid) is
  'Ends one of the caller''s own sessions and revokes its refresh token. Raises PT404 for another person''s session and for a session that has already ended.';
grant execute on function public.end_session(uuid) to authenticated;

create function private.name_of(person auth.users) returns text
  language sql stable
  set search_path = ''
as $$
  select coalesce(
    private.verified_name_of(person.id), private.sanitize_name(person.raw_user_meta_data ->> 'full_name'), person.email::text
  )
$$;
comment on function private.name_of(auth.users) is 'Returns the name of a person for mails to staff, or the person''s e-mail address if the person has no name.';

create function private.tell_staff(
  act text, facts jsonb, target uuid, target_name text, asked_by uuid default null, was_admin boolean default false
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  author record;
begin
  select a.actor, a.origin into author from private.author_of(asked_by) a;
  perform private.tell(
    array(
      select u.id from auth.users u
      where private.is_working_admin(u)
        -- Leaves out the target, who gets a mail of their own. An administrator who recorded a transaction in their own
        -- account gets no mail of their own and is therefore included.
        and (u.id is distinct from target or author.actor = target)
    ),
    'staff_' || act,
    facts || jsonb_build_object(
      'origin', author.origin,
      'actor', (select private.name_of(u) from auth.users u where u.id = author.actor),
      'target', target_name,
      'target_id', target,
      'was_admin', was_admin
    )
  );
end
$$;
comment on function private.tell_staff(text, jsonb, uuid, text, uuid, boolean) is
  'Tells every administrator who can sign in about an act. The facts then also contain the origin and the author of the act (private.author_of), and the person concerned.';

create function private.holder_data(person uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'full_name', p.full_name, 'document_kind', h.document_kind, 'document_number', h.document_number, 'phone', h.phone
  )
  from public.profiles p join public.account_holders h on h.user_id = p.id where p.id = person
$$;
comment on function private.holder_data(uuid) is 'Returns the data of an account holder that staff may correct.';

create function private.name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(nullif(btrim(p.full_name), ''), s.email)
  from public.profiles p join public.user_safe s on s.id = p.id where p.id = person
$$;
comment on function private.name_of(uuid) is 'Returns a user''s name, or the e-mail address if the user has no name; null for a deleted user.';

-- supabase/schemas/orders/functions.sql

-- Functions of orders: claiming a call, entering it in the book, asking for an approval, and the sums that decide whether
-- an order waits.

create function private.record_access_act(act text, person uuid, clerk uuid default auth.uid()) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.access_acts as a (person, clerk, act)
  select record_access_act.person, record_access_act.clerk, record_access_act.act
  where record_access_act.clerk is not null and record_access_act.clerk <> record_access_act.person
  on conflict on constraint access_acts_pkey do update set acted_at = excluded.acted_at
$$;
comment on function private.record_access_act(text, uuid, uuid) is
  'Records that an administrator gave or changed a person''s access. Each act calls this function in its own database transaction. Does nothing if no administrator acts, for example in a command of the operator.';

create function private.holds_keys(clerk uuid, payer uuid, payee uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from private.access_acts a
    where a.person in (holds_keys.payer, holds_keys.payee) and a.clerk = holds_keys.clerk
      and a.acted_at > now() - interval '90 days'
      and (a.person = holds_keys.payer or a.act not in ('open', 'invite'))
  )
$$;
comment on function private.holds_keys(uuid, uuid, uuid) is
  'Returns whether an administrator gave or changed the access of a transfer''s payer within the last 90 days, or changed the access of its payee. The owner of second factors to be removed is asked about as a payer without a payee. To have opened or invited the payee''s account does not count.';

create function private.require_proof_of(amount numeric, is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  session constant uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  proven_until constant timestamptz := private.proof_ends_at();
  ordered numeric;
begin
  if proven_until > now() or not private.requires_proof(is_specified) then
    return;
  end if;
  -- If a session orders two amounts concurrently, the second call waits here for the first. Otherwise, neither sum
  -- would include the amount of the concurrent call.
  perform pg_advisory_xact_lock(hashtext('finanzas.orders'), hashtext(session::text));
  select coalesce(sum(o.amount), 0) into ordered
  from private.orders o
  -- A deletion needs a proof of its own.
  where o.asked_in = session and o.asked_at > proven_until and o.amount is not null and o.request_id is null and o.kind <> 'delete_user';
  if ordered + amount > private.number('staff_proof_above') then
    perform private.require_proof();
  end if;
end
$$;
comment on function private.require_proof_of(numeric, boolean) is
  'Must be called before an administrator moves an amount. Adds this amount to the total that was ordered in the session since the password or a mailed code was last entered. If the total exceeds the bank''s limit, calls private.require_proof. Does nothing if is_specified is true and the bank''s rules ask for no proof.';

create function private.moved_today(clerk uuid) returns numeric
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(sum(o.amount), 0)
  from private.orders o
  where o.asked_by = clerk and o.counts
    and o.asked_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
$$;
comment on function private.moved_today(uuid) is
  'Returns the sum of the amounts that an administrator moved today in Bogotá without a second administrator, in units of currency. Includes the transfers that the administrator approved alone, and the returns of transfers to other banks. For each account that the administrator deleted, includes the balance, or the balance without the customer''s notes if it is larger.';

create function private.lock_approvals() returns void
  language sql
  set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext((select auth.uid())::text))
$$;
comment on function private.lock_approvals() is
  'Lets the caller''s orders that may wait run one after another. Must be called before the locks of people and of administrators.';

create function private.needs_approval(amount numeric) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  above constant numeric := private.number('staff_approval_above');
begin
  if above is null or clerk is null or amount <= 0 then
    return false;
  end if;
  -- Concurrent orders of one administrator wait for each other here, even if they come from different sessions.
  -- Otherwise, the sum that is checked for one order would not include the other order.
  perform private.lock_approvals();
  -- Limits the sum of all orders of a day, because an administrator could avoid a limit for each order by splitting an
  -- order.
  return private.moved_today(clerk) + amount > above;
end
$$;
comment on function private.needs_approval(numeric) is
  'Returns true if this amount would raise the total that the caller moved today above the bank''s limit. The caller then needs a second administrator. Must be called after private.require_proof_of and before other locks.';

create function private.refuses_self_dealing() returns boolean
  language sql stable security definer
  set search_path = ''
  return private.setting('staff_self_dealing') = 'refuse';
comment on function private.refuses_self_dealing() is 'Returns whether this bank forbids its administrators to record transactions in their own accounts.';

create function private.refuse_self_dealing(person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if person = (select auth.uid()) and private.refuses_self_dealing() then
    raise exception 'El banco no permite registrar movimientos en la propia cuenta.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_self_dealing(uuid) is
  'Refuses (PT403) a transaction in the caller''s own account if the bank''s rules forbid it.';

create function private.claim(route text, key text, body_hash text) returns private.orders
  language plpgsql security definer
  set search_path = ''
  -- The longest wait for the first call with this key. After this time, the second call fails with 55P03 ("in flight").
  set lock_timeout = '2s'
as $$
declare
  clerk constant uuid := (select auth.uid());
  earlier private.orders;
  claimed private.orders;
begin
  perform private.require_admin();
  if key is null then
    return claimed;
  end if;
  if body_hash is null or body_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.' using errcode = '22023';
  end if;
  -- A second call waits here until the first one has been committed or rolled back.
  perform pg_advisory_xact_lock(hashtext('finanzas.keys'), hashtext(format('%s %s %s', clerk, route, key)));
  select o.* into earlier
  from private.orders o
  where o.asked_by = clerk and o.route = claim.route and o.call_key = key;
  if earlier.asked_at > now() - interval '48 hours' then
    if earlier.body_hash <> decode(claim.body_hash, 'hex') then
      raise exception 'Esta clave de idempotencia ya se usó con otra solicitud.' using errcode = 'FZ422';
    end if;
    return earlier;
  end if;
  -- If the key has expired and private.purge_expired has not emptied it yet, the time shows it to private.enter.
  claimed.asked_at := earlier.asked_at;
  claimed.route := route;
  claimed.call_key := key;
  claimed.body_hash := decode(claim.body_hash, 'hex');
  return claimed;
end
$$;
comment on function private.claim(text, text, text) is
  'First step of an administrator''s act. If the same call already took effect, returns its row of the book. Otherwise returns a row without an id, which has the key, and the time of an earlier call if the key has expired. The caller completes this row and passes it to private.enter. Raises 42501 if the caller is not an administrator, 22023 if the hash of the body is missing, FZ422 if the key was used with a different body, and 55P03 while the first call is still running.';

create function private.is_repeated(route text, key text, body_hash text) returns boolean
  language sql security definer
  set search_path = ''
  return (private.claim(route, key, body_hash)).id is not null;
comment on function private.is_repeated(text, text, text) is
  'Returns whether a call with this key already took effect. Raises the errors of private.claim.';
grant execute on function private.is_repeated(text, text, text) to authenticated;

create function private.claim_call(route text, key text, arguments jsonb) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
begin
  return private.claim(route, key, encode(sha256(convert_to(arguments::text, 'UTF8')), 'hex'));
exception when lock_not_available then
  raise exception 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.' using errcode = 'PT409';
end
$$;
comment on function private.claim_call(text, text, jsonb) is
  'First step of an administrator''s call of the table API. For a call of a function, private.claim is this step. Raises PT409 while the first call is still running.';

create function private.enter(entry private.orders) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
begin
  entry.id := coalesce(entry.id, gen_random_uuid());
  entry.asked_by := coalesce((private.author_of(null)).actor, '00000000-0000-0000-0000-000000000000');
  entry.asked_in := ((select auth.jwt()) ->> 'session_id')::uuid;
  entry.counts := coalesce(entry.counts, false) and entry.amount is not null and entry.request_id is null;
  -- An earlier call with this key (private.claim) took effect more than 48 hours ago.
  if entry.asked_at is not null then
    update private.orders o set call_key = null, body_hash = null
    where o.asked_by = entry.asked_by and o.route = entry.route and o.call_key = entry.call_key;
  end if;
  entry.asked_at := clock_timestamp();
  entry.done_in := pg_current_xact_id();
  insert into private.orders select entry.*;
  return entry;
end
$$;
comment on function private.enter(private.orders) is
  'Enters an act of the caller in the book, in the same database transaction as its effect, and returns the row. The audit entry follows at the commit (private.audit_order). The act must have a kind, and a person or a thing. Call this function after the checks that read the sums of the book.';

create function private.enter_act(kind text, person uuid, entry private.orders default null, details jsonb default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  entry.kind := kind;
  entry.about := person;
  entry.details := details;
  perform private.enter(entry);
end
$$;
comment on function private.enter_act(text, uuid, private.orders, jsonb) is
  'Enters an act on a person in the book. The entry has the key that private.claim claimed; null for an act of the operator.';

create function private.done_orders(person uuid, kinds text[]) returns table (
  kind text, asked_by uuid, done_at timestamptz, done_in xid8, details jsonb
)
  language sql stable security definer
  set search_path = ''
as $$
  select o.kind, o.asked_by, coalesce(r.ended_at, o.asked_at), o.done_in, o.details
  from private.orders o left join public.requests r on r.id = o.request_id
  where o.about = person and o.kind = any (kinds)
    and o.kind in (
      'create_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'reset_factor', 'reset_access',
      'begin_email_change', 'send_link', 'correct_holder'
    )
    -- The account was opened at once, even if the role of the new user waits for a decision.
    and (o.request_id is null or o.kind = 'create_user' or r.status = 'done')
$$;
comment on function private.done_orders(uuid, text[]) is
  'Returns the acts of these kinds that took effect on a person, each with its author, its time, its database transaction and its details. Knows only the kinds of the index orders_about_a_person.';

create function private.is_done_here(kind text, person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (
    select from private.done_orders(person, array[kind]) o
    -- A restored database may repeat the ids of transactions.
    where o.done_in = pg_current_xact_id() and o.done_at >= now()
  );
comment on function private.is_done_here(text, uuid) is
  'Returns whether an order of an act on a person takes effect in this database transaction.';

create function private.enter_unordered(kind text, person uuid, details jsonb default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_done_here(kind, person) then
    perform private.enter_act(kind, person, details => details);
  end if;
end
$$;
comment on function private.enter_unordered(text, uuid, jsonb) is
  'Enters an act on a user that no order of this database transaction has caused, because another program wrote to auth.users.';

create function private.block_reason_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select o.details ->> 'reason' from private.done_orders(person, '{block_user}') o order by o.done_at desc limit 1
$$;
comment on function private.block_reason_of(uuid) is 'Returns the reason of the last block of a person; null if another program blocked the person.';

create function private.answer_of(entry private.orders) returns jsonb
  language sql immutable
  set search_path = ''
  return jsonb_strip_nulls(jsonb_build_object(
    'id', coalesce(entry.thing, entry.about), 'status', case when entry.request_id is not null then 'waiting' end
  ));
comment on function private.answer_of(private.orders) is
  'Returns the answer to an order: the id of the transaction or of the person, and whether the order had to wait. The answer to a repeated call is the same, even if the order has been decided since.';

create function private.is_ordered(id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from private.orders o where o.id = is_ordered.id);
comment on function private.is_ordered(uuid) is
  'Returns whether an order with this id was entered. A call whose later statements must run only once chooses the id, and each of these statements asks this function: a repeated call entered no order.';
grant execute on function private.is_ordered(uuid) to supabase_auth_admin;

create function private.shown_to_payer(request public.requests) returns public.requests
  language plpgsql immutable
  set search_path = ''
as $$
begin
  request.payee := null;
  request.risk := null;
  request.decided_by := null;
  request.first_approved_by := null;
  request.body_hash := null;
  return request;
end
$$;
comment on function private.shown_to_payer(public.requests) is
  'Returns a request without the values of the columns that the payer is not allowed to select. Otherwise, the response of a function would contain these values.';

create function private.tell_transfer(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if request.payer is null or request.status not in ('done', 'declined', 'returned', 'failed', 'expired') then
    return;
  end if;
  perform private.tell(array[request.payer], 'transfer', jsonb_build_object(
    'detail', case request.status when 'done' then 'sent' else request.status end
  ));
  if request.payee is not null and request.status in ('done', 'returned') then
    perform private.tell(array[request.payee], 'transfer', jsonb_build_object(
      'detail', case request.status when 'done' then 'received' else request.status end
    ));
  end if;
end
$$;
comment on function private.tell_transfer(public.requests) is
  'Tells the payer how a transfer ended, and the payee if money moved. Every function that ends a transfer calls this function.';

create function private.end_request(request public.requests, status text, reason text default null) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
begin
  update public.requests r
  set status = end_request.status, reason = coalesce(end_request.reason, r.reason), ended_at = clock_timestamp()
  where r.id = request.id
  returning r.* into ended;
  perform private.tell_transfer(ended);
  return ended;
end
$$;
comment on function private.end_request(public.requests, text, text) is
  'Moves a request to a final state, and tells the people of a transfer. The calling function must hold the row''s lock.';

-- Approvals by a second administrator: if the amount of an act exceeds the bank's limit, the act becomes a request that
-- another administrator decides (docs/decisions/0068).

create function private.life_of_request() returns interval
  language sql stable security definer
  set search_path = ''
  return make_interval(hours => private.number('transfer_expires_hours')::integer);
comment on function private.life_of_request() is 'Returns the time after which an undecided request expires.';

create function private.requires_approvals() returns boolean
  language sql stable security definer
  set search_path = ''
  return private.number('staff_approval_above') is not null;
comment on function private.requires_approvals() is 'Returns whether the bank has a limit above which an act needs a second administrator.';

create function private.approval_of(kind text, person uuid) returns public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select r.* from public.requests r
  where r.about = person and r.kind = approval_of.kind and r.status = 'done'
    and r.decided_by = (select auth.uid()) and r.ended_at >= now()
    and exists (select from private.orders o where o.request_id = r.id and o.done_in = pg_current_xact_id())
  order by r.ended_at desc limit 1
$$;
comment on function private.approval_of(text, uuid) is
  'Returns the request about this person that the caller approved in this database transaction.';

create function private.has_approval(kind text, person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return (private.approval_of(kind, person)).id is not null;
comment on function private.has_approval(text, uuid) is
  'Returns whether the caller approved an act of this kind for this person in this database transaction.';

create function private.approved_by(request public.requests) returns jsonb
  language sql immutable
  set search_path = ''
  return case when request.id is not null then jsonb_build_object('approved_by', request.decided_by) end;
comment on function private.approved_by(public.requests) is
  'Returns the part of an audit entry that names the administrator who approved the act; null for an act without a request.';

create function private.request_approval(kind text, id uuid, about uuid, amount numeric, details jsonb) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  hash constant bytea := sha256(convert_to(details::text, 'UTF8'));
  same uuid;
begin
  perform private.lock_approvals();
  -- An act that concerns an account has no id of its own. A second call must not create a second request for the same
  -- act.
  if kind in ('deletion', 'promotion', 'demotion', 'block', 'factor') then
    select r.id into same from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind = request_approval.kind
      and r.expires_at > now() and r.about = request_approval.about and r.amount is not distinct from request_approval.amount
      and r.body_hash = hash
    limit 1;
    if found then
      return same;
    end if;
  end if;
  perform private.require_room('waiting acts', (
    select count(*) from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind <> 'transfer' and r.expires_at > now()
  ));
  insert into public.requests (id, kind, status, asked_by, about, amount, expires_at, body_hash, details)
  values (
    request_approval.id, request_approval.kind, 'waiting', clerk, request_approval.about, request_approval.amount,
    now() + private.life_of_request(), hash, jsonb_strip_nulls(request_approval.details)
  )
  on conflict on constraint requests_pkey do nothing;
  if not found then
    raise exception 'Este identificador ya se usó con otra solicitud.' using errcode = 'PT409';
  end if;
  return request_approval.id;
end
$$;
comment on function private.request_approval(text, uuid, uuid, numeric, jsonb) is
  'Requests another administrator''s decision about an act of the caller, and returns the id of the request. If the same act on an account already waits, returns the earlier request. The calling function must have checked that the act would not be refused. Raises PT409 for more than 100 waiting requests and for an id that was used before.';

create function private.order_of(request public.requests) returns private.orders
  language sql stable security definer
  set search_path = ''
as $$
  select o.* from private.orders o
  where o.request_id = request.id and o.kind <> 'create_user' order by o.asked_at limit 1
$$;
comment on function private.order_of(public.requests) is
  'Returns the order that a request lets wait: the first one, if the same act was ordered twice. Null if the request came from the creation of an administrator.';

create function public.waits_for_approval(id uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  return exists (
    select from public.requests r
    where r.asked_by = (select auth.uid()) and r.kind <> 'transfer' and r.status = 'waiting' and r.expires_at > now()
      and (r.id = waits_for_approval.id or (r.about = waits_for_approval.id and r.kind in ('deletion', 'promotion', 'demotion', 'block', 'factor')))
  );
end
$$;
comment on function public.waits_for_approval(uuid) is
  'Returns whether an act that the caller ordered waits for the decision of another administrator. The id is that of the transaction, correction or batch, or of the person to be deleted, promoted, demoted or blocked, or to lose the second factors. The removal of second factors always waits if the bank requires a second administrator. For administrators only. Reads at most 100 waiting orders of the caller.';
grant execute on function public.waits_for_approval(uuid) to authenticated, supabase_auth_admin;

create function private.has_first_approval(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.first_approved_by is not null and private.may_administer(request.first_approved_by)
    and not private.holds_keys(request.first_approved_by, request.payer, request.payee);
comment on function private.has_first_approval(public.requests) is
  'Returns whether an administrator approved a transfer first, and could still decide it.';

-- The numbers beside *Perfil* and *Admin*. The page reads them together with the sums of the dashboard, and later alone.

create function public.count_news() returns json
  language sql stable security definer
  set search_path = ''
  return json_build_object(
    'unread', case when private.is_on('notificaciones') then (
      select count(*) from public.notifications n where n.user_id = (select auth.uid()) and n.read_at is null
    ) else 0 end,
    'waiting', case when private.is_admin() then (
      select count(*) from (
        select from public.requests r
        where r.status = 'waiting' and (private.is_on('transferencias') or r.kind <> 'transfer') limit 100
      ) w
    ) end
  );
comment on function public.count_news() is
  'Counts what waits for the caller: the unread notifications, and for an administrator the requests that wait for a decision (at most 100). `waiting` is null for every other caller. A number shows nothing about a customer, and therefore needs no audit entry. Reads at most the caller''s 100 notifications, and 100 rows of an index.';
grant execute on function public.count_news() to authenticated;

-- supabase/schemas/money/functions/ledger.sql

-- Functions of the journal: the hash of an entry, posting under the lock of the budget, and closing an account.

-- Repeats the encoding of ledger.length_prefixed inline, because calls of that function would make up a third of a
-- verification's running time.
create function ledger.entry_hash(entry ledger.journal) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  null_field constant bytea := int4send(-1);
  seq constant text := entry.seq;
  delta constant text := to_char(entry.delta, 'FM999999999999990.00');
  balance_after constant text := to_char(entry.balance_after, 'FM999999999999990.00');
  dated_at constant text := (extract(epoch from entry.dated_at) * 1000000)::bigint;
  recorded_at constant text := (extract(epoch from entry.recorded_at) * 1000000)::bigint;
begin
  return sha256(
    -- Ids have 36 characters, and hashes have 64.
    int4send(36) || convert_to(entry.user_id::text, 'UTF8')
    || int4send(octet_length(seq)) || convert_to(seq, 'UTF8')
    || int4send(octet_length(entry.kind)) || convert_to(entry.kind, 'UTF8')
    || coalesce(int4send(octet_length(entry.origin)) || convert_to(entry.origin, 'UTF8'), null_field)
    || coalesce(int4send(36) || convert_to(entry.origin_id::text, 'UTF8'), null_field)
    || coalesce(int4send(36) || convert_to(entry.transaction_id::text, 'UTF8'), null_field)
    || int4send(octet_length(delta)) || convert_to(delta, 'UTF8')
    || int4send(octet_length(balance_after)) || convert_to(balance_after, 'UTF8')
    || coalesce(int4send(36) || convert_to(entry.actor::text, 'UTF8'), null_field)
    || coalesce(int4send(octet_length(dated_at)) || convert_to(dated_at, 'UTF8'), null_field)
    || int4send(octet_length(recorded_at)) || convert_to(recorded_at, 'UTF8')
    || int4send(64) || convert_to(encode(entry.previous_hash, 'hex'), 'UTF8')
  );
end
$$;
comment on function ledger.entry_hash(ledger.journal) is
  'Computes the hash of a journal entry. Amounts are encoded with two decimals, times as microseconds since 1970, and hashes in hex.';

create type ledger.posting as (
  kind text, origin text, origin_id uuid, transaction_id uuid, delta numeric, dated_at timestamptz
);
comment on type ledger.posting is 'The fields of a journal entry that callers of ledger.post_all supply.';
comment on column ledger.posting.kind is 'Kind of the entry, as in ledger.journal.kind.';
comment on column ledger.posting.origin is 'Origin of the transaction; null for a closing.';
comment on column ledger.posting.origin_id is 'As in public.transactions.origin_id.';
comment on column ledger.posting.transaction_id is 'The transaction of the entry; null for a closing.';
comment on column ledger.posting.delta is 'Signed change of the balance in units of currency.';
comment on column ledger.posting.dated_at is 'As in ledger.journal.';

create function ledger.require_own_balance(balance numeric, moved numeric) returns void
  language plpgsql immutable
  set search_path = ''
as $$
declare
  -- This limit is well above the minimum of budgets_balance_exact, so that the bank can still post its own debits.
  own_balance_min constant numeric := -1000000000000.00;
begin
  if moved < 0 and balance + moved < own_balance_min then
    raise exception 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.' using errcode = 'FZ402';
  end if;
end
$$;
comment on function ledger.require_own_balance(numeric, numeric) is
  'Refuses (FZ402) a customer''s own postings that would take their balance below -1,000,000,000,000.00. The argument `moved` is the sum of these postings in units of currency. ledger.post_all calls this function; callers that write other rows first call it before, with a balance that they have locked.';

create function ledger.post_all(customer uuid, postings ledger.posting[], is_own boolean default false)
  returns ledger.journal
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  balance_before numeric;
  noted_before numeric;
  posting ledger.posting;
  entry ledger.journal;
  entries ledger.journal[] := '{}';
  moved_by_notes numeric := 0::numeric;
  own_postings integer := 0;
  own_restorations integer := 0;
  own_edits integer := 0;
begin
  -- The only lock of a posting: it lets only one writer at a time post for a customer. FOR UPDATE would deadlock with the
  -- lock that the foreign key takes.
  select b.balance, b.noted into balance_before, noted_before
  from public.budgets b where b.user_id = customer for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;

  -- Must be a statement of its own, because it must see the entries of a writer for which the lock waited.
  select j.seq, j.hash into entry.seq, entry.hash
  from ledger.journal j where j.user_id = customer order by j.seq desc limit 1;

  entry.user_id := customer;
  entry.seq := coalesce(entry.seq, 0);
  entry.hash := coalesce(entry.hash, decode(repeat('00', 32), 'hex'));
  entry.balance_after := balance_before;
  entry.recorded_at := clock_timestamp();
  foreach posting in array postings loop
    entry.kind := posting.kind;
    entry.origin := posting.origin;
    entry.origin_id := posting.origin_id;
    entry.transaction_id := posting.transaction_id;
    entry.delta := posting.delta;
    entry.dated_at := posting.dated_at;
    -- Each of the two customers reads the posting of a transfer, and must not learn the id of the other one or of the
    -- administrator who approved it.
    entry.actor := case when entry.origin <> 'transfer' or entry.kind not in ('deposit', 'expense') then me end;
    entry.seq := entry.seq + 1;
    entry.balance_after := entry.balance_after + entry.delta;
    if ledger.is_note(entry.kind) then
      moved_by_notes := moved_by_notes + entry.delta;
    end if;
    case entry.kind
      -- Imports have a limit of their own.
      when 'note' then own_postings := own_postings + case entry.origin when 'import' then 0 else 1 end;
      when 'restoration' then own_restorations := own_restorations + 1;
      when 'edit' then own_edits := own_edits + 1;
      else null;
    end case;
    entry.previous_hash := entry.hash;
    entry.hash := ledger.entry_hash(entry);
    entries := entries || entry;
  end loop;

  if is_own then
    perform ledger.require_own_balance(balance_before, entry.balance_after - balance_before);
    if own_postings > 0 then
      perform private.consume('own posting', customer::text, own_postings);
    end if;
    if own_restorations > 0 then
      perform private.consume('own posting', customer::text, own_restorations, 2);
    end if;
    if own_edits > 0 then
      perform private.consume('edit', customer::text, own_edits);
    end if;
  end if;

  with posted as (
    insert into ledger.journal
      (
        user_id, seq, kind, origin, origin_id, transaction_id, delta, balance_after, actor, dated_at, recorded_at,
        previous_hash, hash
      )
    select
      e.user_id, e.seq, e.kind, e.origin, e.origin_id, e.transaction_id, e.delta, e.balance_after, e.actor, e.dated_at,
      e.recorded_at, e.previous_hash, e.hash
    from unnest(entries) e
  ), listed as (
    update private.listed_accounts a
    set balance = entry.balance_after, is_overdrawn = entry.balance_after < noted_before + moved_by_notes, last_at = n.last_at
    from (
      select coalesce((
        select t.date from public.transactions t where t.user_id = customer order by t.date desc, t.id desc limit 1
      ), '-infinity') as last_at
    ) n
    where a.user_id = customer
      and (a.balance, a.is_overdrawn, a.last_at)
        is distinct from (entry.balance_after, entry.balance_after < noted_before + moved_by_notes, n.last_at)
  )
  -- Updates the balance only once for all postings, because each update leaves a dead row version that the next update
  -- must skip.
  update public.budgets b
  set balance = entry.balance_after, noted = b.noted + moved_by_notes
  where b.user_id = customer and (entry.balance_after <> balance_before or moved_by_notes <> 0);
  return entry;
end
$$;
comment on function ledger.post_all(uuid, ledger.posting[], boolean) is
  'Appends postings to a customer''s chain in the given order and updates the customer''s balance, notes and row in private.listed_accounts, all under one row lock. Returns the last entry. Raises 23505 if a transaction was already posted. If is_own is true, the caller is the customer: refuses postings that exceed the limit "own posting" and edits that exceed the limit "edit" (PT429), and also raises the error of ledger.require_own_balance.';

create function ledger.close_account(person auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  remaining numeric;
begin
  select b.balance into remaining from public.budgets b where b.user_id = person.id for no key update;
  if found then
    -- An account needs no closing entry if its address was never confirmed and it has no postings.
    if person.email_confirmed_at is not null or exists (select from ledger.journal j where j.user_id = person.id) then
      perform ledger.post_all(person.id, array[row('closing', null, null, null, -remaining, null)::ledger.posting]);
    end if;
    -- The user's transactions are deleted after the budget, and deleting a transaction without a budget posts nothing.
    -- The server does not announce these deletions, because every session that could receive the announcements ends
    -- together with the account. Announcing the deletions took longer than all other steps of closing an account.
    perform set_config('realtime.skip_table', 'transactions', true);
    delete from public.budgets b where b.user_id = person.id;
  end if;
end
$$;
comment on function ledger.close_account(auth.users) is 'Posts a closing entry that writes off the remaining balance of a deleted user. Posts nothing for an account that was never confirmed and has no postings.';

-- supabase/schemas/money/functions/transactions.sql

-- Functions of transactions: the lock of an account, the lowest balance, posting, and undoing a
-- deletion.

create function private.refuse_transaction_change() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  expected public.transactions;
begin
  -- Lists the columns that may change, so that columns added later are protected too.
  expected := old;
  expected.category := new.category;
  expected.is_void := new.is_void;
  if old.recorded_by = 'customer' then
    expected := jsonb_populate_record(expected, private.editable(new));
    expected.amount := new.amount;
    expected.date := new.date;
  elsif new.description <> old.description then
    raise exception 'La descripción es la del banco y no se puede cambiar.' using errcode = '42501';
  end if;
  if new is distinct from expected then
    raise exception 'Este dato del movimiento no se puede cambiar.' using errcode = '42501';
  end if;
  return new;
end
$$;
comment on function private.refuse_transaction_change() is
  'Allows every role to change only the columns category and is_void. If the customer recorded the transaction, its amount, its date and the columns of private.editable can also change. private.post_changed_transactions posts changes of amount or date.';

-- Every change of a customer's existing rows takes its locks in the same order: the user, then the budget, then the
-- rows. Closing an account also locks first the user and then the budget.

create function private.lock_account() returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform from auth.users u where u.id = (select auth.uid()) for key share;
  perform from public.budgets b where b.user_id = (select auth.uid()) for no key update;
  return found;
end
$$;
comment on function private.lock_account() is
  'Locks the caller''s account, so that only one writer at a time changes its rows. Must be called before any row is locked. Returns false if the account is closed. Inserts do not call this function, because an insert locks the budget last, when it posts.';
grant execute on function private.lock_account() to authenticated;

create function private.lock_open_account() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.lock_account() then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.lock_open_account() is
  'Locks the caller''s account (private.lock_account). Raises PT404 if the account is closed. Of several concurrent calls by one customer that begin with this lock, only one runs at a time.';

create function private.lock_account_first() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_account();
  return null;
end
$$;
comment on function private.lock_account_first() is
  'Locks the account before a customer''s own statement locks rows, because the statement''s plan may lock the rows in any order. Functions that do not run with the caller''s rights call private.lock_account themselves if they need the lock.';

create function private.begin_change_of_limit() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.lock_account();
  perform private.consume('rows written', auth.uid()::text);
  return null;
end
$$;
comment on function private.begin_change_of_limit() is
  'Locks the account first, as private.lock_account_first does, and then counts the one row of the statement toward the limit "rows written". Runs before the statement, because the rows of a refused write stay in the database files until the next vacuum.';

create function private.begin_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_account();
  perform private.has_rows_left();
  return null;
end
$$;
comment on function private.begin_write() is
  'Locks the account first, as private.lock_account_first does, and then refuses a customer who has used up the limit "rows written".';

-- Written in PL/pgSQL, because an SQL function would set up its query for every row of an import.
create function private.is_possible_date(at timestamptz) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return at between now() - interval '10 years' and now() + interval '1 day';
end
$$;
comment on function private.is_possible_date(timestamptz) is 'Returns whether a new transaction may have this date.';

-- Runs once for each statement. A statement that inserts many rows therefore locks and updates the customer's balance
-- only once.
create function private.post_added_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  postings ledger.posting[];
  is_own boolean;
  has_impossible_date boolean;
  posted ledger.journal;
begin
  for customer, postings, is_own, has_impossible_date in
    select
      p.user_id,
      array_agg(row(p.kind, p.origin, p.origin_id, p.id, p.delta, p.dated_at)::ledger.posting order by p.date, p.id),
      bool_or(p.is_own),
      bool_or(p.has_impossible_date)
    from (
      select
        a.user_id, a.id, a.date, a.origin, a.origin_id,
        case
          when d.id is not null then 'restoration'
          when a.recorded_by = 'customer' and a.type = 'expense' then 'note'
          else a.type
        end as kind,
        coalesce(-d.delta, case a.type when 'deposit' then a.amount else -a.amount end) as delta,
        -- A correction is posted with the date of the mistake, so that both amounts cancel each other on the same day.
        coalesce(
          case when a.origin in ('correction', 'return') and d.id is null then (
            select c.dated_at from public.corrections c where c.user_id = a.user_id and c.id = a.id
          ) end,
          a.date
        ) as dated_at,
        a.recorded_by = 'customer' or d.id is not null as is_own,
        -- The range of dates is not a CHECK constraint, because a backup must remain restorable when its rows are more
        -- than ten years old.
        d.id is null and not private.is_possible_date(a.date) as has_impossible_date
      from added a
      -- Only restore_transaction sets restored_in; clients cannot. `limit 1` makes the planner look up the
      -- key, even if the table has grown since the plan was made.
      left join lateral (
        select kept.id, kept.delta from ledger.deleted_transactions kept
        where kept.user_id = a.user_id and kept.id = a.id and kept.restored_in = pg_current_xact_id() limit 1
      ) d on true
    ) p
    group by p.user_id
    order by p.user_id
  loop
    if has_impossible_date then
      raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
    end if;
    -- Transactions that the bank records, and rows that an operator's tool writes without an actor, are not the
    -- caller's own.
    posted := ledger.post_all(customer, postings, is_own and customer = auth.uid());
    if private.chosen_topics(customer) <> '{}' then
      perform private.tell_money(customer, array(
        select row(
          case
            -- private.tell_transfer reports transfers and their returns.
            when a.recorded_by = 'customer' or a.origin in ('transfer', 'return') then null
            -- A restored transaction is not new.
            when exists (
              select from ledger.deleted_transactions kept
              where kept.user_id = a.user_id and kept.id = a.id and kept.restored_in = pg_current_xact_id()
            ) then null
            when a.is_void then 'correction' when a.type = 'deposit' then 'deposit' else 'large_expense'
          end,
          case when a.type = 'expense' and not a.is_void then a.category end, a.amount, a.date
        )::private.money_news
        from added a where a.user_id = customer
      ), posted.balance_after - (select sum(p.delta) from unnest(postings) p), posted.balance_after);
    end if;
  end loop;
  return null;
end
$$;
comment on function private.post_added_transactions() is
  'Posts new transactions in order of date. For a restored transaction, posts the opposite of its deletion. Refuses dates outside the allowed range (23514), except for restored rows. Also raises the errors of ledger.post_all.';

create function private.post_removed_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  postings ledger.posting[];
begin
  for customer, postings in
    select
      r.user_id,
      array_agg(
        -- A customer cannot undo a posting of the bank: the row disappears from their list, but the balance does not
        -- change.
        case
          when r.recorded_by = 'bank' then row('removal', r.origin, r.origin_id, r.id, 0, r.date)::ledger.posting
          else row(
            'reversal', r.origin, r.origin_id, r.id, case r.type when 'deposit' then -r.amount else r.amount end, r.date
          )::ledger.posting
        end
        order by r.date, r.id
      )
    from removed r
    -- If the budget no longer exists, the account has been closed. The account's transactions are deleted with the
    -- account, and nothing is posted.
    join public.budgets b on b.user_id = r.user_id
    group by r.user_id
    order by r.user_id
  loop
    perform ledger.post_all(customer, postings);
    -- Clients choose the ids and may reuse them. This table stores only the latest deletion of each id.
    insert into ledger.deleted_transactions as d (user_id, id, "row", delta)
    select
      r.user_id, r.id, to_jsonb(r),
      case when r.recorded_by = 'bank' then 0 when r.type = 'deposit' then -r.amount else r.amount end
    from removed r where r.user_id = customer
    on conflict (user_id, id) do update
    set "row" = excluded."row", delta = excluded.delta, deleted_at = excluded.deleted_at;
  end loop;
  return null;
end
$$;
comment on function private.post_removed_transactions() is
  'Posts, in order of date, a reversal for each deleted expense that the customer had recorded and a removal for each deleted bank transaction. Copies the deleted rows to ledger.deleted_transactions.';

create function ledger.purge_deleted_transactions(rows_max integer) returns setof ledger.deleted_transactions
  language sql security definer
  set search_path = ''
as $$
  with expired as (
    delete from ledger.deleted_transactions where ctid = any (array(
      -- The order makes the planner use the index on the time, even if its statistics are old.
      select due.ctid from ledger.deleted_transactions due where due.deleted_at < now() - interval '24 hours'
      order by due.deleted_at limit rows_max for update skip locked
    ))
    returning *
  ), forgotten as (
    delete from public.transaction_edits e using expired x where e.user_id = x.user_id and e.transaction_id = x.id
  )
  select * from expired
$$;
comment on function ledger.purge_deleted_transactions(integer) is
  'Purges up to rows_max deleted transactions that their owners can no longer restore, with their edits, and returns them.';

create function public.restore_transaction(id uuid) returns public.transactions
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  kept jsonb;
  restored public.transactions;
begin
  -- Locks only the user here. The budget is locked after the transaction's row, as in an insert, because a late retry
  -- of the original insert may run at the same time.
  perform from auth.users u where u.id = customer for key share;

  update ledger.deleted_transactions d
  set restored_in = pg_current_xact_id()
  where d.user_id = customer and d.id = restore_transaction.id and d.deleted_at >= now() - interval '24 hours'
    and not exists (select from public.transactions t where t.user_id = d.user_id and t.id = d.id)
  returning d."row" into kept;
  if found then
    restored := jsonb_populate_record(restored, kept);
    -- The bank may have corrected its transaction since the deletion, or may be correcting it now. No other insert has
    -- the id of a transaction of the bank, so that the budget may be locked before the row.
    if restored.recorded_by = 'bank' then
      perform from public.budgets b where b.user_id = customer for no key update;
      restored.is_void := exists (select from private.void_at(customer) v where v.transaction_id = restored.id);
    end if;
    insert into public.transactions select restored.*;
    delete from ledger.deleted_transactions d where d.user_id = customer and d.id = restore_transaction.id;
    return restored;
  end if;

  -- If the answer to an earlier call was lost or the customer clicked twice, the row is already restored, and this call
  -- posts nothing.
  select t.* into restored from public.transactions t where t.user_id = customer and t.id = restore_transaction.id;
  if not found then
    -- The answer is the same for another customer's id, an unknown id and an expired id, so that it reveals nothing.
    raise exception 'Este movimiento ya no se puede recuperar.' using errcode = 'PT404';
  end if;
  return restored;
end
$$;
comment on function public.restore_transaction(uuid) is
  'Restores a transaction that the caller deleted in the last 24 hours, exactly as it was, and returns the row. Also returns the row if it has already been restored. Raises PT404 for every other id.';
grant execute on function public.restore_transaction(uuid) to authenticated;

-- supabase/schemas/money/functions/edits.sql

-- Functions of edits: a customer changes the texts, the amount or the date of their own transaction.

create function ledger.refuse_to_forget_edits() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (
    select from removed r
    join public.budgets b on b.user_id = r.user_id
    where exists (select from public.transactions t where t.user_id = r.user_id and t.id = r.transaction_id)
      or exists (select from ledger.deleted_transactions d where d.user_id = r.user_id and d.id = r.transaction_id)
  ) then
    raise exception 'The % is append-only.', tg_table_name using errcode = '42501';
  end if;
  return null;
end
$$;
comment on function ledger.refuse_to_forget_edits() is
  'While the account is open, refuses to delete the edits of a transaction that exists or can be restored. The refusal also applies to the table''s owner.';

-- A statement trigger calls this function, because public.apply_category_rule changes many transactions in one
-- statement.
create function private.post_changed_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  amendments ledger.posting[];
  edits public.transaction_edits[];
  postings ledger.posting[];
  unchanged integer;
  is_own boolean;
  amended ledger.journal;
  posted ledger.journal;
  grown private.money_news[];
begin
  for customer, amendments, edits, postings, unchanged, grown in
    select
      c.user_id,
      array_agg(array[
        row('reversal', c.origin, c.origin_id, c.id, -c.sign * c.amount_before, c.date_before)::ledger.posting,
        row('amendment', c.origin, c.origin_id, c.id, c.sign * c.amount_after, c.date_after)::ledger.posting
      ]) filter (where c.amount_before <> c.amount_after or c.date_before <> c.date_after),
      coalesce(array_agg(
        row(c.user_id, 0, c.id, null, c.texts_before, c.texts_after)::public.transaction_edits
      ) filter (where c.is_edited), '{}'),
      array_agg(row('edit', c.origin, c.origin_id, c.id, 0, null)::ledger.posting) filter (where c.is_edited),
      (count(*) filter (where not c.is_edited))::integer,
      coalesce(array_agg(row(
        null, c.texts_after ->> 'category',
        c.amount_after - case
          when c.texts_before ->> 'category' = c.texts_after ->> 'category' then c.amount_before else 0
        end,
        c.date_after
      )::private.money_news) filter (
        where c.sign < 0 and not c.is_void and (
          c.texts_before -> 'category' <> c.texts_after -> 'category' or c.amount_before < c.amount_after
        )
      ), '{}')
    from (
      -- Pairs the old and new version of each row by grouping. A join that was planned for a single row could become a
      -- nested loop over thousands of rows. Each aggregate sees a single value, so that no texts are compared.
      select
        v.user_id, v.id,
        min(v.origin) filter (where v.is_before) as origin,
        (min(v.origin_id::text) filter (where v.is_before))::uuid as origin_id,
        case min(v.type) filter (where v.is_before) when 'deposit' then 1 else -1 end as sign,
        bool_or(v.is_void) filter (where not v.is_before) as is_void,
        min(v.amount) filter (where v.is_before) as amount_before,
        min(v.amount) filter (where not v.is_before) as amount_after,
        min(v.date) filter (where v.is_before) as date_before,
        min(v.date) filter (where not v.is_before) as date_after,
        (array_agg(v.texts) filter (where v.is_before))[1] as texts_before,
        (array_agg(v.texts) filter (where not v.is_before))[1] as texts_after,
        (array_agg(v.texts) filter (where v.is_before)) <> (array_agg(v.texts) filter (where not v.is_before)) as is_edited
      from (
        select b.*, private.editable(row(b.*)::public.transactions) as texts, true as is_before from before b
        union all
        select a.*, private.editable(row(a.*)::public.transactions), false from after a
      ) v
      group by v.user_id, v.id
      -- Sorted once, and not once for each of the arrays.
      order by v.user_id, min(v.date) filter (where v.is_before), v.id
    ) c
    group by c.user_id
    order by c.user_id
  loop
    is_own := customer = auth.uid();
    if is_own and unchanged > 0 then
      perform private.consume('rows written', customer::text, unchanged);
    end if;
    amended := null;
    if amendments is not null then
      amended := ledger.post_all(customer, amendments, is_own);
    end if;
    if private.chosen_topics(customer) <> '{}' then
      perform private.tell_money(
        customer, grown, amended.balance_after - (select sum(a.delta) from unnest(amendments) a), amended.balance_after
      );
    end if;
    if cardinality(edits) = 0 then
      continue;
    end if;
    posted := ledger.post_all(customer, postings, is_own);
    insert into public.transaction_edits
      (user_id, seq, transaction_id, recorded_at, before, after)
    select
      e.user_id, posted.seq - cardinality(edits) + e.place, e.transaction_id, posted.recorded_at, e.before, e.after
    from unnest(edits) with ordinality as e (user_id, seq, transaction_id, recorded_at, before, after, place);
  end loop;
  return null;
end
$$;
comment on function private.post_changed_transactions() is
  'For each transaction with a new amount or date, posts a reversal of the old amount on the old date, and an amendment with the new amount on the new date. Then posts an entry for each edited transaction, and stores the columns of private.editable before and after the edit. Counts rows that the caller wrote without an edit toward the limit "rows written". Also raises the errors of ledger.post_all.';

create function private.require_edits(added integer) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.consume('edit', (select auth.uid())::text, added, only_checks => true)
$$;
comment on function private.require_edits(integer) is
  'Refuses (PT429) the given number of additional edits if the caller would exceed the limit "edit". Must be called before the first edit is written.';
grant execute on function private.require_edits(integer) to authenticated;

-- Amount and date ---------------------------------------------------------------------------------------------

create function private.refuse_changes(changes jsonb) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  known constant jsonb := private.editable(null) || '{"amount": null, "date": null}';
  refused text;
begin
  if jsonb_typeof(changes) is distinct from 'object' then
    raise exception 'Los cambios deben ser un objeto JSON.' using errcode = 'PT422';
  end if;
  select left(c.key, 50) into refused
  from jsonb_each(changes) c
  left join pg_catalog.pg_attribute a
    on a.attrelid = 'public.transactions'::regclass and a.attname = c.key and known ? c.key
  where a.attname is null or not case jsonb_typeof(c.value)
    when 'null' then not a.attnotnull
    when 'number' then a.atttypid = 'numeric'::regtype
    when 'string' then a.atttypid <> 'numeric'::regtype or c.value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$'
    else false
  end
  limit 1;
  if found then
    raise exception 'El campo «%» no existe o no admite este valor.', refused using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_changes(jsonb) is
  'Refuses (PT422) a value that is not an object, and every key except amount, date and the columns of private.editable. Also refuses null in a column that is never null, and a value of the wrong kind.';

create function public.amend_expense(id uuid, changes jsonb) returns public.transactions
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  stored public.transactions;
  amended public.transactions;
begin
  perform private.refuse_changes(changes);
  perform private.lock_account();
  select t.* into stored from public.transactions t where t.user_id = customer and t.id = amend_expense.id;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Este movimiento ya no está en tu lista.' using errcode = 'PT404';
  end if;
  if stored.recorded_by <> 'customer' then
    raise exception 'Lo registró el banco.' using errcode = 'PT403';
  end if;
  amended := jsonb_populate_record(stored, changes);
  -- A retry finds that its first call has already made the change.
  if amended is not distinct from stored then
    return stored;
  end if;
  -- The limits are checked before the update, because a refused row version would stay in the database files until the
  -- next vacuum.
  if (amended.amount, amended.date) is distinct from (stored.amount, stored.date) then
    if not private.is_possible_date(amended.date)
      -- An undo is allowed to restore an earlier date of the transaction, even if that date is now more than ten years
      -- old.
      and not exists (
        select from ledger.journal j
        where j.user_id = customer and j.transaction_id = stored.id and j.dated_at = amended.date
      )
    then
      raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
    end if;
    perform ledger.require_own_balance(
      (select b.balance from public.budgets b where b.user_id = customer), stored.amount - amended.amount
    );
    perform private.consume('own posting', customer::text, 1, 2);
  end if;
  if private.editable(amended) is distinct from private.editable(stored) then
    perform private.require_edits(1);
  end if;
  -- private.refuse_changes has checked the keys, which are the columns to set.
  execute (
    select format(
      'update public.transactions t set %s where t.user_id = $1.user_id and t.id = $1.id returning t.*',
      string_agg(format('%1$I = $1.%1$I', c.key), ', ')
    )
    from jsonb_object_keys(changes) c (key)
  ) into amended using amended;
  return amended;
end
$$;
comment on function public.amend_expense(uuid, jsonb) is
  'Changes an expense that the caller recorded, and returns its row. The argument changes is an object with the new values of amount, date and the columns of private.editable. A column that is missing from the object does not change, and null removes a value that may be missing. A new amount or date adds a reversal and an amendment to the journal, and a new value of another column adds an edit. A call with the current values changes nothing. Raises PT404 for an unknown transaction, PT403 for a bank transaction, PT422 for an invalid object and 23514 for an invalid value. Raises PT429 and FZ402 for the same reasons as a new expense.';
grant execute on function public.amend_expense(uuid, jsonb) to authenticated;

-- supabase/schemas/money/functions/corrections.sql

-- Functions of corrections: the bank posts a transaction, reverses it, and posts the right one instead.

create function private.keep_correction() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- If the budget no longer exists, the account is being closed: closing an account deletes the budget before the
  -- corrections.
  if exists (select from public.budgets b where b.user_id = old.user_id) then
    raise exception 'The % table is append-only.', tg_table_name using errcode = '42501';
  end if;
  return old;
end
$$;
comment on function private.keep_correction() is 'Refuses to delete a correction while its account is open, even for the table''s owner.';

create function private.post_transaction(
  user_id uuid, id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
  ) values (user_id, id, type, amount, description, date, category, 'bank', 'clerk', id)
$$;
comment on function private.post_transaction(uuid, uuid, text, numeric, text, timestamptz, text) is
  'Records a transaction that an administrator ordered. The id is also that of the order. Both direct and approved orders call this function.';

create function private.refuse_row(given anyelement) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  relation constant regclass := pg_typeof(given)::text::regclass;
  violated text;
begin
  execute (
    select format('select case %s end from (select ($1).*) r', string_agg(
      format('when (%s) is false then %L', pg_get_expr(c.conbin, c.conrelid), c.conname), ' ' order by c.conname
    ))
    from pg_catalog.pg_constraint c where c.conrelid = relation and c.contype = 'c'
  ) into violated using given;
  if violated is not null then
    raise exception 'A row of % would violate the constraint %.', relation, violated
      using errcode = '23514', constraint = violated;
  end if;
end
$$;
comment on function private.refuse_row(anyelement) is
  'Refuses (23514, with the name of the constraint) a row that violates a check constraint of its table, without writing the row.';

create function private.refuse_posting(posting public.transactions, posted_before numeric default 0) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  budget public.budgets;
begin
  perform private.refuse_row(posting);
  if not private.is_possible_date(posting.date) then
    raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
  end if;
  select b.* into budget from public.budgets b where b.user_id = posting.user_id;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  budget.balance := budget.balance + posted_before + case posting.type when 'deposit' then posting.amount else -posting.amount end;
  perform private.refuse_row(budget);
end
$$;
comment on function private.refuse_posting(public.transactions, numeric) is
  'Refuses a transaction of the bank for the same reasons as its posting, but posts nothing: for an order that must wait. `posted_before` is the sum of the postings that would come first.';

create function private.check_transaction(
  user_id uuid, id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  posting public.transactions;
begin
  posting.user_id := user_id;
  posting.id := id;
  posting.type := type;
  posting.amount := amount;
  posting.description := description;
  posting.date := date;
  posting.category := category;
  posting.recorded_by := 'bank';
  posting.is_void := false;
  posting.origin := 'clerk';
  posting.origin_id := id;
  perform private.refuse_posting(posting);
end
$$;
comment on function private.check_transaction(uuid, uuid, text, numeric, text, timestamptz, text) is
  'Raises the errors of private.post_transaction, but posts nothing.';

create function private.correct(correction public.corrections, mistake public.transactions, origin text, origin_id uuid)
  returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  earlier public.corrections;
begin
  select c.* into earlier from public.corrections c
  where c.user_id = correction.user_id and c.id = correction.corrected_id;
  correction.mistake_id := coalesce(earlier.mistake_id, correction.corrected_id);
  -- If a correction is itself corrected, the mistake becomes valid again.
  correction.makes_void := not coalesce(earlier.makes_void, false);
  correction.dated_at := coalesce(earlier.dated_at, (
    select j.dated_at from ledger.journal j
    where j.user_id = correction.user_id and j.transaction_id = correction.corrected_id and j.kind in ('deposit', 'expense')
  ));
  correction.corrected_at := now();
  -- A concurrent second correction waits here for the first, before anything is posted.
  insert into public.corrections select correction.*
  on conflict on constraint corrections_correct_once do nothing;
  if not found then
    return false;
  end if;
  -- Locks the budget before the mistake's row, in the same order as private.lock_account.
  perform from public.budgets b where b.user_id = correction.user_id for no key update;
  update public.transactions t set is_void = correction.makes_void
  where t.user_id = correction.user_id and t.id = correction.mistake_id;
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, is_void, origin, origin_id
  ) values (
    correction.user_id, correction.id, case mistake.type when 'deposit' then 'expense' else 'deposit' end, mistake.amount,
    left(coalesce('Corrección: ' || mistake.description, 'Corrección'), 200), now(), 'Corrección', 'bank', true,
    correct.origin, correct.origin_id
  );
  return true;
end
$$;
comment on function private.correct(public.corrections, public.transactions, text, uuid) is
  'Stores a correction and posts it: a transaction of the opposite type with the correction''s id. Computes mistake_id, makes_void, dated_at and corrected_at. Returns false, and posts nothing, if the transaction was already corrected. `mistake` gives the type, the amount and the description.';

create function private.mistake_of(customer uuid, transaction_id uuid) returns public.transactions
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  mistake public.transactions;
begin
  select t.* into mistake from public.transactions t
  where t.user_id = customer and t.id = transaction_id;
  if not found then
    -- The customer may have removed the transaction from their list. The journal still has the amount, but not the
    -- description.
    select j.kind, abs(j.delta), j.dated_at, 'bank', j.origin
    into mistake.type, mistake.amount, mistake.date, mistake.recorded_by, mistake.origin
    from ledger.journal j
    where j.user_id = customer and j.transaction_id = mistake_of.transaction_id
      and j.kind in ('deposit', 'expense')
      and exists (
        select from ledger.journal r where r.user_id = j.user_id and r.transaction_id = j.transaction_id and r.kind = 'removal'
      );
  end if;
  if not found then
    raise exception 'El banco no le registró este movimiento al cliente.' using errcode = 'PT404';
  end if;
  if mistake.recorded_by <> 'bank' then
    raise exception 'Solo se corrige lo que registró el banco.' using errcode = 'PT409';
  end if;
  -- If only one side of a transfer or of its return were corrected, the sum of all balances would change.
  if mistake.origin in ('transfer', 'return') then
    raise exception 'Una transferencia se devuelve entera.' using errcode = 'PT409';
  end if;
  return mistake;
end
$$;
comment on function private.mistake_of(uuid, uuid) is
  'Returns the bank transaction that is to be corrected. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction or if the transaction belongs to a transfer.';

create function private.begin_correction(
  customer uuid, id uuid, corrected_id uuid, reason text, right_amount numeric, clerk uuid
) returns public.corrections
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  earlier_correction public.corrections;
  correction public.corrections;
begin
  select c.* into earlier_correction from public.corrections c
  where c.user_id = customer and c.id = begin_correction.corrected_id;
  if earlier_correction.replacement_id is not null then
    -- If this correction were corrected, the mistake would become valid again in addition to its replacement.
    raise exception 'Esta corrección dejó otro movimiento en su lugar: corrige ese.' using errcode = 'PT409';
  end if;
  if earlier_correction.id is not null and right_amount is not null then
    raise exception 'Una corrección solo se puede anular.' using errcode = 'PT409';
  end if;
  correction.user_id := customer;
  correction.id := begin_correction.id;
  correction.corrected_id := begin_correction.corrected_id;
  correction.replacement_id := case when right_amount is not null then gen_random_uuid() end;
  correction.reason := reason;
  correction.corrected_by := (select p.full_name from public.profiles p where p.id = clerk);
  return correction;
end
$$;
comment on function private.begin_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Returns the correction that an administrator orders. Raises PT409 if the transaction is a correction with a replacement, and if a correction is to be replaced.';

create function private.replacement_of(
  correction public.corrections, mistake public.transactions, right_amount numeric
) returns public.transactions
  language plpgsql immutable
  set search_path = ''
as $$
declare
  replacement public.transactions := mistake;
begin
  replacement.user_id := correction.user_id;
  replacement.id := correction.replacement_id;
  replacement.amount := right_amount;
  replacement.description := coalesce(mistake.description, 'Movimiento corregido');
  replacement.category := coalesce(mistake.category, case mistake.type when 'deposit' then 'Deposito' else 'Gasto' end);
  replacement.recorded_by := 'bank';
  replacement.is_void := false;
  replacement.origin := 'correction';
  replacement.origin_id := correction.id;
  return replacement;
end
$$;
comment on function private.replacement_of(public.corrections, public.transactions, numeric) is
  'Returns the right transaction that a correction posts in place of a mistake.';

create function private.check_correction(
  customer uuid, id uuid, transaction_id uuid, reason text, right_amount numeric, clerk uuid
) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  mistake constant public.transactions := private.mistake_of(customer, transaction_id);
  correction constant public.corrections := private.begin_correction(
    customer, id, transaction_id, reason, right_amount, clerk
  );
  reversed public.transactions := private.replacement_of(correction, mistake, mistake.amount);
begin
  -- The check constraint accepts null.
  if reason is null then
    raise exception 'null value in column "reason" of relation "corrections" violates not-null constraint'
      using errcode = '23502', schema = 'public', table = 'corrections', column = 'reason';
  end if;
  perform private.refuse_row(correction);
  if exists (select from public.corrections c where c.user_id = customer and c.corrected_id = transaction_id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  reversed.type := case mistake.type when 'deposit' then 'expense' else 'deposit' end;
  reversed.date := now();
  perform private.refuse_posting(reversed);
  if right_amount is not null then
    perform private.refuse_posting(
      private.replacement_of(correction, mistake, right_amount),
      case mistake.type when 'deposit' then -mistake.amount else mistake.amount end
    );
  end if;
end
$$;
comment on function private.check_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Raises the errors of private.post_correction, but posts nothing.';

create function private.post_correction(
  customer uuid, id uuid, transaction_id uuid, reason text, right_amount numeric, clerk uuid
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  mistake constant public.transactions := private.mistake_of(customer, transaction_id);
  correction constant public.corrections := private.begin_correction(
    customer, id, transaction_id, reason, right_amount, clerk
  );
begin
  if not private.correct(correction, mistake, 'correction', correction.id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  if right_amount is not null then
    insert into public.transactions (
      user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
    )
    select r.user_id, r.id, r.type, r.amount, r.description, r.date, r.category, r.recorded_by, r.origin, r.origin_id
    from private.replacement_of(correction, mistake, right_amount) r;
  end if;
end
$$;
comment on function private.post_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Corrects a bank transaction on behalf of an administrator. Both direct and approved orders call this function. Raises PT409 if the transaction was already corrected. Also raises the errors of private.mistake_of and private.begin_correction.';

-- supabase/schemas/money/functions/balance.sql

-- A view of the customer's own journal, and an explanation of their balance that is computed from the journal.

create view public.journal_entries with (security_invoker = true) as
select
  j.user_id,
  j.seq,
  j.kind,
  j.origin,
  j.origin_id,
  j.transaction_id,
  j.delta,
  j.balance_after,
  j.actor,
  j.dated_at,
  j.recorded_at,
  encode(j.previous_hash, 'hex') as previous_hash,
  encode(j.hash, 'hex') as hash,
  j.is_note
from ledger.journal j;

comment on view public.journal_entries is
  'The caller''s own journal entries. Clients read the rows in pages, ordered by seq. The view has every field that ledger.entry_hash reads, so that the browser can recompute the hashes.';
comment on column public.journal_entries.user_id is 'The caller.';
comment on column public.journal_entries.seq is '1, 2, 3, … without gaps.';
comment on column public.journal_entries.kind is 'deposit, expense, note, amendment, edit, reversal, removal, restoration or closing.';
comment on column public.journal_entries.origin is 'Origin of the transaction, as in transactions.origin; null for a closing.';
comment on column public.journal_entries.origin_id is 'As in transactions.origin_id; null for a closing and for the origin own.';
comment on column public.journal_entries.transaction_id is 'The transaction that the entry concerns. This transaction may have been deleted since.';
comment on column public.journal_entries.delta is 'Signed change of the balance in units of currency.';
comment on column public.journal_entries.balance_after is 'The balance after this entry, in units of currency: the sum of all deltas up to and including this entry.';
comment on column public.journal_entries.actor is 'Id of the customer or administrator who made the change; null if the system made it, and for a transfer.';
comment on column public.journal_entries.dated_at is 'Date of the transaction. A correction has the same date as the mistake that it corrects. Null for an edit and for a closing.';
comment on column public.journal_entries.recorded_at is 'Time at which the entry was written, to the microsecond. The hash covers all six decimals of the seconds.';
comment on column public.journal_entries.previous_hash is 'The hash of the previous entry in hex; 64 zeros in the first entry.';
comment on column public.journal_entries.hash is 'The hash of this entry in hex, as ledger.entry_hash computes it.';
comment on column public.journal_entries.is_note is 'Whether the entry records the customer''s own change to their list. The bank posted all other entries.';

grant select on public.journal_entries to authenticated;

create function private.void_at(customer uuid, until_seq bigint default null)
  returns table (transaction_id uuid, is_correction boolean)
  language sql stable
  set search_path = ''
as $$
  with known as (
    select c.id, c.corrected_id, c.mistake_id, c.makes_void from public.corrections c
    where c.user_id = customer and (until_seq is null or exists (
      select from public.journal_entries j
      where j.user_id = customer and j.transaction_id = c.id and j.seq <= until_seq
    ))
  )
  select k.id, true from known k
  union all
  select k.mistake_id, false from known k
  where k.makes_void and not exists (select from known later where later.corrected_id = k.id)
$$;
comment on function private.void_at(uuid, bigint) is
  'Returns a customer''s void transactions: all corrections, and each mistake whose last correction makes it void. With until_seq, returns them as of this entry of the journal. Runs with the caller''s rights.';
grant execute on function private.void_at(uuid, bigint) to authenticated;

create type public.balance_explanation as (
  balance numeric,
  opening numeric,
  deposits numeric,
  expenses numeric,
  corrections numeric,
  booked numeric,
  noted numeric,
  void_ids uuid[],
  entries bigint,
  last_seq bigint,
  last_kind text,
  last_recorded_at timestamptz
);
comment on type public.balance_explanation is
  'The sums that explain a balance: opening + deposits + expenses + corrections equals the balance, and booked + noted also equals the balance. All amounts are signed units of currency.';
comment on column public.balance_explanation.balance is 'The customer''s balance now.';
comment on column public.balance_explanation.opening is 'The opening balance. Always 0, because every account starts empty and every chain starts at seq 1.';
comment on column public.balance_explanation.deposits is 'The sum of all postings of deposits, including deposits that the customer removed from their list. Excludes void pairs: a mistake of the bank and its correction form one pair.';
comment on column public.balance_explanation.expenses is 'The sum of all postings of expenses; zero or negative. Excludes void pairs.';
comment on column public.balance_explanation.corrections is 'The net sum of all reversals, restorations and amendments of expenses. Also includes void pairs, which add up to zero.';
comment on column public.balance_explanation.booked is 'The balance according to the bank: the sum of the bank''s postings. The customer''s own changes to their list do not affect this balance.';
comment on column public.balance_explanation.noted is 'The sum of the customer''s own notes, including the deletions, restorations and amendments of these notes; zero or negative.';
comment on column public.balance_explanation.void_ids is 'Ids of all transactions in void pairs. The browser needs these ids to verify the sums.';
comment on column public.balance_explanation.entries is 'Number of entries in the chain.';
comment on column public.balance_explanation.last_seq is 'Number of the latest entry; null if the chain is empty.';
comment on column public.balance_explanation.last_kind is 'Kind of the latest entry; null if the chain is empty.';
comment on column public.balance_explanation.last_recorded_at is 'Time at which the latest entry was written; null if the chain is empty.';

create function private.explain_balance_of(customer uuid) returns setof public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  -- A single statement uses a single snapshot. The balance is therefore consistent with the entries.
  with void as (
    select v.transaction_id as id from private.void_at(customer) v
  )
  select
    b.balance, 0::numeric, sums.deposits, sums.charges + sums.notes, sums.bank_corrections + sums.own_corrections,
    sums.deposits + sums.charges + sums.bank_corrections, sums.notes + sums.own_corrections, array(select v.id from void v),
    sums.entries,
    latest.seq, latest.kind, latest.recorded_at
  from public.budgets b
  cross join lateral (
    -- Adds each entry to only one of the sums, because every sum over a long history takes time.
    select
      coalesce(sum(j.delta) filter (where j.kind = 'deposit' and v.id is null), 0) as deposits,
      coalesce(sum(j.delta) filter (where j.kind = 'expense' and v.id is null), 0) as charges,
      coalesce(sum(j.delta) filter (where j.is_note and j.kind = 'note' and v.id is null), 0) as notes,
      coalesce(sum(j.delta) filter (
        where not j.is_note and (v.id is not null or j.kind = 'closing')
      ), 0) as bank_corrections,
      coalesce(sum(j.delta) filter (where j.is_note and (v.id is not null or j.kind <> 'note')), 0) as own_corrections,
      count(*) as entries
    from public.journal_entries j
    left join void v on v.id = j.transaction_id
    where j.user_id = b.user_id
  ) sums
  left join lateral (
    select j.seq, j.kind, j.recorded_at
    from public.journal_entries j where j.user_id = b.user_id order by j.seq desc limit 1
  ) latest on true
  where b.user_id = customer
$$;
comment on function private.explain_balance_of(uuid) is
  'Explains a customer''s balance by sums that are computed from their journal. Runs with the caller''s rights, and returns no row if the caller is not allowed to read the account.';
grant execute on function private.explain_balance_of(uuid) to authenticated;

create function public.explain_balance() returns public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  select e from private.explain_balance_of((select auth.uid())) e
$$;
comment on function public.explain_balance() is
  'Explains the caller''s balance by sums that are computed from their own journal. Runs with the caller''s rights.';
grant execute on function public.explain_balance() to authenticated;

-- supabase/schemas/money/functions/verification.sql

-- Verification: checks that the ledger is consistent in itself, and that it agrees with the balances and with the
-- customers' lists. The verification runs in SQL, close to the data. Each call checks a limited number of rows, because
-- a long check would block all other requests.

create function ledger.check_entries(
  after_customer uuid, after_seq bigint, entries_max integer,
  out entries integer, out last_customer uuid, out last_seq bigint,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  -- Makes PostgreSQL plan each call for its actual arguments, because the best plan depends on the starting point and
  -- on the number of entries.
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    -- Also reads the last entry of the previous portion, because each entry is checked against its predecessor.
    select j.*, j as entry from ledger.journal j
    where after_customer is null or (j.user_id, j.seq) >= (after_customer, after_seq)
    order by j.user_id, j.seq
    limit entries_max + 1
  ),
  pairs as (
    select p.user_id, p.seq, p.delta, p.balance_after, p.dated_at, p.recorded_at, p.previous_hash, p.hash, p.entry,
           lag(p.seq) over chain as seq_before, lag(p.hash) over chain as hash_before,
           lag(p.balance_after) over chain as balance_before, lag(p.kind) over chain as kind_before
    from portion p
    window chain as (partition by p.user_id order by p.seq)
  ),
  checked as materialized (
    select
      p.user_id,
      p.seq,
      case
        when p.seq <> coalesce(p.seq_before, 0) + 1 then 'sequence'
        when p.previous_hash <> coalesce(p.hash_before, decode(repeat('00', 32), 'hex')) then 'link'
        -- ledger.post_all never writes times outside these ranges or amounts with more than two decimals. A row with
        -- such values cannot be hashed.
        when p.dated_at not between '0001-01-01' and '9999-12-31' then 'hash'
        when p.recorded_at not between '2000-01-01' and '9999-12-31' then 'hash'
        when scale(trim_scale(p.delta)) > 2 or scale(trim_scale(p.balance_after)) > 2 then 'hash'
        when p.hash <> ledger.entry_hash(p.entry) then 'hash'
        when p.balance_after <> coalesce(p.balance_before, 0) + p.delta then 'sum'
        when p.kind_before = 'closing' then 'closed'
      end as fault
    from pairs p
    where (p.user_id, p.seq) is distinct from (after_customer, after_seq)
  )
  select c.counted, l.user_id, l.seq, b.user_id, b.seq, b.fault
  into entries, last_customer, last_seq, broken_customer, broken_seq, fault
  from (select count(*) as counted from checked) c
  left join (select k.* from checked k order by k.user_id desc, k.seq desc limit 1) l on true
  left join (select k.* from checked k where k.fault is not null order by k.user_id, k.seq limit 1) b on true;
end
$$;
comment on function ledger.check_entries(uuid, bigint, integer) is
  'Checks the next entries of all chains, ordered by customer and sequence number, each against its predecessor. If an entry is invalid, fault names the check that failed: `sequence`, `link` (previous hash), `hash`, `sum` (balance after) or `closed` (an entry after the closing entry). Returns the number of entries checked, the last entry checked and the first broken entry. If fewer than entries_max entries were checked, the call has reached the end of the journal.';
grant execute on function ledger.check_entries(uuid, bigint, integer) to service_role;

create function ledger.check_balances(
  after_customer uuid, entries_max integer,
  out customers integer, out last_customer uuid,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  -- Selects the next customers, each with all their entries, until the total exceeds entries_max. If fewer entries are
  -- left, selects all remaining customers.
  last_customer := least(
    (select j.user_id from ledger.journal j where after_customer is null or j.user_id > after_customer
     order by j.user_id, j.seq offset entries_max limit 1),
    (select b.user_id from public.budgets b where after_customer is null or b.user_id > after_customer
     order by b.user_id offset entries_max limit 1)
  );

  with heads as (
    select distinct on (j.user_id) j.user_id, j.seq, j.kind, j.balance_after
    from ledger.journal j
    where (after_customer is null or j.user_id > after_customer)
      and (last_customer is null or j.user_id <= last_customer)
    order by j.user_id desc, j.seq desc
  ),
  postings as (
    select j.user_id, j.transaction_id, sum(j.delta) as net, max(j.seq) as seq,
           coalesce(sum(j.delta) filter (where ledger.is_note(j.kind)), 0) as noted,
           bool_and(ledger.is_note(j.kind)) as is_note,
           -- All entries of a transaction have the same origin.
           min(j.origin) as origin, min(j.origin_id::text)::uuid as origin_id,
           max(j.seq) filter (where j.kind = 'removal') as removed_at
    from ledger.journal j
    where (after_customer is null or j.user_id > after_customer)
      and (last_customer is null or j.user_id <= last_customer)
      and j.transaction_id is not null
    group by j.user_id, j.transaction_id
  ),
  accounts as (
    select
      coalesce(h.user_id, b.user_id) as user_id,
      h.seq,
      case
        when b.user_id is null and h.kind <> 'closing' then 'account'
        when b.user_id is not null and h.kind = 'closing' then 'account'
        when coalesce(b.balance, 0) <> coalesce(h.balance_after, 0) then 'balance'
        when b.noted <> coalesce(n.noted, 0) then 'notes'
        when b.user_id is not null and b.listed is distinct from row(b.balance, b.balance < b.noted, b.last_at) then 'listed'
      end as fault
    from heads h
    full join (
      select
        b.user_id, b.balance, b.noted, row(a.balance, a.is_overdrawn, a.last_at) as listed,
        coalesce((
          select t.date from public.transactions t where t.user_id = b.user_id order by t.date desc, t.id desc limit 1
        ), '-infinity') as last_at
      from public.budgets b
      left join private.listed_accounts a on a.user_id = b.user_id
      where (after_customer is null or b.user_id > after_customer)
        and (last_customer is null or b.user_id <= last_customer)
    ) b on b.user_id = h.user_id
    left join (
      select p.user_id, sum(p.noted) as noted from postings p group by p.user_id
    ) n on n.user_id = b.user_id
  ),
  movements as (
    select
      coalesce(p.user_id, t.user_id) as user_id,
      p.seq,
      case
        when p.user_id is null then 'unposted'
        -- If the transaction is in the list, its postings must add up to its amount.
        when t.id is not null and (
          p.net <> t.signed or p.seq = p.removed_at or p.is_note <> t.is_note
          or (p.origin, p.origin_id) is distinct from (t.origin, t.origin_id)
        ) then 'transaction'
        -- If the transaction is not in the list, its postings must add up to zero, unless the bank recorded it or the
        -- account is closed.
        when t.id is null and p.net <> 0 and p.seq is distinct from p.removed_at and h.kind <> 'closing' then 'transaction'
      end as fault
    from postings p
    full join (
      select
        t.user_id, t.id, case t.type when 'deposit' then t.amount else -t.amount end as signed,
        t.recorded_by = 'customer' and t.type = 'expense' as is_note, t.origin, t.origin_id
      from public.transactions t
      where (after_customer is null or t.user_id > after_customer)
        and (last_customer is null or t.user_id <= last_customer)
    ) t on t.user_id = p.user_id and t.id = p.transaction_id
    left join heads h on h.user_id = p.user_id
  ),
  broken as (
    select a.user_id, a.seq, a.fault from accounts a where a.fault is not null
    union all
    select m.user_id, m.seq, m.fault from movements m where m.fault is not null
  )
  select c.counted, f.user_id, f.seq, f.fault
  into customers, broken_customer, broken_seq, fault
  from (select count(*) as counted from accounts) c
  left join (
    -- The list of staff is derived from the account. A fault of the account itself therefore comes first.
    select b.* from broken b order by b.user_id, b.fault = 'listed', b.seq limit 1
  ) f on true;
end
$$;
comment on function ledger.check_balances(uuid, integer) is
  'Checks the next customers. For an invalid account, fault is `account` (a customer must have either a budget or a closing entry), `balance` (the budget differs from the last entry) or `notes` (the budget''s notes differ from the sum of the entries). Fault is `listed` if private.listed_accounts differs from the budget or from the customer''s list. For an invalid transaction, fault is `transaction` (the row in the list differs from its postings) or `unposted` (the row has no posting). Returns the number of customers checked, the last customer checked (null at the end), and the first customer with invalid data, together with the journal entry concerned.';
grant execute on function ledger.check_balances(uuid, integer) to service_role;

create function ledger.read_daily_check(out age_seconds double precision, out is_broken boolean)
  language sql stable security definer
  set search_path = ''
as $$
  select extract(epoch from now() - max(c.ended_at))::double precision, coalesce(bool_or(c.is_broken), false)
  from ledger.daily_check c
$$;
comment on function ledger.read_daily_check() is
  'Returns how many seconds ago the last verification ended, and its result. Before the first verification, the age is null and the result is false.';
grant execute on function ledger.read_daily_check() to service_role;

create function ledger.record_check(found_broken boolean) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into ledger.daily_check as c (ended_at, is_broken) values (now(), found_broken)
  on conflict (is_only) do update set ended_at = excluded.ended_at, is_broken = excluded.is_broken
$$;
comment on function ledger.record_check(boolean) is
  'Stores the result of a verification.';
grant execute on function ledger.record_check(boolean) to service_role;

-- supabase/schemas/planning/functions/categories.sql

-- Functions of categories and of the rules that categorize expenses.

create function private.count_added_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  own constant integer := (select count(*)::integer from added a where a.user_id = me);
  most bigint;
begin
  if own > 0 then
    perform private.consume('rows written', me::text, own);
  end if;
  execute format(
    'select max(n.rows) from (
      select count(*) as rows from %s t where t.user_id in (select a.user_id from added a) group by t.user_id
    ) n', tg_relid::regclass
  ) into most;
  perform private.require_room(tg_argv[0], coalesce(most - 1, 0), true);
  return null;
end
$$;
comment on function private.count_added_rows() is 'Counts the rows that the caller added toward the limit "rows written". Refuses an insert (23514) if one customer would then have more rows in the table than the cap that the trigger names.';

create function private.place_rule() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  line constant text := private.folded(left(new.contains, 100));
begin
  new.position := coalesce((
    select max(r.position) + 0.5 from public.category_rules r
    where r.user_id = new.user_id and position(line in r.folded) > 0
  ), 0);
  return new;
end
$$;
comment on function private.place_rule() is 'Sets the position of a new rule. A new rule is tried first, except that it comes after all rules whose text contains the new text. If these rules came after the new rule, they would never match.';

-- Existing transactions ------------------------------------------------------------------------------------

create function private.rule_matches(rule public.category_rules) returns setof uuid
  language sql stable
  set search_path = ''
as $$
  with earlier as materialized (
    select e.folded
    from public.category_rules e
    where e.user_id = (select auth.uid())
      and (e.position < rule.position or e.position = rule.position and e.created_at > rule.created_at)
  ),
  -- Limits the number of descriptions, because comparing many years of descriptions would delay all other customers of
  -- an embedded engine.
  newest as (
    select t.id, t.date, t.description,
      sum(octet_length(t.description)) over (order by t.date desc, t.id desc rows unbounded preceding) as octets
    from public.transactions t
    where t.user_id = (select auth.uid()) and t.type = 'expense' and not t.is_void
      and (rule.category is null or t.category is distinct from rule.category)
    order by t.date desc, t.id desc limit 20000
  ),
  -- Each matching expense must be compared with every earlier rule. Therefore, the more earlier rules there are, the
  -- fewer expenses are examined.
  fitting as materialized (
    select l.*, row_number() over (order by l.date desc, l.id desc) as place
    from (
      select n.id, n.date, private.folded(n.description) as line from newest n where n.octets <= 1000000 offset 0
    ) l
    where position(rule.folded in l.line) > 0
  )
  select f.id from fitting f
  where f.place <= 200000 / (1 + (select count(*) from earlier))
    and not exists (select from earlier e where position(e.folded in f.line) > 0)
  order by f.date desc, f.id desc
$$;
comment on function private.rule_matches(public.category_rules) is 'Returns the caller''s expenses whose category the rule would change and that no earlier rule matches, newest first. If the rule''s category is null, it matches expenses in any category. Examines at most the newest 20,000 expenses that are not yet in the rule''s category, and at most a million bytes of descriptions. Compares at most 200,000 / (1 + number of earlier rules) matching expenses with the earlier rules. Runs with the caller''s own rights.';
grant execute on function private.rule_matches(public.category_rules) to authenticated;

create function public.count_rule_matches(contains text, category text default null) returns bigint
  language plpgsql stable
  set search_path = ''
as $$
declare
  line constant text := private.folded(left(contains, 100));
  rule public.category_rules;
begin
  select r.* into rule from public.category_rules r where r.user_id = (select auth.uid()) and r.folded = line;
  if not found then
    rule.folded := line;
    rule.created_at := now();
    -- The position that private.place_rule would assign to this rule.
    rule.position := coalesce((
      select max(r.position) + 0.5 from public.category_rules r
      where r.user_id = (select auth.uid()) and position(line in r.folded) > 0
    ), 0);
  end if;
  rule.category := count_rule_matches.category;
  return (select count(*) from private.rule_matches(rule));
end
$$;
comment on function public.count_rule_matches(text, text) is 'Counts the caller''s expenses whose category a rule with this text would change to the given category. If the category is null, counts all expenses that the rule matches. The rule need not exist. The limits of private.rule_matches apply. Runs with the caller''s own rights.';
grant execute on function public.count_rule_matches(text, text) to authenticated;

create function public.apply_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
  -- A plan that was made for customers with few transactions compares each transaction with ten thousand ids
  -- (docs/decisions/0096).
  set plan_cache_mode = force_custom_plan
as $$
declare
  me constant uuid := (select auth.uid());
  rows_max constant integer := 10000;
  rule public.category_rules;
  chosen uuid[];
  last_seq bigint;
  changed integer;
begin
  perform private.lock_account();
  select r.* into rule from public.category_rules r where r.user_id = me and r.id = apply_category_rule.id for update;
  if not found then
    raise exception 'Esta regla no existe.' using errcode = 'PT404';
  end if;
  chosen := array(select m from private.rule_matches(rule) m limit rows_max);
  perform private.require_edits(cardinality(chosen));
  perform set_config('realtime.skip_table', 'transactions', true);
  update public.transactions t set category = rule.category where t.user_id = me and t.id = any (chosen);
  get diagnostics changed = row_count;
  perform set_config('realtime.skip_table', '', true);
  -- If no transaction changed, the customer can still undo the rule's previous application.
  if changed > 0 then
    -- The account is locked, so the rule's edits are the latest entries in the journal.
    select j.seq into last_seq from public.journal_entries j where j.user_id = me order by j.seq desc limit 1;
    update public.category_rules r
    set first_seq = last_seq - changed + 1, entries = changed, undone_at = null
    where r.user_id = me and r.id = apply_category_rule.id
    returning * into rule;
  end if;
  return rule;
end
$$;
comment on function public.apply_category_rule(uuid) is
  'Applies one of the caller''s rules to their newest 10,000 matching expenses. Each changed expense gets an edit in the journal. Returns the rule, whose columns first_seq and entries now describe these edits. Raises PT404 for an unknown rule, and PT429 if the edits would exceed the daily limit. Runs with the caller''s own rights.';
grant execute on function public.apply_category_rule(uuid) to authenticated;

create function public.undo_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
  -- A plan that was made for a small table could compare each of ten thousand edits with every transaction
  -- (docs/decisions/0096).
  set enable_nestloop = off
as $$
declare
  me constant uuid := (select auth.uid());
  rule public.category_rules;
begin
  perform private.lock_account();
  select r.* into rule from public.category_rules r where r.user_id = me and r.id = undo_category_rule.id for update;
  if not found then
    raise exception 'Esta regla no existe.' using errcode = 'PT404';
  end if;
  if rule.entries is null or rule.undone_at is not null then
    return rule;
  end if;
  perform private.require_edits((
    select count(*)::integer
    from public.transaction_edits e
    join public.transactions t on t.id = e.transaction_id and t.category = e.after ->> 'category'
    where t.user_id = me and e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
  ));
  perform set_config('realtime.skip_table', 'transactions', true);
  -- Skips transactions whose category was changed after the rule was applied.
  update public.transactions t set category = e.before ->> 'category'
  from public.transaction_edits e
  where e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
    and t.user_id = me and t.id = e.transaction_id and t.category = e.after ->> 'category';
  perform set_config('realtime.skip_table', '', true);
  update public.category_rules r set undone_at = clock_timestamp() where r.user_id = me and r.id = undo_category_rule.id
  returning * into rule;
  return rule;
end
$$;
comment on function public.undo_category_rule(uuid) is
  'Undoes the last application of one of the caller''s rules and returns the rule. A repeated call changes nothing. Raises PT404 for an unknown rule. Runs with the caller''s own rights.';
grant execute on function public.undo_category_rule(uuid) to authenticated;

create function public.order_category_rules(ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform set_config('realtime.skip_table', 'category_rules', true);
  update public.category_rules r set position = o.place
  from unnest(ids) with ordinality as o (id, place)
  where r.user_id = me and r.id = o.id and r.position <> o.place;
  perform set_config('realtime.skip_table', '', true);
  if found then
    -- Open pages get a single announcement. The page reads more for the announcement of a rule that was applied.
    update public.category_rules r set position = r.position
    where r.user_id = me and r.id = (
      select o.id from public.category_rules o where o.user_id = me order by o.entries is not null, o.id limit 1
    );
  end if;
end
$$;
comment on function public.order_category_rules(uuid[]) is 'Puts the caller''s rules into the given order. If rules changed, announces only one of them. Raises PT429 beyond the limit "rows written". Runs with the caller''s own rights.';
grant execute on function public.order_category_rules(uuid[]) to authenticated;

create function private.count_category(changed public.categories, others integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The rows of a closed account are deleted after the user.
  if changed.user_id = auth.uid() and exists (select from auth.users u where u.id = changed.user_id) then
    perform private.consume('rows written', changed.user_id::text, 1 + others);
  end if;
end
$$;
comment on function private.count_category(public.categories, integer) is
  'Counts a category that the caller changed, and the rows of other tables that changed with it, toward the limit "rows written".';

-- Updates every table that stores a category's name when the category is renamed or deleted.

create function private.rename_category() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the limit of public.apply_category_rule. Twice as many transactions would delay all other customers of an
  -- embedded engine for seconds.
  rows_max constant integer := 10000;
  renamed constant integer := (
    select count(*) from (
      select from public.transactions t where t.user_id = new.user_id and t.category = old.name limit rows_max + 1
    ) t
  );
  rules integer;
  limits integer;
  plans integer;
  has_moved_limits boolean := false;
begin
  if new.name = old.name then
    perform private.count_category(new, 0);
    return null;
  end if;
  if renamed > rows_max then
    raise exception 'La categoría tiene más movimientos de los que se pueden cambiar a la vez (%).', rows_max
      using errcode = 'PT409';
  end if;
  perform private.require_edits(renamed);
  -- Open pages get a single announcement, for the category's own row.
  perform set_config('realtime.skip_table', 'category_rules', true);
  update public.category_rules r set category = new.name where r.user_id = new.user_id and r.category = old.name;
  get diagnostics rules = row_count;
  -- If the new name already has limits, these limits are kept.
  if exists (select from public.category_budgets b where b.user_id = new.user_id and b.category = new.name) then
    delete from public.category_budgets b where b.user_id = new.user_id and b.category = old.name;
    get diagnostics limits = row_count;
  else
    update public.category_budgets b set category = new.name where b.user_id = new.user_id and b.category = old.name;
    get diagnostics limits = row_count;
    has_moved_limits := true;
  end if;
  perform set_config('realtime.skip_table', 'transactions', true);
  update public.transactions t set category = new.name where t.user_id = new.user_id and t.category = old.name;
  perform set_config('realtime.skip_table', '', true);
  -- The limits and the expenses move together, so that no limit is reached. The new name had
  -- no limits before, and its earlier expenses therefore did not reach a limit.
  if has_moved_limits then
    delete from private.notices n
    where n.recipient = new.user_id and n.topic = 'spending' and n.facts ->> 'detail' = new.name;
  end if;
  update public.recurring_expenses e set category = new.name where e.user_id = new.user_id and e.category = old.name;
  get diagnostics plans = row_count;
  perform private.count_category(new, rules + limits + plans);
  return null;
end
$$;
comment on function private.rename_category() is 'Renames a category in the customer''s transactions, rules, limits and recurring expenses. Each changed transaction gets an edit in the journal. If the new name already has limits, deletes the limits of the old name. Raises PT409 if the category has more than 10,000 transactions.';

create function private.forget_category() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rules integer;
  limits integer;
begin
  delete from public.category_rules r where r.user_id = old.user_id and r.category = old.name;
  get diagnostics rules = row_count;
  delete from public.category_budgets b where b.user_id = old.user_id and b.category = old.name;
  get diagnostics limits = row_count;
  perform private.count_category(old, rules + limits);
  return null;
end
$$;
comment on function private.forget_category() is 'Deletes the rules and limits of a deleted category, because the page would otherwise still offer the category.';

-- supabase/schemas/planning/functions/category_budgets.sql

-- Functions of the monthly limits by category.

create function public.set_category_budget(category text, monthly_limit numeric, carries_over boolean default false)
  returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  this_month constant date := date_trunc('month', now() at time zone 'America/Bogota')::date;
begin
  perform private.lock_open_account();
  perform private.consume('rows written', me::text);
  update public.category_budgets b
  set monthly_limit = set_category_budget.monthly_limit, carries_over = set_category_budget.carries_over
  where b.user_id = me and b.category = set_category_budget.category and b.month = this_month;
  if not found then
    perform private.require_room(
      'category budgets', (select count(*) from public.category_budgets b where b.user_id = me), true
    );
    insert into public.category_budgets (user_id, category, month, monthly_limit, carries_over)
    values (
      me, set_category_budget.category, this_month, set_category_budget.monthly_limit, set_category_budget.carries_over
    );
  end if;
end
$$;
comment on function public.set_category_budget(text, numeric, boolean) is
  'Sets the caller''s limit for a category from the current month on; null removes the limit. Raises 23514 for an invalid value and beyond the cap of limits, and PT429 beyond the limit "rows written".';
grant execute on function public.set_category_budget(text, numeric, boolean) to authenticated;

create type public.category_limit as (
  category text,
  monthly_limit numeric,
  carries_over boolean,
  since text,
  carried numeric,
  spent numeric
);
comment on type public.category_limit is 'A category''s limit and spending in the current month in Bogotá, in units of currency.';
comment on column public.category_limit.category is 'Name of the category, as stored in public.transactions.';
comment on column public.category_limit.monthly_limit is 'The limit without the amount carried over.';
comment on column public.category_limit.carries_over is 'Whether the unspent rest of the limit, or the amount spent above the limit, is carried over to the next month.';
comment on column public.category_limit.since is 'The month from which the limit has been carried over without interruption, for example 2026-11.';
comment on column public.category_limit.carried is 'Amount carried over into this month; negative after overspending.';
comment on column public.category_limit.spent is 'Spending in the current month.';

create type public.category_spending as (category text, spent numeric);
comment on type public.category_spending is 'The current month''s spending in a category that has no limit, in units of currency.';
comment on column public.category_spending.category is 'Name of the category; null for expenses without a category.';
comment on column public.category_spending.spent is 'Spending in the current month.';

create type public.category_sums as (month text, limits public.category_limit[], others public.category_spending[]);
comment on type public.category_sums is 'The current month''s limits and spending by category.';
comment on column public.category_sums.month is 'The month in Bogotá, for example 2026-11.';
comment on column public.category_sums.limits is 'The limits, ordered by category.';
comment on column public.category_sums.others is 'Spending in categories that have no limit, largest first.';

create function private.present_limits(customer uuid, this_month date) returns table (
  category text, monthly_limit numeric, is_carried boolean, since date, allotted numeric
)
  language plpgsql stable rows 20
  set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    with spans as (
      select
        l.*,
        lead(l.month) over (partition by l.category order by l.month) as until,
        max(l.month) filter (where not l.is_carried) over (partition by l.category) as broken_at
      from (
        select b.category, b.month, b.monthly_limit, b.carries_over and b.monthly_limit is not null as is_carried
        from public.category_budgets b
        where b.user_id = customer and b.month <= this_month
      ) l
    )
    select
      s.category,
      max(s.monthly_limit) filter (where s.until is null) as monthly_limit,
      bool_or(s.is_carried) filter (where s.until is null) as is_carried,
      coalesce(min(s.month) filter (where s.month > coalesce(s.broken_at, '-infinity')), this_month) as since,
      coalesce(sum(s.monthly_limit * (
        extract(year from age(coalesce(s.until, this_month), s.month)) * 12
        + extract(month from age(coalesce(s.until, this_month), s.month))
      )) filter (where s.month > coalesce(s.broken_at, '-infinity')), 0) as allotted
    from spans s
    group by s.category
    having max(s.monthly_limit) filter (where s.until is null) is not null;
end
$$;
comment on function private.present_limits(uuid, date) is
  'Returns the current limit of each category, the month from which it has been carried over without interruption, and the sum of the limits from that month up to the previous month. Runs with the caller''s own rights.';
grant execute on function private.present_limits(uuid, date) to authenticated;

create function private.category_sums_of(customer uuid, this_month date) returns table (
  category text, monthly_limit numeric, is_carried boolean, limited_since date, carried numeric, spent numeric
)
  language plpgsql stable rows 20
  set search_path = ''
as $$
#variable_conflict use_column
declare
  begins_at constant timestamptz := this_month::timestamp at time zone 'America/Bogota';
  ends_at constant timestamptz := (this_month + interval '1 month') at time zone 'America/Bogota';
begin
  return query
    -- Uses grouping and window functions, because joining limits with categories could cost time proportional to the
    -- product of their numbers.
    with present as materialized (select * from private.present_limits(customer, this_month)),
    -- A new period begins with each month in which a limit was set, and the last period ends with the current month. The
    -- periods make it possible to read each transaction only once, and not once for each limit.
    stretches as (
      select b.starts_at, lead(b.starts_at, 1, ends_at) over (order by b.starts_at) as stops_at
      from (select begins_at as starts_at union select p.since::timestamp at time zone 'America/Bogota' from present p) b
    ),
    -- Adds to each row of a category the month from which its limit has been carried over.
    by_category as (
      select v.*, max(v.since) over (partition by v.category) as limited_since
      from (
        select p.*, null::timestamptz as starts_at, null::numeric as amount from present p
        union all
        select c.category, null, null, null, null, s.starts_at, c.amount
        from stretches s
        cross join lateral (
          select t.category, sum(t.amount) as amount
          from public.transactions t
          where t.user_id = customer and t.date >= s.starts_at and t.date < s.stops_at and t.type = 'expense'
            and not t.is_void
          group by t.category
        ) c
      ) v
    )
    select
      v.category, max(v.monthly_limit), bool_or(v.is_carried), v.limited_since,
      max(v.allotted) - coalesce(sum(v.amount) filter (
        where v.starts_at < begins_at and v.starts_at >= v.limited_since::timestamp at time zone 'America/Bogota'
      ), 0),
      sum(v.amount) filter (where v.starts_at = begins_at)
    from by_category v
    group by v.category, v.limited_since;
end
$$;
comment on function private.category_sums_of(uuid, date) is
  'Returns the categories of a customer in the current month in Bogotá, each with its spending and, if it has a limit, the limit and the amount carried over. Runs with the caller''s own rights. The function is stable, so that the sums contain only the expenses that the calling SQL statement can see.';
grant execute on function private.category_sums_of(uuid, date) to authenticated;

create function public.sum_category_budgets() returns public.category_sums
  language plpgsql stable
  set search_path = ''
as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'America/Bogota')::date;
begin
  return (
    select row(
      to_char(this_month, 'YYYY-MM'),
      coalesce(array_agg(row(
        u.category, u.monthly_limit, u.is_carried, to_char(u.limited_since, 'YYYY-MM'), u.carried, coalesce(u.spent, 0)
      )::public.category_limit order by u.category) filter (where u.limited_since is not null), '{}'),
      coalesce(array_agg(row(u.category, u.spent)::public.category_spending order by u.spent desc, u.category)
        filter (where u.limited_since is null and u.spent is not null), '{}')
    )::public.category_sums
    from private.category_sums_of((select auth.uid()), this_month) u
  );
end
$$;
comment on function public.sum_category_budgets() is
  'Returns the caller''s limits in the current month in Bogotá, each with the spending and the amount carried over. Also returns the spending in other categories. The amount carried over is the sum of the limits of the earlier months minus the spending dated in those months. The amount carried over is negative after overspending. Runs with the caller''s own rights.';
grant execute on function public.sum_category_budgets() to authenticated;

-- Telling a customer that a limit is reached, and the other notices of customers. Postings store only the amounts that
-- they added to a category (private.tell_money).

create function private.judge_limits(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  people uuid[];
  ids uuid[];
  reached record;
begin
  select array_agg(n.recipient), array_agg(n.id) into people, ids
  from (
    select o.recipient, o.id from private.notices o
    where o.listed_at is null and o.topic = 'spending' order by o.happened_at limit rows_max
  ) n;
  if ids is null then
    return 0;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  for reached in
    with taken as (
      delete from private.notices n using unnest(people, ids) as i (recipient, id)
      where n.recipient = i.recipient and n.id = i.id
      returning n.recipient, n.facts ->> 'detail' as category, (n.facts ->> 'amount')::numeric as amount, n.happened_at
    ),
    spending as (
      select
        t.recipient, t.category, sum(t.amount) as amount, max(t.happened_at) as happened_at,
        -- The sums already contain the expenses of notices that a later run reads.
        coalesce((
          select sum((w.facts ->> 'amount')::numeric) from private.notices w
          where w.recipient = t.recipient and w.topic = 'spending' and w.facts ->> 'detail' = t.category
            and w.id <> all (ids)
        ), 0) as later
      from taken t
      where exists (select from public.category_budgets b where b.user_id = t.recipient and b.category = t.category)
      group by t.recipient, t.category
    ),
    limits as materialized (
      select c.recipient, l.category, coalesce(l.spent, 0) as spent, l.monthly_limit + l.carried as allowed
      from (select distinct s.recipient from spending s) c
      cross join lateral private.category_sums_of(
        c.recipient, date_trunc('month', now() at time zone 'America/Bogota')::date
      ) l
    )
    select s.* from spending s join limits l on l.recipient = s.recipient and l.category = s.category
    -- Reports a limit only if the expenses of this run reached the limit.
    where l.spent - s.later >= l.allowed and l.spent - s.later - s.amount < l.allowed
    order by s.happened_at
  loop
    perform private.tell(
      array[reached.recipient], 'category_limit', jsonb_build_object('detail', reached.category), reached.happened_at
    );
  end loop;
  return cardinality(ids);
end
$$;
comment on function private.judge_limits(integer) is
  'Tells the customers whose expenses reached the limit of a category. Reads up to rows_max notices of the topic `spending`, oldest first, and returns their number.';

create function private.tell_customers(rows_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  judged integer;
begin
  if not private.is_on('notificaciones') then
    return 0;
  end if;
  perform private.tell_statements(rows_max, at);
  judged := private.judge_limits(rows_max);
  return greatest(judged, private.list_notices(rows_max));
end
$$;
comment on function private.tell_customers(integer, timestamptz) is
  'Lists what customers chose to know: statements that are ready (private.tell_statements), limits that are reached (private.judge_limits), and all other notices (private.list_notices). Handles up to rows_max notices of each kind, and returns the larger number. Does nothing while the bank has not enabled notifications.';
grant execute on function private.tell_customers(integer, timestamptz) to supabase_auth_admin;

-- supabase/schemas/planning/functions/recurring.sql

-- Functions of recurring expenses.

create function private.next_due(rhythm text, due_day integer, due_on date) returns date
  language sql immutable
  set search_path = ''
  return case rhythm
    when 'weekly' then due_on + 7
    when 'biweekly' then due_on + 14
    else (
      -- Advances the month first and then limits the day to its length, so that 31 January is followed by 28 February and then by 31 March.
      select m.first_day::date - 1 + least(due_day, extract(day from m.first_day + interval '1 month - 1 day')::integer)
      from (
        select date_trunc('month', due_on::timestamp)
          + case rhythm when 'monthly' then interval '1 month' else interval '1 year' end as first_day
      ) m
    )
  end;
comment on function private.next_due(text, integer, date) is 'Returns the due day after due_on.';

create function private.due_days(rhythm text, due_day integer, due_on date, since date, until date) returns setof date
  language sql immutable
  set search_path = ''
as $$
  select day::date
  from generate_series(0, until - since) place
  cross join lateral (select since + place as day) d
  where case rhythm
    when 'weekly' then (day - due_on) % 7 = 0
    when 'biweekly' then (day - due_on) % 14 = 0
    else
      extract(day from day) = least(
        due_day, extract(day from date_trunc('month', day::timestamp) + interval '1 month - 1 day')
      )
      and (rhythm = 'monthly' or extract(month from day) = extract(month from due_on))
  end
$$;
comment on function private.due_days(text, integer, date, date, date) is
  'Returns the due days in the period whose first day is `since` and whose last day is `until`. due_on may be any due day of the expense, inside or outside this period. The caller must limit the length of the period.';
grant execute on function private.due_days(text, integer, date, date, date) to authenticated;

create type public.expected_payment as (
  recurring_id uuid,
  due_on date,
  amount numeric,
  transaction_id uuid,
  paid_on date,
  is_overdue boolean
);
comment on type public.expected_payment is 'A due payment of a recurring expense, with the transaction that settles the payment.';
comment on column public.expected_payment.recurring_id is 'The recurring expense.';
comment on column public.expected_payment.due_on is 'The due day in Bogotá.';
comment on column public.expected_payment.amount is 'The expected amount, in units of currency.';
comment on column public.expected_payment.transaction_id is 'The transaction that settles the payment; null if no transaction does.';
comment on column public.expected_payment.paid_on is 'Day of that transaction in Bogotá; null if no transaction settles the payment.';
comment on column public.expected_payment.is_overdue is 'Whether the due day is more than three days in the past and the payment has not been settled.';

create function private.payments_due(customer uuid, since date, until date) returns table (
  place integer, recurring_id uuid, name text, amount numeric, amounts numrange, due_on date
)
  language plpgsql stable
  set search_path = ''
as $$
begin
  return query
    select
      row_number() over (order by d.due_on, l.created_at, l.id)::integer, l.id, l.name, l.amount,
      numrange(0.9 * l.amount, 1.1 * l.amount, '[]'), d.due_on
    from (
      select r.*, private.normalize_payee(r.description) as name
      from public.recurring_expenses r
      where r.user_id = customer and r.status = 'active' offset 0
    ) l
    cross join lateral private.due_days(l.rhythm, l.due_day, l.next_due_on, since, until) as d (due_on);
end
$$;
comment on function private.payments_due(uuid, date, date) is
  'Returns the payments of a customer''s active recurring expenses that are due between two days, numbered by day, with the amounts that can settle them. Runs with the caller''s own rights.';
grant execute on function private.payments_due(uuid, date, date) to authenticated;

create function private.expenses_like(
  customer uuid, since date, until date, names text[], amounts nummultirange
) returns table (transaction_id uuid, day date, amount numeric, name text)
  language plpgsql stable
  set search_path = ''
as $$
declare
  rows_max constant integer := 5000;
  octets_max constant integer := 200000;
  alike_max constant integer := 500;
begin
  return query
    -- Reads a range of the index transactions_newest_first.
    with spent as (
      select t.id, t.date, t.amount, t.description
      from public.transactions t
      where t.user_id = customer and t.type = 'expense' and not t.is_void
        and t.date >= since::timestamp at time zone 'America/Bogota'
        and t.date < (until + 1)::timestamp at time zone 'America/Bogota'
      order by t.date desc, t.id desc
      limit rows_max
    ),
    fitting as (
      select
        s.*, sum(octet_length(s.description)) over (order by s.date desc, s.id desc rows unbounded preceding) as octets
      from spent s
      where s.amount <@ amounts
    ),
    -- Normalizes only the descriptions of expenses whose amount could settle a payment, because normalizing long
    -- descriptions is slow.
    named as (
      select
        f.id, f.date, f.amount, private.normalize_payee(f.description) as name
      from fitting f
      where f.octets <= octets_max
      offset 0
    )
    select n.id, (n.date at time zone 'America/Bogota')::date, n.amount, n.name
    from named n where n.name = any (names)
    order by n.date desc, n.id desc
    limit alike_max;
end
$$;
comment on function private.expenses_like(uuid, date, date, text[], nummultirange) is
  'Returns a customer''s newest 500 expenses between two days that have one of the normalized descriptions and one of the amounts. Reads the newest 5,000 expenses of the period. For expenses with one of the amounts, reads at most 200,000 bytes of descriptions. Runs with the caller''s own rights.';
grant execute on function private.expenses_like(uuid, date, date, text[], nummultirange) to authenticated;

create function private.settle_due_days(customer uuid, since date, until date) returns setof public.expected_payment
  language plpgsql stable
  set search_path = ''
as $$
declare
  days_apart constant integer := 3;
  rivals_max constant integer := 10;
  pair record;
  done integer[] := '{}';
  taken uuid[] := '{}';
begin
  if not exists (select from public.recurring_expenses r where r.user_id = customer and r.status = 'active') then
    return;
  end if;
  for pair in
    -- Also includes the due days shortly before and after the period, because their payments compete for the same
    -- transactions.
    with expected as materialized (
      select * from private.payments_due(customer, since - 2 * days_apart, until + 2 * days_apart)
    ),
    nearest as (
      select
        e.place, s.transaction_id, s.day, abs(s.day - e.due_on) as distance, abs(s.amount - e.amount) as difference,
        row_number() over (
          partition by e.place order by abs(s.day - e.due_on), abs(s.amount - e.amount), s.day, s.transaction_id
        ) as rank
      from expected e
      join private.expenses_like(
        customer, since - 3 * days_apart, until + 3 * days_apart,
        (select array_agg(n.name) from expected n), (select range_agg(n.amounts) from expected n)
      ) s on s.name = e.name and s.amount <@ e.amounts and abs(s.day - e.due_on) <= days_apart
    ),
    pairs as (
      -- A transaction that the database recorded for a due day settles that day's payment, even if its description,
      -- date or amount was changed.
      select e.place, t.id as transaction_id, (t.date at time zone 'America/Bogota')::date as day, -1 as distance, 0.0 as difference
      from expected e
      join public.recurring_occurrences o on o.user_id = customer and o.recurring_id = e.recurring_id and o.due_on = e.due_on
      join public.transactions t on t.user_id = customer and t.id = o.transaction_id
      union all
      select n.place, n.transaction_id, n.day, n.distance, n.difference from nearest n where n.rank <= rivals_max
      union all
      select e.place, null, null, days_apart + 1, 0 from expected e
    )
    select p.place, p.transaction_id, p.day, e.recurring_id, e.due_on, e.amount
    from pairs p join expected e on e.place = p.place
    order by p.distance, p.difference, p.place, p.day, p.transaction_id
  loop
    continue when pair.place = any (done) or pair.transaction_id = any (taken);
    done := done || pair.place;
    taken := taken || pair.transaction_id;
    if pair.due_on between since and until then
      return next (
        pair.recurring_id, pair.due_on, pair.amount, pair.transaction_id, pair.day,
        pair.transaction_id is null and pair.due_on + days_apart < (now() at time zone 'America/Bogota')::date
      )::public.expected_payment;
    end if;
  end loop;
end
$$;
comment on function private.settle_due_days(uuid, date, date) is
  'Returns each payment of a customer''s active recurring expenses that is due between two days, with the transaction that settles the payment. A payment is settled by an expense with the same normalized description (private.normalize_payee), an amount within 10 % and a date within three days of the due day. The nearest pairs are matched first, and each transaction settles only one payment. For each payment, considers only the ten nearest expenses. The limits of private.expenses_like apply. Runs with the caller''s own rights.';
grant execute on function private.settle_due_days(uuid, date, date) to authenticated;

create function public.expected_payments() returns setof public.expected_payment
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
  first_day constant date := date_trunc('month', today)::date;
begin
  return query
    select s.*
    from private.settle_due_days(me, first_day - 31, (first_day + interval '1 month - 1 day')::date) s
    join public.recurring_expenses r on r.user_id = me and r.id = s.recurring_id
    where
      case
        when s.transaction_id is not null then s.due_on >= first_day
        -- A due day in the last three days before the month may still be settled during the month. An earlier due day
        -- stays in the list until the expense is due again.
        else s.due_on >= r.expected_from
          and (
            s.due_on >= first_day - 3
            or not exists (select from private.due_days(r.rhythm, r.due_day, s.due_on, s.due_on + 1, today))
          )
      end
    order by s.due_on, s.recurring_id;
end
$$;
comment on function public.expected_payments() is
  'Returns the due days of the caller''s active recurring expenses in the current month in Bogotá, with the transactions that settle them (private.settle_due_days). Includes unsettled due days in the three days before the month. Also includes an unsettled due day in the 31 days before the month until the expense is due again. Omits unsettled due days before expected_from. Runs with the caller''s own rights.';
grant execute on function public.expected_payments() to authenticated;

create function private.record_due_days(
  due public.recurring_expenses, at timestamptz, days_max integer, known public.expected_payment[] default null
) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the limit of ledger.require_own_balance, which does not check postings without an actor.
  own_balance_min constant numeric := -1000000000000.00;
  today constant date := (at at time zone 'America/Bogota')::date;
  movement uuid;
  handled integer := 0;
  -- Reads the settled payments of a quarter of a year at a time, because a whole year could have more transactions than
  -- private.settle_due_days reads.
  read_until date := '-infinity';
  settled date[];
begin
  while due.next_due_on <= today and handled < days_max loop
    handled := handled + 1;
    movement := gen_random_uuid();
    if due.is_automatic and due.next_due_on > read_until then
      read_until := least(today, due.next_due_on + 92);
      known := coalesce(known, array(select s from private.settle_due_days(due.user_id, due.next_due_on, read_until) s));
      settled := array(
        select s.due_on from unnest(known) s where s.recurring_id = due.id and s.transaction_id is not null
      );
      known := null;
    end if;
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount, transaction_id)
    select due.user_id, due.id, due.next_due_on, due.amount, movement
    where due.is_automatic and due.next_due_on <> all (settled)
    on conflict do nothing;
    -- Skips the day if its payment was already recorded and the customer then moved next_due_on back to this day.
    if found then
      begin
        insert into public.transactions (user_id, id, type, description, amount, date, category, origin, origin_id)
        values (
          due.user_id, movement, 'expense', due.description, due.amount,
          least((due.next_due_on + time '12:00') at time zone 'America/Bogota', at), due.category, 'recurring', due.id
        );
        if (select b.balance from public.budgets b where b.user_id = due.user_id) < own_balance_min then
          raise exception using errcode = 'FZ402';
        end if;
      exception when integrity_constraint_violation or sqlstate 'FZ402' then
        update public.recurring_occurrences o set transaction_id = null
        where o.user_id = due.user_id and o.recurring_id = due.id and o.due_on = due.next_due_on;
      end;
    end if;
    due.next_due_on := private.next_due(due.rhythm, due.due_day, due.next_due_on);
  end loop;
  update public.recurring_expenses r set next_due_on = due.next_due_on where r.user_id = due.user_id and r.id = due.id;
  return handled;
end
$$;
comment on function private.record_due_days(public.recurring_expenses, timestamptz, integer, public.expected_payment[]) is
  'Advances next_due_on of one recurring expense past today. The caller must have locked the expense''s row. If the expense is automatic, records each due payment that no transaction has settled, dated on its due day. Processes at most days_max due days and returns their number. The caller may pass the result of private.settle_due_days for the first 92 days. The transaction, the occurrence and the next due day are written in the same database transaction. If a payment is refused, stores an occurrence without a transaction.';

create function private.record_due_expenses(days_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  locked public.recurring_expenses[];
  due public.recurring_expenses;
  today constant date := (at at time zone 'America/Bogota')::date;
  known public.expected_payment[];
  known_user uuid;
  known_day date;
  handled integer := 0;
begin
  -- Skips accounts that their customer or another server has locked; the next call records their expenses. Locks the
  -- user and the budget in the same order as every posting. Locks all due accounts before the first posting, because a
  -- budget that this database transaction has already updated would be skipped.
  locked := array(
    select r
    from public.recurring_expenses r
    join auth.users u on u.id = r.user_id
    join public.budgets b on b.user_id = r.user_id
    where r.status = 'active' and r.next_due_on <= today
      -- A blocked customer could not see or delete the transaction, so it is recorded after the block ends.
      and (u.banned_until is null or u.banned_until <= at) and u.deleted_at is null
    order by r.next_due_on, r.user_id, r.id
    limit days_max
    for key share of u skip locked
    for no key update of b, r skip locked
  );
  foreach due in array locked loop
    -- If a customer has several expenses that are due on the same day, they are consecutive in this loop, and the
    -- settled payments are read only once for all of them.
    if due.is_automatic and (due.user_id, due.next_due_on) is distinct from (known_user, known_day) then
      known := array(
        select s from private.settle_due_days(due.user_id, due.next_due_on, least(today, due.next_due_on + 92)) s
      );
      known_user := due.user_id;
      known_day := due.next_due_on;
    end if;
    handled := handled + private.record_due_days(due, at, days_max - handled, case when due.is_automatic then known end);
    exit when handled >= days_max;
  end loop;
  return handled;
end
$$;
comment on function private.record_due_expenses(integer, timestamptz) is
  'Advances the recurring expenses of all customers past their due days. Records the payments of automatic expenses, each dated on its due day. Processes at most days_max due days and returns their number. Even with concurrent calls, each due payment is recorded only once.';
grant execute on function private.record_due_expenses(integer, timestamptz) to service_role;

create function private.refuse_recurring_expense(
  saved public.recurring_expenses, status text, next_due_on date, due_day integer, today date
) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if saved.status in ('ended', 'dismissed') then
    raise exception 'Este pago recurrente ya terminó.' using errcode = 'PT409';
  end if;
  if saved.next_due_on is distinct from next_due_on and (next_due_on between today and today + 366) is not true then
    raise exception 'La próxima fecha debe estar entre hoy y dentro de un año.' using errcode = 'PT422';
  end if;
  if due_day not between 1 and 31 then
    raise exception 'El día debe estar entre 1 y 31.' using errcode = 'PT422';
  end if;
  if saved.id is null and status not in ('active', 'dismissed') then
    raise exception 'Un pago recurrente empieza activo.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_recurring_expense(public.recurring_expenses, text, date, integer, date) is
  'Refuses a change of a recurring expense that has ended or was dismissed (PT409), and invalid values (PT422). The saved row is null for a new recurring expense.';

create function private.count_recurring_expense(customer uuid, is_new boolean) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if is_new then
    perform private.require_room('recurring expenses', (
      select count(*) from public.recurring_expenses r where r.user_id = customer and r.status in ('active', 'paused')
    ));
  end if;
  -- private.record_due_days writes the row of an active expense again.
  perform private.consume('rows written', customer::text, 2);
  if is_new then
    perform private.consume('recurring expense', customer::text);
  end if;
end
$$;
comment on function private.count_recurring_expense(uuid, boolean) is
  'Counts a recurring expense that a customer saves toward the limits, and refuses a new one beyond the cap.';

create function private.expected_from(saved public.recurring_expenses, wanted public.recurring_expenses, today date)
  returns date
  language sql immutable
  set search_path = ''
  return case
    when (saved.status, saved.next_due_on) is distinct from (wanted.status, wanted.next_due_on) then wanted.next_due_on
    when (saved.description, saved.amount, saved.rhythm) = (wanted.description, wanted.amount, wanted.rhythm)
      then saved.expected_from
    else greatest(saved.expected_from, today)
  end;
comment on function private.expected_from(public.recurring_expenses, public.recurring_expenses, date) is
  'Returns the day from which the payments of a changed recurring expense count as missing (public.recurring_expenses.expected_from). The saved row is null for a new recurring expense.';

create function public.save_recurring_expense(
  id uuid, description text, amount numeric, rhythm text, next_due_on date,
  category text default null, due_day integer default null, status text default 'active', is_automatic boolean default false
) returns public.recurring_expenses
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
  saved public.recurring_expenses;
  given public.recurring_expenses;
begin
  perform private.lock_open_account();
  select r.* into saved from public.recurring_expenses r
  where r.user_id = customer and r.id = save_recurring_expense.id for no key update;

  -- This is a retry after the first answer was lost.
  if saved.status in ('ended', 'dismissed') and saved.status = save_recurring_expense.status then
    return saved;
  end if;
  -- Also checks the range of due_day, because the loop below would never end with a due_day outside this range.
  perform private.refuse_recurring_expense(saved, status, save_recurring_expense.next_due_on, due_day, today);
  if rhythm in ('monthly', 'yearly') then
    due_day := coalesce(due_day, extract(day from save_recurring_expense.next_due_on));
  end if;
  -- Skips due days during a pause and due days before the customer made the expense automatic, because their payments
  -- must not be recorded.
  while (saved.status = 'paused' or save_recurring_expense.is_automatic and not saved.is_automatic)
    and save_recurring_expense.status = 'active' and save_recurring_expense.next_due_on < today
  loop
    next_due_on := private.next_due(rhythm, due_day, save_recurring_expense.next_due_on);
  end loop;

  perform private.count_recurring_expense(customer, saved.id is null);
  given := row(
    customer, id, description, amount, category, rhythm, due_day, next_due_on, null, is_automatic, status, clock_timestamp()
  )::public.recurring_expenses;
  given.expected_from := private.expected_from(saved, given, today);
  insert into public.recurring_expenses as r select given.*
  on conflict on constraint recurring_expenses_pkey do update set
    description = excluded.description, amount = excluded.amount, category = excluded.category,
    rhythm = excluded.rhythm, due_day = excluded.due_day, next_due_on = excluded.next_due_on,
    expected_from = excluded.expected_from, is_automatic = excluded.is_automatic, status = excluded.status
  returning r.* into saved;
  -- Records an automatic expense at once if it is due today.
  if saved.status = 'active' and private.record_due_days(saved, now(), private.limit_of('recurring expenses')) > 0 then
    select r.* into saved from public.recurring_expenses r where r.user_id = customer and r.id = saved.id;
  end if;
  return saved;
end
$$;
comment on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text, boolean) is
  'Adds a recurring expense for the caller, or replaces their recurring expense with the same id, and returns it. The first due day must be today or within a year. The payment of an automatic expense that is due today is recorded at once. When an expense is resumed after a pause, the due days during the pause are skipped. Raises PT409 for an expense that has ended or was dismissed, and for more than 100 active or paused expenses. Raises PT422 for an invalid date, and PT429 for more than 100 new expenses in 24 hours.';
grant execute on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text, boolean) to authenticated;

create function private.normalize_payee(description text) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return btrim(regexp_replace(private.folded(description), '[0-9[:punct:][:space:]]+', ' ', 'g'));
end
$$;
comment on function private.normalize_payee(text) is 'Returns the part that a payee''s descriptions have in common: the description in lower case without accents, digits and punctuation.';
grant execute on function private.normalize_payee(text) to authenticated;

create function private.regular_expenses() returns table (
  name text, description text, amount numeric, category text, last_on date, due_day integer, gap_min integer, gap_max integer
)
  language plpgsql stable
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  -- Written in PL/pgSQL, because it caches the query plan.
  return query
    with recent as (
      select t.id, t.date, t.description, t.amount, t.category from public.transactions t
      where t.user_id = me and t.type = 'expense' and t.recorded_by = 'customer'
        and t.date > now() - interval '3 years' and t.date < now()
      order by t.date desc, t.id desc limit 5000
    ),
    -- This subquery is materialized, because `name` is expensive to compute and used three times.
    named as materialized (
      select
        r.*,
        private.normalize_payee(r.description) as name,
        (r.date at time zone 'America/Bogota')::date as day
      from (select e.*, sum(octet_length(e.description)) over (order by e.date desc, e.id desc rows unbounded preceding) as octets from recent e) r
      -- Limits the length of the descriptions, as private.rule_matches does.
      where r.octets <= 1000000
    ),
    numbered as (
      select
        n.*,
        row_number() over latest as place,
        n.day - lead(n.day) over latest as gap
      from named n
      window latest as (partition by n.name order by n.date desc)
    )
    select
      n.name,
      (array_agg(n.description order by n.place))[1] as description,
      (array_agg(n.amount order by n.place))[1] as amount,
      (array_agg(n.category order by n.place))[1] as category,
      max(n.day) as last_on,
      case
        when bool_and(n.day = (date_trunc('month', n.day::timestamp) + interval '1 month - 1 day')::date) then 31
        else mode() within group (order by extract(day from n.day)::integer)
      end as due_day,
      -- Excludes the gap between the oldest of the four expenses and the expense before it.
      min(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_min,
      max(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_max
    from numbered n
    where n.place <= 4 and n.name <> ''
    group by n.name
    having count(*) >= 3 and max(n.amount) <= 1.15 * min(n.amount);
end
$$;
comment on function private.regular_expenses() is
  'Groups the last three or four expenses with the same normalized description, if their amounts differ by at most 15 %. Returns the latest description, amount and category, the day of the month, and the shortest and longest gap in days. Reads the latest 5,000 expenses that the caller recorded in the last three years, and at most a million bytes of their descriptions. Runs with the caller''s own rights.';
grant execute on function private.regular_expenses() to authenticated;

-- Returns json, because the generated types could not limit an attribute of a composite type to the values of the
-- column `rhythm`.
create function public.propose_recurring_expenses() returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
begin
  -- Written in PL/pgSQL, because it caches the query plan.
  return (
    with rhythmic as (
      select g.*, p.rhythm, p.days
      from private.regular_expenses() g
      join (values ('weekly', 7, 6, 8), ('biweekly', 14, 12, 16), ('monthly', 30, 26, 35), ('yearly', 365, 350, 380))
        as p (rhythm, days, gap_min, gap_max) on g.gap_min >= p.gap_min and g.gap_max <= p.gap_max
      where today - g.last_on <= 1.5 * p.days
    ),
    proposed as (
      select
        h.description, h.amount, h.category, h.rhythm,
        case when h.rhythm in ('monthly', 'yearly') then h.due_day end as due_day,
        (
          select min(d.day) from private.due_days(h.rhythm, h.due_day, h.last_on, h.since, h.since + 366) as d (day)
        ) as next_due_on,
        h.last_on
      from (
        -- Starts late enough to skip the due day that the last expense has paid, even if it was paid some days early.
        select g.*, greatest(today, g.last_on + g.days / 2 + 1) as since
        from rhythmic g
        -- PostgreSQL hashes the result of this subquery. A nested loop would normalize years of dismissed descriptions
        -- again for each candidate.
        where g.name not in (
          select private.normalize_payee(r.description)
          from (
            select k.description from public.recurring_expenses k where k.user_id = me order by k.created_at desc limit 1000
          ) r
        )
        order by g.amount desc, g.name
        limit 10
      ) h
      order by h.amount desc, h.name
    )
    select coalesce(json_agg(p), '[]') from proposed p
  );
end
$$;
comment on function public.propose_recurring_expenses() is
  'Proposes at most ten recurring expenses. Reads the latest 5,000 expenses that the caller recorded in the last three years, and at most a million bytes of their descriptions. Descriptions are compared ignoring case, accents, digits and punctuation. The last three or four expenses with the same description lead to a proposal if the gaps between them are regular and their amounts differ by at most 15 %. Gaps are regular if they all have 6 to 8 days, 12 to 16 days, 26 to 35 days or 350 to 380 days. Proposes nothing if the last expense is more than one and a half periods old. Also proposes nothing for a description that one of the latest 1,000 recurring expenses already has, even if that expense has ended or was dismissed. Runs with the caller''s own rights.';
grant execute on function public.propose_recurring_expenses() to authenticated;

-- supabase/schemas/planning/functions/sums.sql

-- Sums over time: spending by day, income and spending by month and category, and the balance at the end of each month.

-- These functions are written in PL/pgSQL, because it caches the query plan: for most customers, planning takes longer than
-- computing the sums. Each month and each day is read as a range of the index transactions_newest_first, so that no
-- row's date has to be converted. The dates of the first and last transaction limit the number of ranges.

create function private.sum_months(since date, until date, first_at timestamp, last_at timestamp) returns table (
  month timestamp, ends_at timestamptz, net numeric, parts json
)
  language plpgsql stable rows 24
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    with months as (
      select
        month,
        greatest(month, sum_months.since::timestamp) at time zone 'America/Bogota' as begins_at,
        least(month + interval '1 month', sum_months.until + interval '1 day') at time zone 'America/Bogota' as ends_at
      from generate_series(
        date_trunc('month', greatest(sum_months.first_at, sum_months.since::timestamp)),
        least(sum_months.last_at, sum_months.until::timestamp),
        interval '1 month'
      ) month
    )
    select m.month, m.ends_at, s.net, s.parts
    from months m
    cross join lateral (
      select
        coalesce(sum(case p.type when 'deposit' then p.amount else -p.amount end), 0) as net,
        coalesce(json_agg(p order by p.amount desc, p.type, p.category, p.recorded_by), '[]') as parts
      from (
        select t.type, t.category, t.recorded_by, sum(t.amount) as amount, count(*) as transactions
        from public.transactions t
        where t.user_id = me and not t.is_void and t.date >= m.begins_at and t.date < m.ends_at
        group by t.type, t.category, t.recorded_by
      ) p
    ) s;
end
$$;
comment on function private.sum_months(date, date, timestamp, timestamp) is
  'Sums the transactions in the caller''s list for each month in Bogotá, or for the part of the month in the period: all by type, category and recorded_by, and the net amount. The arguments `first_at` and `last_at` are the times of the first and of the last transaction in Bogotá. Runs with the caller''s own rights.';
grant execute on function private.sum_months(date, date, timestamp, timestamp) to authenticated;

create function private.sum_days(since date, until date, first_at timestamp, last_at timestamp)
  returns table (day timestamp, amount numeric)
  language plpgsql stable rows 31
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select day, s.amount
    from generate_series(
      date_trunc('day', greatest(sum_days.first_at, sum_days.since::timestamp)),
      least(sum_days.last_at, sum_days.until::timestamp),
      interval '1 day'
    ) day
    cross join lateral (
      select sum(t.amount) as amount from public.transactions t
      where t.user_id = me and t.type = 'expense'
        and not t.is_void
        and t.date >= day at time zone 'America/Bogota'
        and t.date < (day + interval '1 day') at time zone 'America/Bogota'
    ) s
    where sum_days.since is not null and s.amount is not null;
end
$$;
comment on function private.sum_days(date, date, timestamp, timestamp) is
  'Sums the expenses in the caller''s list for each day in Bogotá that has any. Returns no row if `since` is null. The arguments `first_at` and `last_at` are as for private.sum_months. Runs with the caller''s own rights.';
grant execute on function private.sum_days(date, date, timestamp, timestamp) to authenticated;

create function private.removed_postings() returns table (dated_at timestamptz, delta numeric)
  language plpgsql stable rows 10
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select j.dated_at, j.delta
    from public.journal_entries j
    where j.user_id = me and j.kind in ('deposit', 'expense') and j.transaction_id in (
      select r.transaction_id from public.journal_entries r
      where r.user_id = me and r.kind = 'removal' and not exists (
        select from public.transactions t where t.user_id = r.user_id and t.id = r.transaction_id
      )
    )
      -- The row that had the column is_void was deleted.
      and j.transaction_id not in (select v.transaction_id from private.void_at(me) v);
end
$$;
comment on function private.removed_postings() is
  'Returns the postings of the transactions that the caller removed from their list. These transactions still count in all balances from their date on. Runs with the caller''s own rights.';
grant execute on function private.removed_postings() to authenticated;

create function private.coming_payments(until date) returns json
  language sql stable
  set search_path = ''
as $$
  select json_build_object(
    'payments', count(*), 'amount', coalesce(sum(p.amount), 0),
    'recurs', exists (
      select from public.recurring_expenses e
      where e.user_id = (select auth.uid()) and e.status in ('active', 'paused')
    )
  )
  from public.expected_payments() p
  where p.transaction_id is null and p.due_on <= until
$$;
comment on function private.coming_payments(date) is
  'Returns the number and sum of the caller''s unsettled payments that are due by a day, and whether the caller has recurring expenses. Runs with the caller''s own rights.';
grant execute on function private.coming_payments(date) to authenticated;

-- Returns json, because the generated types could not limit attributes of a composite type to the values of the columns
-- `type` and `recorded_by`.
create function public.sum_transactions(
  since date default null, until date default null, daily_since date default null
) returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  last_day constant date := '9999-12-31';
  first_at timestamp;
  last_at timestamp;
begin
  -- Replaces days that cannot be converted to a timestamp, such as infinity, with the last day that can be converted.
  since := case when since > last_day then last_day else since end;
  until := case when until > last_day then last_day else until end;
  daily_since := case when daily_since > last_day then last_day else daily_since end;
  select min(t.date) at time zone 'America/Bogota', max(t.date) at time zone 'America/Bogota' into first_at, last_at
  from public.transactions t where t.user_id = me;
  return (
    with removed as materialized (select * from private.removed_postings()),
    now_held as (
      select b.monthly_limit, b.balance as held, b.noted, b.balance - coalesce((
        select sum(case t.type when 'deposit' then t.amount else -t.amount end)
        from public.transactions t
        where t.user_id = me
          and not t.is_void and t.date >= (until + interval '1 day') at time zone 'America/Bogota'
      ), 0) as balance
      from public.budgets b where b.user_id = me
    ),
    held as (
      select
        m.month, m.parts,
        n.balance - coalesce(sum(m.net) over (
          order by m.month desc rows between unbounded preceding and 1 preceding
        ), 0) - coalesce((select sum(r.delta) from removed r where r.dated_at >= m.ends_at), 0) as balance
      from private.sum_months(since, until, first_at, last_at) m, now_held n
    )
    select json_build_object(
      'balance', n.balance - coalesce((
        select sum(r.delta) from removed r
        where r.dated_at >= (until + interval '1 day') at time zone 'America/Bogota'
      ), 0),
      'held', n.held,
      'noted', n.noted,
      'monthly_limit', n.monthly_limit,
      'months', (
        select coalesce(json_agg(json_build_object(
          'month', to_char(h.month, 'YYYY-MM'), 'balance', h.balance, 'sums', h.parts
        ) order by h.month), '[]') from held h
      ),
      'days', (
        select coalesce(json_agg(json_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'spent', d.amount) order by d.day), '[]')
        from private.sum_days(daily_since, until, first_at, last_at) d
      ),
      'coming', private.coming_payments(until),
      'news', public.count_news()
    )
    from now_held n
  );
end
$$;
comment on function public.sum_transactions(date, date, date) is
  'Sums the transactions in the caller''s list for a period of days in Bogotá, whose first day is `since` and whose last day is `until`. If `since` or `until` is null, the period is open at that end. For each month, returns the sums by type, category and recorded_by, and the balance at the end of the month or period. For each day from daily_since on, returns the sum of the expenses. Void transactions are excluded from all sums. Balances are computed by the dates of the transactions. Separately returns the number and sum of the unsettled payments in public.expected_payments that are due by the end of the period, and whether the caller has recurring expenses. Also returns the caller''s balance now (`held`), the sum of their own notes (`noted`), their monthly limit, and the counts of public.count_news, so that the page needs no request of its own for them. Runs with the caller''s own rights.';
grant execute on function public.sum_transactions(date, date, date) to authenticated;

-- supabase/schemas/uploads/functions/lines.sql

-- Uploads: the common part of imports and batches. An upload is one call that sends
-- many lines under one id. An upload is refused or stored as a whole, and its lines count toward a 24-hour quota.

create function private.require_lines(body json, lines_max integer, size_message text, shape_message text) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if json_typeof(body) is distinct from 'array' or json_array_length(body) not between 1 and lines_max then
    raise exception using message = format(size_message, lines_max), errcode = 'PT413';
  end if;
  if exists (select from json_array_elements(body) as line where json_typeof(line) <> 'object') then
    raise exception using message = shape_message, errcode = 'PT422';
  end if;
  return sha256(convert_to(body::text, 'UTF8'));
end
$$;
comment on function private.require_lines(json, integer, text, text) is
  'Returns the SHA-256 of an upload in the form in which the client sent it. Refuses a body that is not an array of 1 to lines_max lines (PT413) or that has a line that is not an object (PT422). Hashes the text, because converting it to jsonb would expand the number 1e131071 to 131,072 digits.';

create function private.conditions_of(tables regclass[]) returns text
  language sql stable
  set search_path = ''
as $$
  select string_agg(
    format('when (%s) is false then %L', pg_get_expr(c.conbin, c.conrelid), obj_description(c.oid, 'pg_constraint')), ' '
  )
  from pg_catalog.pg_constraint c where c.conrelid = any (tables) and c.contype = 'c'
$$;
comment on function private.conditions_of(regclass[]) is
  'Returns the tables'' check constraints as branches of a CASE expression, which yields the message of the first violated constraint. An upload is therefore refused for the same reasons as a single row.';

create function private.refuse_faulty_lines(body json, checked_lines text, message text) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  faults_max constant integer := 100;
  faults jsonb;
begin
  execute format(
    $query$
      select jsonb_agg(jsonb_build_object('line', f.line, 'message', f.message) order by f.line)
      -- A column of a transaction that an upload does not contain is null in private.conditions_of.
      from (select (null::public.transactions).*) absent, lateral (%s) f where f.message is not null
    $query$, checked_lines
  ) into faults using body;
  if faults is not null then
    raise exception using message = format(message, jsonb_array_length(faults)), errcode = 'PT422',
      detail = jsonb_path_query_array(faults, format('$[0 to %s]', faults_max - 1)::jsonpath)::text;
  end if;
end
$$;
comment on function private.refuse_faulty_lines(json, text, text) is
  'Refuses an upload that has invalid lines (PT422). checked_lines is a query over the body ($1). For each line, the query returns the number, and an error message if the line is invalid. The error''s detail contains the numbers and messages of up to 100 invalid lines, as JSON.';

-- supabase/schemas/uploads/functions/imports.sql

-- Functions of imports.

create function private.forget_import_descriptions(gone ledger.deleted_transactions[]) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.import_lines l set description = null
  from unnest(gone) g where l.user_id = g.user_id and l.transaction_id = g.id
$$;
comment on function private.forget_import_descriptions(ledger.deleted_transactions[]) is
  'Deletes the descriptions of imported transactions that their owners can no longer restore. The date and amount stay because the journal also has them, and the reference stays because it is not free text.';

create function private.read_import(body json)
  returns table (line bigint, description text, amount numeric, date timestamptz, category text, reference text)
  language sql stable
  set search_path = ''
as $$
  with lines as materialized (
    select
      l.*,
      case when l.date ~ '^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' then
        make_date(left(l.date, 4)::integer, substr(l.date, 6, 2)::integer, 1) + right(l.date, 2)::integer - 1
      end as day
    from rows from (
      json_to_recordset(body) as (date text, description text, amount jsonb, category text, reference text)
    ) with ordinality as l (date, description, amount, category, reference, line)
  )
  select
    l.line,
    l.description,
    case jsonb_typeof(l.amount) when 'number' then l.amount::numeric end,
    -- The calculation of `day` above turns 31 April into 1 May. If the result differs from the text, the day does not
    -- exist, and the date is null.
    case
      when to_char(l.day, 'YYYY-MM-DD') = l.date and l.day <= (now() at time zone 'America/Bogota')::date
        then least((l.day + time '12:00') at time zone 'America/Bogota', now())
    end,
    l.category,
    l.reference
  from lines l
$$;
comment on function private.read_import(json) is
  'Returns the lines of an import as expenses. Each expense is dated at noon of its day in Bogotá, or now if that noon is in the future. A value that cannot be parsed is null.';

create function private.ascending_ids(count integer) returns table (place bigint, id uuid)
  language sql volatile
  set search_path = ''
as $$
  with drawn as materialized (select gen_random_uuid() as id from generate_series(1, count))
  select row_number() over (order by d.id), d.id from drawn d
$$;
comment on function private.ascending_ids(integer) is
  'Returns random ids in ascending order, each with its place, beginning with 1. The history and the statement order the transactions of one moment by id, so that rows with these ids keep their order on every device.';

create function private.refuse_import(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.date is null or i.date <= now() - interval '10 years' then 'La fecha debe ser un día entre hace diez años y hoy.'
        when i.description is null then 'Falta la descripción.'
        when i.amount is null then 'Falta el monto.'
        %s
      end as message
      from (select r.*, 'expense' as type, 'customer' as recorded_by, 'own' as origin, null::uuid as origin_id from private.read_import($1) r) i
    $query$, private.conditions_of('{public.transactions,public.import_lines}')
  ), 'Hay %s líneas que no se pueden importar. No se importó ninguna.');
end
$$;
comment on function private.refuse_import(json) is
  'Refuses an import unless every line is a valid expense (private.refuse_faulty_lines).';

create function public.import_transactions(id uuid, rows json) returns public.imports
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  hash constant bytea := private.require_lines(
    rows, 10000, 'Una importación tiene entre 1 y %s gastos.', 'Cada gasto es un objeto.'
  );
  imported public.imports;
begin
  -- A second call with the same id waits here for the first.
  perform private.lock_open_account();
  select i.* into imported from public.imports i where i.user_id = customer and i.id = import_transactions.id;
  if found then
    perform private.require_same_upload(imported.body_hash = hash, 'Esta importación ya se hizo con otros gastos.');
    return imported;
  end if;
  perform private.consume('imported line', customer::text, json_array_length(rows));
  -- Checks before the first row is written, because ten thousand refused rows would stay in the database files until
  -- the next vacuum.
  perform private.refuse_import(rows);
  perform ledger.require_own_balance(
    (select b.balance from public.budgets b where b.user_id = customer),
    (select -sum(r.amount) from json_to_recordset(rows) as r (amount numeric))
  );
  perform set_config('realtime.skip_table', 'transactions', true);
  with expenses as materialized (
    select r.*, i.id from private.read_import(rows) r
    join private.ascending_ids(json_array_length(rows)) i on i.place = r.line
  ), lines as (
    insert into public.import_lines (user_id, transaction_id, date, amount, description, reference)
    select
      customer, e.id, (e.date at time zone 'America/Bogota')::date, e.amount, e.description, e.reference
    from expenses e
  ), imports as (
    insert into public.imports (user_id, id, entries, amount, first_seq, body_hash)
    select
      customer, import_transactions.id, count(*), sum(e.amount),
      coalesce((select j.seq from ledger.journal j where j.user_id = customer order by j.seq desc limit 1), 0) + 1,
      hash
    from expenses e
  )
  insert into public.transactions (user_id, id, type, description, amount, date, category, origin, origin_id)
  select
    customer, e.id, 'expense', e.description, e.amount, e.date, e.category, 'import', import_transactions.id
  from expenses e;
  perform set_config('realtime.skip_table', '', true);
  select i.* into imported from public.imports i where i.user_id = customer and i.id = import_transactions.id;
  return imported;
end
$$;
comment on function public.import_transactions(uuid, json) is
  'Records up to 10,000 of the caller''s own expenses, either all or none, once for each id. The list begins with the oldest expense, and expenses of one day keep their order: [{"date": "2026-11-20", "description": "Café", "amount": 12.5, "category": "Comida", "reference": "A-17"}, …]. Returns the import, even if the same import was recorded before. Raises PT409 for an id that was used for other expenses, and PT413 for an empty list or too many lines. Raises PT422 for invalid lines, which its detail lists. Raises PT429 for more than 20,000 expenses in 24 hours, or 10,000 in an account''s first 24 hours, and FZ402 for the same reason as a single expense.';
grant execute on function public.import_transactions(uuid, json) to authenticated;

create function public.undo_import(id uuid) returns public.imports
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  imported public.imports;
  brought uuid[];
begin
  perform private.lock_account();
  select i.* into imported from public.imports i where i.user_id = customer and i.id = undo_import.id for no key update;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Esta importación no existe.' using errcode = 'PT404';
  end if;
  if imported.undone_at is not null then
    return imported;
  end if;
  brought := array(
    select j.transaction_id from ledger.journal j
    where j.user_id = customer and j.seq >= imported.first_seq and j.seq < imported.first_seq + imported.entries
  );
  perform set_config('realtime.skip_table', 'transactions', true);
  delete from public.import_lines l where l.user_id = customer and l.transaction_id = any (brought);
  delete from public.transactions t where t.user_id = customer and t.id = any (brought);
  perform set_config('realtime.skip_table', '', true);
  update public.imports i set undone_at = clock_timestamp()
  where i.user_id = customer and i.id = undo_import.id
  returning * into imported;
  return imported;
end
$$;
comment on function public.undo_import(uuid) is
  'Deletes the remaining transactions of one of the caller''s imports and returns the import. A repeated call changes nothing. The undo has no time limit, because a customer may delete individual expenses at any time. Raises PT404 for an unknown import.';
grant execute on function public.undo_import(uuid) to authenticated;

-- supabase/schemas/uploads/functions/batches.sql

-- Functions of batches: storing the lines, posting them in pieces, and reversing them in pieces.

create function private.is_unclaimed(person auth.users) returns boolean
  language sql stable
  set search_path = ''
as $$
  select person.email_confirmed_at is null and person.last_sign_in_at is null
    and person.raw_app_meta_data ->> 'role' is distinct from 'admin' and private.verified_name_of(person.id) is null
    and not exists (select from ledger.journal j where j.user_id = person.id)
    and not exists (select from public.batch_lines l where l.user_id = person.id)
$$;
comment on function private.is_unclaimed(auth.users) is
  'Returns whether a person signed up but never confirmed the address. Any stranger can sign up with any address, so that this account does not hold the address (docs/decisions/0022).';

create function public.find_customers(names text[]) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  names_max constant integer := 10000;
begin
  perform private.require_admin();
  if cardinality(names) > names_max then
    raise exception 'Se buscan hasta % clientes a la vez.', names_max using errcode = 'PT413';
  end if;
  return (
    with named as materialized (
      select distinct name, lower(btrim(name)) as folded from unnest(names) as name
    ), found as (
      select n.name, u.id from named n join auth.users u on u.email = n.folded
      union all
      select n.name, u.id from named n
      join auth.users u on u.id = case when n.folded ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then n.folded::uuid end
    )
    select coalesce(json_agg(json_build_object(
      'name', f.name, 'id', u.id, 'email', u.email, 'full_name', p.full_name,
      'is_blocked', u.banned_until is not null and u.banned_until > now(), 'is_unclaimed', private.is_unclaimed(u)
    )), '[]')
    from found f
    join auth.users u on u.id = f.id
    join public.profiles p on p.id = f.id
  );
end
$$;
comment on function public.find_customers(text[]) is
  'Returns the customers with the given e-mail addresses or ids, and whether each customer is blocked, or is an account that was never confirmed and does not hold its address. Omits unknown addresses and ids. For administrators only. Raises PT413 for more than 10,000 addresses and ids. Reads at most 10,000 customers.';
grant execute on function public.find_customers(text[]) to authenticated;

create function private.read_batch(body json)
  returns table (line integer, user_id uuid, amount numeric, description text)
  language sql stable
  set search_path = ''
as $$
  select
    case when l.line ~ '^\d{1,9}$' then l.line::integer end,
    case when l.user_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.user_id::uuid end,
    case jsonb_typeof(l.amount) when 'number' then l.amount::numeric end,
    l.description
  from json_to_recordset(body) as l (line text, user_id text, amount jsonb, description text)
$$;
comment on function private.read_batch(json) is 'Returns the lines of a batch as the client sent them. A value that cannot be parsed is null.';

create function private.refuse_batch(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.line is null or i.line < 1 then 'Falta el número de la línea.'
        when count(*) over (partition by i.line) > 1 then 'El número de la línea está repetido.'
        when not exists (select from public.budgets b where b.user_id = i.user_id) then 'El cliente no existe.'
        when i.description is null then 'Falta la descripción.'
        when i.amount is null then 'Falta el monto.'
        when i.user_id = (select auth.uid()) and private.refuses_self_dealing()
          then 'El banco no permite registrar movimientos en la propia cuenta.'
        %s
      end as message
      from (
        select
          r.*, 'deposit' as type, 'bank' as recorded_by, 'batch' as origin, '00000000-0000-0000-0000-000000000000'::uuid as origin_id,
          'Deposito' as category
        from private.read_batch($1) r
      ) i
    $query$, private.conditions_of('{public.transactions}')
  ), 'Hay %s líneas que no se pueden abonar. No se abonó ninguna.');
end
$$;
comment on function private.refuse_batch(json) is
  'Refuses a batch unless every line is a valid deposit for a customer of the bank (private.refuse_faulty_lines).';

create function private.audit_batch(
  action text, batch uuid, status text, request public.requests default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := coalesce(request.asked_by, (select auth.uid()));
  entry bigint;
begin
  entry := private.record_audit(action, null, null, (
    select jsonb_strip_nulls(jsonb_build_object(
      'id', batch, 'lines', count(*), 'amount', to_char(coalesce(sum(l.amount), 0), 'FM999999999999999990.00'),
      'sha256', case action when 'register_batch' then (select encode(b.body_hash, 'hex') from public.batches b where b.id = batch) end,
      'accounts', nullif((select count(*) from public.new_accounts n where n.batch_id = batch), 0)
    ))
    from public.batch_lines l where l.batch_id = batch and l.status = audit_batch.status
  ) || coalesce(private.approved_by(request), '{}'), request.asked_by);
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, coalesce(l.user_id, n.user_id), count(*), sum(l.amount)
  from public.batch_lines l left join public.new_accounts n on n.batch_id = l.batch_id and n.line = l.line
  where l.batch_id = batch and l.status = audit_batch.status and coalesce(l.user_id, n.user_id) is not null
  group by coalesce(l.user_id, n.user_id);
  perform private.tell_staff(
    action, jsonb_build_object('amount', to_char(sum(l.amount), 'FM999999999999999990.00')), caller,
    private.name_of(caller), request.asked_by
  )
  from public.batch_lines l left join public.new_accounts n on n.batch_id = l.batch_id and n.line = l.line
  where l.batch_id = batch and l.status = audit_batch.status and coalesce(l.user_id, n.user_id) = caller
  having count(*) > 0;
end
$$;
comment on function private.audit_batch(text, uuid, text, public.requests) is
  'Records an action on a batch in the audit. The action covers the lines with the given status, and the audit stores the sum for each person. For an approved batch, the request names both administrators. Tells every administrator if one of these lines is for the caller''s own account.';

create function private.earlier_batch(id uuid, hash bytea) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  sender constant uuid := (select auth.uid());
  ordered public.batches;
begin
  -- A second call with this id, or another batch from this administrator, waits here for the first call.
  perform pg_advisory_xact_lock(hashtext('finanzas.batches'), hashtext(sender::text));
  select b.* into ordered from public.batches b where b.id = earlier_batch.id;
  if found then
    perform private.require_same_upload(
      ordered.body_hash = hash and ordered.sent_by = sender, 'Este lote ya se envió con otros abonos.'
    );
  end if;
  return ordered;
end
$$;
comment on function private.earlier_batch(uuid, bytea) is
  'Returns the batch that the caller ordered before with this id and this hash, or a row of nulls. Raises PT409 for an id that was used for other lines. Other calls in which this administrator orders a batch wait until the database transaction ends.';

create function private.place_batch(sheet public.batches) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  placed public.batches := sheet;
begin
  perform private.require_proof_of(placed.amount);
  placed.is_held := private.needs_approval(placed.amount);
  placed.sent_by := (select auth.uid());
  placed.posted_by := placed.sent_by;
  insert into public.batches (
    id, title, sent_by, sent_by_name, posted_by, lines, amount, is_held, opens_accounts, body_hash
  )
  select
    placed.id, placed.title, placed.sent_by, (select p.full_name from public.profiles p where p.id = placed.sent_by),
    placed.posted_by, placed.lines, placed.amount, placed.is_held, coalesce(placed.opens_accounts, false), placed.body_hash
  returning * into placed;
  return placed;
end
$$;
comment on function private.place_batch(public.batches) is
  'Stores the id, title, number of lines, sum and hash of a batch that the caller orders. If the sum exceeds the bank''s limit, the batch waits for the decision of another administrator. Raises the errors of private.require_proof_of.';

create function private.announce_batch(placed public.batches) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  entry.kind := 'register_batch';
  entry.thing := placed.id;
  entry.amount := placed.amount;
  entry.counts := true;
  if placed.is_held then
    entry.request_id := private.request_approval('batch', placed.id, null, placed.amount, jsonb_build_object(
      'title', placed.title, 'lines', placed.lines,
      'accounts', case when placed.opens_accounts then placed.lines end
    ));
  end if;
  perform private.enter(entry);
end
$$;
comment on function private.announce_batch(public.batches) is
  'Enters a batch in the book, and requests another administrator''s decision for a held batch. The calling function must store the lines of the batch first.';

create function public.create_batch(id uuid, title text, lines json) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  sheet public.batches;
begin
  perform private.require_admin();
  sheet.id := create_batch.id;
  sheet.title := create_batch.title;
  sheet.body_hash := private.require_lines(lines, 10000, 'Un lote tiene entre 1 y %s abonos.', 'Cada abono es un objeto.');
  ordered := private.earlier_batch(sheet.id, sheet.body_hash);
  if ordered.id is not null then
    return ordered;
  end if;
  perform private.consume('batch line', (select auth.uid())::text, json_array_length(lines));
  perform private.refuse_batch(lines);
  select count(*), sum(l.amount) into sheet.lines, sheet.amount from private.read_batch(create_batch.lines) l;
  ordered := private.place_batch(sheet);
  insert into public.batch_lines (batch_id, line, user_id, amount, description)
  select ordered.id, l.line, l.user_id, l.amount, l.description from private.read_batch(create_batch.lines) l;
  perform private.announce_batch(ordered);
  return ordered;
end
$$;
comment on function public.create_batch(uuid, text, json) is
  'Orders up to 10,000 deposits, either all or none, once for each id: [{"line": 2, "user_id": "…", "amount": 12.5, "description": "Nómina"}, …]. For administrators only. Adds one audit entry. private.post_batch_piece posts the deposits later. If the sum of the deposits exceeds the bank''s limit, the batch is held until another administrator approves it. Returns the batch, even if the same batch was ordered before. Raises PT409 for an id that was used for other deposits, and PT413 for an empty list or too many lines. Raises PT422 for invalid lines, which its detail lists. Raises PT429 for more than 50,000 lines in 24 hours. Also raises the errors of private.require_proof_of for the sum. Reads at most 10,000 lines, which the server posts in pieces of 100.';
grant execute on function public.create_batch(uuid, text, json) to authenticated;

create function private.open_accounts(batch uuid, chosen integer[]) returns table (line integer, user_id uuid)
  language plpgsql security definer
  set search_path = ''
as $$
declare
  opened record;
  metadata jsonb;
  clerks constant uuid[] := array(
    select unnest(array[b.sent_by, b.posted_by]) from public.batches b where b.id = open_accounts.batch
  );
  taken uuid;
begin
  for opened in
    delete from public.new_accounts n where n.batch_id = batch and n.line = any (chosen) returning n.*
  loop
    -- A reserved name is accepted as a verified name only, and not as the name that the customer can change.
    metadata := case
      when private.is_reserved(private.words_of(opened.full_name)) then '{}' else jsonb_build_object('full_name', opened.full_name)
    end;
    -- A stranger may have signed up with the address. The bank takes this account over, as for an invitation
    -- (docs/decisions/0022): the stranger's password is removed, and only the mailbox can open the account.
    update auth.users u
    set encrypted_password = case when private.is_hosted() then '' end, raw_user_meta_data = metadata, updated_at = now()
    where u.email = opened.email and private.is_unclaimed(u)
    returning u.id into taken;
    if taken is not null then
      opened.user_id := taken;
    -- The account has no password and no confirmed address. Only a link that is mailed to the address gives access.
    elsif private.is_hosted() then
      -- The authentication service of a hosted project expects these columns.
      insert into auth.users (
        instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, created_at,
        updated_at, confirmation_token, recovery_token, email_change_token_new, email_change
      ) values (
        '00000000-0000-0000-0000-000000000000', opened.user_id, 'authenticated', 'authenticated', opened.email, '',
        '{"provider": "email", "providers": ["email"]}', metadata, now(), now(), '', '', '', ''
      );
    else
      insert into auth.users (id, email, raw_user_meta_data) values (opened.user_id, opened.email, metadata);
    end if;
    insert into auth.identities (
      id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at
    )
    select
      gen_random_uuid(), opened.user_id, 'email', opened.user_id::text, metadata || jsonb_build_object(
        'sub', opened.user_id, 'email', opened.email, 'email_verified', false, 'phone_verified', false
      ), now(), now(), now()
    where taken is null;
    update public.account_holders h
    set full_name = case when opened.document_number is not null then opened.full_name end,
      document_kind = opened.document_kind, document_number = opened.document_number, phone = opened.phone
    where h.user_id = opened.user_id;
    perform private.show_name(opened.user_id);
    perform private.record_access_act('open', opened.user_id, c) from unnest(clerks) c;
    line := opened.line;
    user_id := opened.user_id;
    return next;
  end loop;
end
$$;
comment on function private.open_accounts(uuid, integer[]) is
  'Opens the accounts of these lines of a batch and returns their users. Takes over an account whose address was never confirmed. The accounts have no password. Their customers cannot sign in before they follow a link that was mailed to the address. Raises 23505 if an address or a document has been taken since the batch was ordered. Called only by private.post_batch_lines.';

-- Selects the lines by a range, which uses the index batch_lines_waiting. With a list of line numbers, the plan would
-- filter all waiting lines. With a self-join, the plan would take quadratic time until the table is analyzed.
create function private.post_batch_lines(batch uuid, first_line integer, last_line integer) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set user_id = o.user_id, invitation = 'waiting'
  from private.open_accounts(batch, array(
    select n.line from public.new_accounts n join public.batch_lines w on w.batch_id = n.batch_id and w.line = n.line
    where n.batch_id = batch and n.line between first_line and last_line and w.status = 'waiting'
  )) o
  where l.batch_id = batch and l.line = o.line;
  -- Locks the customers and their budgets before the lines, in the same order as the deletion of a customer.
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
  )
  select
    l.user_id, l.transaction_id, 'deposit', l.amount, l.description, now(), 'Deposito', 'bank', 'batch', l.batch_id
  from public.batch_lines l join public.batches b on b.id = l.batch_id
  where l.batch_id = batch and l.line between first_line and last_line and l.status = 'waiting' and l.user_id is not null
    and l.amount > 0
    and not (l.user_id = b.sent_by and private.refuses_self_dealing());
  update public.batch_lines l set (status, fault) = (
    select case when r.fault is null then 'posted' else 'failed' end, r.fault
    from (
      select case
        when l.user_id is null then 'El cliente ya no tiene una cuenta.'
        -- The bank may have forbidden self-dealing after the batch was ordered.
        when l.user_id = b.sent_by and private.refuses_self_dealing()
          then 'El banco no permite registrar movimientos en la propia cuenta.'
      end as fault
      from public.batches b where b.id = batch
    ) r
  )
  where l.batch_id = batch and l.line between first_line and last_line and l.status = 'waiting';
$$;
comment on function private.post_batch_lines(uuid, integer, integer) is
  'Posts a batch''s waiting lines between two line numbers, either all or none. First opens the accounts of these lines, if the batch opens accounts. A line fails if its customer was deleted. If the bank refuses self-dealing, a line that pays the administrator who ordered the batch also fails. Called only while private.post_batch_piece holds the batch''s lock.';

create function private.reverse_batch_line(batch uuid, chosen integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  taken public.batch_lines;
  mistake public.transactions;
  correction public.corrections;
  reason_kept text;
begin
  select b.* into ordered from public.batches b where b.id = batch;
  select l.* into taken from public.batch_lines l where l.batch_id = batch and l.line = chosen;
  if taken.user_id is null then
    reason_kept := 'El cliente ya no tiene una cuenta.';
  -- The bank may have forbidden self-dealing after the batch was ordered.
  elsif taken.user_id = ordered.reversed_by and private.refuses_self_dealing() then
    reason_kept := 'El banco no permite registrar movimientos en la propia cuenta.';
  -- A new account without an opening balance has no deposit to correct.
  elsif taken.amount > 0 then
    select t.* into mistake from public.transactions t where t.user_id = taken.user_id and t.id = taken.transaction_id;
    -- If the customer removed the deposit from their list, the row and its description no longer exist.
    mistake.type := 'deposit';
    mistake.amount := taken.amount;
    correction.user_id := taken.user_id;
    correction.id := gen_random_uuid();
    -- A deposit whose correction was itself corrected is valid again. A transaction can be corrected only once, so the
    -- reversal corrects the last of these corrections instead of the deposit.
    correction.corrected_id := coalesce((
      select c.id from public.corrections c
      where c.user_id = taken.user_id and c.mistake_id = taken.transaction_id and not c.makes_void and not exists (
        select from public.corrections n where n.user_id = c.user_id and n.corrected_id = c.id
      )
    ), taken.transaction_id);
    correction.reason := ordered.reason;
    correction.corrected_by := ordered.reversed_by_name;
    -- If the same deposit is being corrected individually, waits here for that correction.
    if not private.correct(correction, mistake, 'correction', batch) then
      reason_kept := 'Este abono ya se había corregido.';
    end if;
  end if;
  update public.batch_lines l
  set status = case when reason_kept is null then 'reversed' else 'posted' end, fault = reason_kept
  where l.batch_id = batch and l.line = chosen;
end
$$;
comment on function private.reverse_batch_line(uuid, integer) is
  'Reverses a posted line of a batch as public.correct_transaction would, or leaves the line posted and stores the reason in the column fault. Posts nothing for a new account without an opening balance. Leaves a line posted if its customer was deleted or if the deposit is void because it was already corrected. Also leaves a line posted if it is for the administrator who ordered the reversal and the bank refuses self-dealing. Called only by private.post_batch_line.';

create function private.post_batch_line(batch uuid, chosen integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  violated text;
  said text;
begin
  if exists (select from public.batch_lines l where l.batch_id = batch and l.line = chosen and l.status = 'reversing') then
    perform private.reverse_batch_line(batch, chosen);
  else
    perform private.post_batch_lines(batch, chosen, chosen);
  end if;
-- These errors mean that the line itself is refused. Any other error, such as a deadlock or a full disk, affects only
-- this attempt, and the piece is tried again.
exception when integrity_constraint_violation or sqlstate 'PT404' then
  get stacked diagnostics violated = constraint_name, said = message_text;
  update public.batch_lines l set
    status = case l.status when 'reversing' then 'posted' else 'failed' end,
    fault = coalesce((
      select obj_description(c.oid, 'pg_constraint') from pg_catalog.pg_constraint c
      where c.conname = violated and c.connamespace = 'public'::regnamespace
    ), case sqlstate
      when '23503' then 'El cliente ya no tiene una cuenta.'
      when '23505' then case when violated like 'users_email%' then 'Ya hay un usuario con este email.' else 'El cliente ya tiene un movimiento con este identificador.' end
      else said
    end)
  where l.batch_id = batch and l.line = chosen;
end
$$;
comment on function private.post_batch_line(uuid, integer) is
  'Posts or reverses one line of a batch. If that is not possible, stores the reason in the column fault. Called only by private.post_batch_piece, which holds the batch''s lock.';

create function private.count_piece(ordered public.batches, first_line integer, last_line integer, taken integer)
  returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batches b set
    posted = b.posted + done.posted,
    posted_amount = b.posted_amount + done.posted_amount,
    failed = b.failed + done.failed,
    reversed = b.reversed + done.reversed,
    reversed_amount = b.reversed_amount + done.reversed_amount,
    kept = b.kept + taken - done.posted - done.failed - done.reversed,
    finished_at = case when not exists (
      select from public.batch_lines w where w.batch_id = b.id and w.status in ('waiting', 'reversing')
    ) then clock_timestamp() end
  from (
    select
      count(*) filter (where l.status = 'posted') as posted,
      coalesce(sum(l.amount) filter (where l.status = 'posted'), 0) as posted_amount,
      count(*) filter (where l.status = 'failed') as failed,
      count(*) filter (where l.status = 'reversed') as reversed,
      coalesce(sum(l.amount) filter (where l.status = 'reversed'), 0) as reversed_amount
    from public.batch_lines l
    where l.batch_id = ordered.id and l.line between first_line and last_line
      -- In a reversed batch, counts only the reversed lines, because the posted and failed lines between them were
      -- counted before.
      and (ordered.reversed_at is null or l.status = 'reversed')
  ) done
  where b.id = ordered.id;
$$;
comment on function private.count_piece(public.batches, integer, integer, integer) is
  'Adds the lines of a piece to the progress of their batch. `taken` is the number of lines that waited when the piece began. Called only by private.post_batch_piece.';

create function private.post_batch_piece(lines_max integer) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  first_line integer;
  last_line integer;
  taken integer;
  is_posted boolean := false;
  each integer;
begin
  -- Chooses the batch with the fewest processed lines, so that all batches make progress. Skips batches that another
  -- server is posting.
  select b.* into ordered from public.batches b
  where b.finished_at is null and b.stopped_at is null and not b.is_held
  order by case when b.reversed_at is null then b.posted + b.failed else b.reversed + b.kept end, b.created_at limit 1
  for no key update skip locked;
  if not found then
    return false;
  end if;
  if not private.may_administer(ordered.posted_by) then
    update public.batches b set stopped_at = clock_timestamp() where b.id = ordered.id;
    perform private.record_audit('stop_batch', null, null, jsonb_build_object('id', ordered.id));
    return true;
  end if;
  select min(piece.line), max(piece.line), count(*) into first_line, last_line, taken
  from (
    select l.line from public.batch_lines l where l.batch_id = ordered.id and l.status in ('waiting', 'reversing')
    -- The piece is smaller if a line takes several statements.
    order by l.line limit greatest(case
      when ordered.reversed_at is not null then lines_max / 4
      when ordered.opens_accounts then lines_max / 10
      else lines_max
    end, 1)
  ) piece;
  if ordered.reversed_at is null then
    begin
      perform private.post_batch_lines(ordered.id, first_line, last_line);
      is_posted := true;
    exception when integrity_constraint_violation or sqlstate 'PT404' then
      null;
    end;
  end if;
  if not is_posted then
    -- The lines are sorted by customer, because every piece locks its customers in this order.
    for each in
      select l.line from public.batch_lines l
      where l.batch_id = ordered.id and l.line between first_line and last_line and l.status in ('waiting', 'reversing')
      order by l.user_id, l.line
    loop
      perform private.post_batch_line(ordered.id, each);
    end loop;
  end if;
  perform private.count_piece(ordered, first_line, last_line, taken);
  return true;
end
$$;
comment on function private.post_batch_piece(integer) is
  'Posts the next lines of one batch as deposits by the bank, or reverses the next lines of a reversed batch. Returns false if no batch is waiting. Even with concurrent calls, each line is posted or reversed only once. If a line cannot be posted, stores the reason in the column fault and posts the other lines. Stops the batch if the person on whose behalf it is posted is no longer an administrator.';
grant execute on function private.post_batch_piece(integer) to service_role;

create function private.lock_batch(id uuid) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
begin
  perform private.require_admin();
  -- Waits until the current piece has been posted and a concurrent reversal has ended.
  select b.* into ordered from public.batches b where b.id = lock_batch.id for no key update;
  if not found then
    raise exception 'Este lote no existe.' using errcode = 'PT404';
  end if;
  if ordered.is_held then
    raise exception 'Este lote espera a otro administrador.' using errcode = 'PT409';
  end if;
  return ordered;
end
$$;
comment on function private.lock_batch(uuid) is
  'Locks and returns a batch that an administrator wants to change. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator.';

create function private.hold_batch(id uuid, is_stopped boolean) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches := private.lock_batch(id);
begin
  if ordered.finished_at is not null or (ordered.stopped_at is not null) = is_stopped then
    return ordered;
  end if;
  update public.batches b set
    stopped_at = case when is_stopped then clock_timestamp() end,
    posted_by = case when is_stopped then b.posted_by else (select auth.uid()) end
  where b.id = ordered.id
  returning b.* into ordered;
  perform private.record_audit(
    case when is_stopped then 'stop_batch' else 'continue_batch' end, null, null, jsonb_build_object('id', ordered.id)
  );
  return ordered;
end
$$;
comment on function private.hold_batch(uuid, boolean) is 'Stops or continues a batch for an administrator, and returns it. Does nothing if the batch is already in the requested state or has finished.';

create function public.stop_batch(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
  return private.hold_batch(id, true);
comment on function public.stop_batch(uuid) is
  'Stops a batch once the current piece has been posted, and returns the batch. Any administrator may stop a batch, and the audit records the stop. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator. Reads at most one batch.';
grant execute on function public.stop_batch(uuid) to authenticated;

create function public.continue_batch(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
  return private.hold_batch(id, false);
comment on function public.continue_batch(uuid) is
  'Continues a stopped batch on behalf of the caller, and returns the batch. Any administrator may continue a batch, and the audit records the continuation. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator. Reads at most one batch.';
grant execute on function public.continue_batch(uuid) to authenticated;

-- supabase/schemas/uploads/functions/customers.sql

-- Customers: staff open many accounts with one file, and correct the data of an account holder. A file of new customers
-- is stored as a batch, and the amounts of its lines are the opening balances (docs/decisions/0075).

create function private.read_customers(body json)
  returns table (
    line integer, full_name text, email text, document_kind text, document_number text, phone text, amount numeric
  )
  language sql stable
  set search_path = ''
as $$
  select
    case when l.line ~ '^\d{1,9}$' then l.line::integer end,
    case when char_length(l.full_name) <= 120 then private.sanitize_name(l.full_name) end,
    l.email, l.document_kind, l.document_number, l.phone,
    case coalesce(jsonb_typeof(l.amount), 'null') when 'number' then l.amount::numeric when 'null' then 0 end
  from json_to_recordset(body) as l (
    line text, full_name text, email text, document_kind text, document_number text, phone text, amount jsonb
  )
$$;
comment on function private.read_customers(json) is
  'Returns the lines of a file of customers as the client sent them. A value that cannot be parsed is null, and a missing amount is zero.';

create function private.refuse_customers(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.line is null or i.line < 1 then 'Falta el número de la línea.'
        when count(*) over (partition by i.line) > 1 then 'El número de la línea está repetido.'
        when i.full_name is null then 'Falta el nombre, o pasa de 120 caracteres.'
        when i.document_number is null and private.is_reserved(private.words_of(i.full_name))
          then 'El nombre está reservado para el banco. Con el documento del cliente se puede usar.'
        when private.is_email(i.email) is not true then 'El email no es válido.'
        when count(*) over (partition by i.email) > 1 then 'El email está repetido en el archivo.'
        when exists (select from auth.users u where u.email = i.email and not private.is_unclaimed(u)) then 'Ya hay un usuario con este email.'
        when i.document_number is not null
          and count(*) over (partition by i.document_kind, i.document_number) > 1
          then 'El documento está repetido en el archivo.'
        when exists (
          select from public.account_holders h
          where h.document_kind = i.document_kind and h.document_number = i.document_number
        ) then 'Ya hay un cliente con este documento.'
        when i.amount is null then 'El saldo inicial no es un monto.'
        %s
      end as message
      from (
        select r.*, d.account_number, nullif(r.amount, 0) as amount_or_null
        from private.read_customers($1) r
        cross join (select null::text as account_number) d
      ) i
      cross join lateral (
        select
          'deposit' as type, 'bank' as recorded_by, 'batch' as origin, '00000000-0000-0000-0000-000000000000'::uuid as origin_id,
          'Deposito' as category, 'Saldo inicial' as description
      ) t
    $query$,
    private.conditions_of('{public.account_holders}')
      -- An opening balance of zero is not a transaction.
      || replace(' ' || private.conditions_of('{public.transactions}'), 'when (', 'when i.amount <> 0 and (')
  ), 'Hay %s líneas con las que no se puede abrir una cuenta. No se abrió ninguna.');
end
$$;
comment on function private.refuse_customers(json) is
  'Refuses a file of customers unless each line describes an account that can be opened (private.refuse_faulty_lines).';

create function public.create_customers(id uuid, title text, lines json) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  sheet public.batches;
begin
  perform private.require_admin();
  sheet.id := create_customers.id;
  sheet.title := create_customers.title;
  sheet.opens_accounts := true;
  sheet.body_hash := private.require_lines(lines, 10000, 'Un archivo tiene entre 1 y %s clientes.', 'Cada cliente es un objeto.');
  ordered := private.earlier_batch(sheet.id, sheet.body_hash);
  if ordered.id is not null then
    return ordered;
  end if;
  -- The bank later mails a sign-in link for each account to an address that the caller chose.
  perform private.require_proof();
  perform private.consume('batch line', (select auth.uid())::text, json_array_length(lines));
  perform private.refuse_customers(lines);
  select count(*), coalesce(sum(r.amount), 0) into sheet.lines, sheet.amount
  from json_to_recordset(create_customers.lines) as r (amount numeric);
  ordered := private.place_batch(sheet);
  with read_lines as materialized (
    select r.* from private.read_customers(create_customers.lines) r
  ), stored as (
    insert into public.batch_lines (batch_id, line, amount, description)
    select ordered.id, r.line, r.amount, 'Saldo inicial' from read_lines r
  )
  insert into public.new_accounts (batch_id, line, full_name, email, document_kind, document_number, phone)
  select ordered.id, r.line, r.full_name, r.email, r.document_kind, r.document_number, r.phone from read_lines r;
  perform private.announce_batch(ordered);
  return ordered;
end
$$;
comment on function public.create_customers(uuid, text, json) is
  'Orders up to 10,000 new accounts as one batch, either all or none, once for each id: [{"line": 2, "full_name": "…", "email": "…", "document_kind": "CC", "document_number": "…", "phone": "+57…", "amount": 12.5}, …]. The document, the telephone and the amount are optional. private.post_batch_piece opens the accounts later, and deposits each amount as the opening balance. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). If the sum exceeds the bank''s limit, the whole batch is held until another administrator approves it. Raises the errors of public.create_batch. Reads at most 10,000 lines, for which the server opens accounts in pieces of 10.';
grant execute on function public.create_customers(uuid, text, json) to authenticated;

create type public.failed_account as (
  line integer, amount numeric, full_name text, email text, document_kind text, document_number text, phone text
);
comment on type public.failed_account is 'A line of a file of customers whose account could not be opened.';
comment on column public.failed_account.line is 'Number of the line in the file.';
comment on column public.failed_account.amount is 'The opening balance in units of currency.';
comment on column public.failed_account.full_name is 'As in new_accounts.';
comment on column public.failed_account.email is 'As in new_accounts.';
comment on column public.failed_account.document_kind is 'As in new_accounts.';
comment on column public.failed_account.document_number is 'As in new_accounts.';
comment on column public.failed_account.phone is 'As in new_accounts.';

create function public.read_failed_accounts(id uuid, after_line integer default 0) returns setof public.failed_account
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select n.line, l.amount, n.full_name, n.email, n.document_kind, n.document_number, n.phone
    from public.new_accounts n join public.batch_lines l on l.batch_id = n.batch_id and l.line = n.line
    where n.batch_id = read_failed_accounts.id and n.line > after_line and l.status = 'failed'
    order by n.line limit 1000;
  if found then
    perform private.record_audit(
      'read_failed_accounts', null, null, jsonb_build_object('id', read_failed_accounts.id)
    );
  end if;
end
$$;
comment on function public.read_failed_accounts(uuid, integer) is
  'Returns up to 1,000 failed lines that follow the given line, with the documents and telephones, so that staff can correct them. A line has failed if its account could not be opened. For administrators only. Adds an audit entry if at least one line is returned. Reads at most 1,000 lines of one batch.';
grant execute on function public.read_failed_accounts(uuid, integer) to authenticated;

-- supabase/schemas/uploads/functions/invitations.sql

-- Invitations: the customers of a batch that opened accounts are invited by mail, a few at a time, so that no mail server
-- sees a flood (docs/decisions/0075). The server sends the mails, because only the server can make a link.

create function private.pace_invitations(id uuid, is_inviting boolean) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the lifetime of the link (server/people/staff-access.ts).
  link_life constant interval := interval '7 days';
  batch public.batches;
begin
  perform private.require_admin();
  -- A hosted project sends all mails itself, and has no mail queue that could limit the rate (docs/hosted.md).
  if private.is_hosted() then
    raise exception 'Este banco no envía invitaciones. Cada cliente entra con «¿Olvidaste tu contraseña?».'
      using errcode = 'PT409';
  end if;
  select b.* into batch from public.batches b where b.id = pace_invitations.id and b.opens_accounts for no key update;
  if not found then
    raise exception 'Este lote no existe.' using errcode = 'PT404';
  end if;
  if is_inviting then
    perform private.require_proof();
    update public.batch_lines l set invitation = 'waiting'
    from auth.users u
    where l.batch_id = batch.id
      and (l.invitation = 'refused' or (l.invitation = 'sent' and l.invited_at < now() - link_life))
      and u.id = l.user_id and u.email_confirmed_at is null;
  end if;
  -- An administrator who takes over the invitations is responsible for them from now on.
  if (batch.invites_since is not null) <> is_inviting or (is_inviting and batch.invited_by <> (select auth.uid())) then
    perform private.record_audit(
      case when is_inviting then 'invite_customers' else 'stop_invitations' end, null, null,
      jsonb_build_object('id', batch.id)
    );
  end if;
  update public.batches b
  set invites_since = case when is_inviting then coalesce(b.invites_since, clock_timestamp()) end,
    invited_by = case when is_inviting then (select auth.uid()) end
  where b.id = batch.id
  returning b.* into batch;
  return batch;
end
$$;
comment on function private.pace_invitations(uuid, boolean) is
  'Starts or stops the invitations of a batch for an administrator, and returns the batch. The last administrator who starts them is responsible for them. Adds an audit entry if the state of the batch or the responsible administrator changes.';

create function public.invite_customers(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
as $$
  select private.pace_invitations(id, true)
$$;
comment on function public.invite_customers(uuid) is
  'Starts to invite the customers of a batch that opens accounts, and invites again the customers whose links have expired or whose mails the mail server refused. While the caller is blocked or no longer an administrator, the invitations stop. Another administrator can then continue them with this function. The caller must be an administrator who has entered the password or a mailed code within the last ten minutes (private.require_proof). Raises PT404 for a batch that opens no accounts. On a hosted project, raises PT409, because the project sends its own mails. Reads at most one batch, whose customers the server invites at the rate of INVITATIONS_PER_HOUR.';
grant execute on function public.invite_customers(uuid) to authenticated;

create function public.stop_invitations(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
as $$
  select private.pace_invitations(id, false)
$$;
comment on function public.stop_invitations(uuid) is
  'Stops inviting the customers of a batch; mails that are already queued are still sent. For administrators only. Raises PT404 for a batch that opens no accounts. Reads at most one batch.';
grant execute on function public.stop_invitations(uuid) to authenticated;

create type public.invitation_progress as (
  accounts bigint, invited bigint, taken bigint, expired bigint, refused bigint, has_administrator boolean
);
comment on type public.invitation_progress is 'The progress of the invitations of a batch.';
comment on column public.invitation_progress.accounts is 'Number of accounts that the batch opened and that still exist.';
comment on column public.invitation_progress.invited is 'Number of customers who have been invited, without those whose mail was given up.';
comment on column public.invitation_progress.taken is 'Number of customers who followed a link and thereby confirmed their address.';
comment on column public.invitation_progress.expired is 'Number of customers who did not follow their last invitation before it expired.';
comment on column public.invitation_progress.refused is 'Number of customers whose mail the mail server refused, because their address does not exist.';
comment on column public.invitation_progress.has_administrator is 'Whether the person who started the invitations is still an administrator and is not blocked, so that the invitations continue; null if the invitations have not been started or were stopped.';

create function public.count_invitations(id uuid) returns public.invitation_progress
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  progress public.invitation_progress;
begin
  perform private.require_admin();
  select
    count(*),
    count(*) filter (where l.invited_at is not null and (l.invitation = 'sent' or u.email_confirmed_at is not null)),
    count(*) filter (where u.email_confirmed_at is not null),
    count(*) filter (
      where u.email_confirmed_at is null and l.invitation = 'sent' and l.invited_at < now() - interval '7 days'
    ),
    count(*) filter (where u.email_confirmed_at is null and l.invitation = 'refused'),
    (
      select private.may_administer(b.invited_by) from public.batches b
      where b.id = count_invitations.id and b.invites_since is not null
    )
  into progress
  from public.batch_lines l join auth.users u on u.id = l.user_id
  where l.batch_id = count_invitations.id and l.invitation is not null;
  return progress;
end
$$;
comment on function public.count_invitations(uuid) is 'Returns the progress of the invitations of a batch. For administrators only. Reads at most 10,000 lines of one batch.';
grant execute on function public.count_invitations(uuid) to authenticated;

create function private.claim_invitations(rows_max integer, per_hour integer) returns jsonb
  language plpgsql security definer
  set search_path = ''
  -- A generic plan does not know the limit, and would join all waiting lines with their users.
  set plan_cache_mode = force_custom_plan
as $$
declare
  places integer;
  claimed jsonb;
  invited uuid[];
  inviters uuid[];
begin
  -- All servers of a bank share one rate limit. Only the server that leases the job *invite* calls this function.
  places := least(rows_max, per_hour - (
    select count(*)::integer from public.batch_lines s where s.invited_at > now() - interval '1 hour'
  ));
  if places <= 0 then
    return '[]';
  end if;
  with chosen as (
    update public.batch_lines l set invited_at = clock_timestamp()
    from (
      select d.batch_id, d.line, b.invited_by
      from public.batches b
      cross join lateral (
        select w.batch_id, w.line
        from public.batch_lines w
        join auth.users u on u.id = w.user_id
        where w.batch_id = b.id and w.invitation = 'waiting' and u.email_confirmed_at is null
          -- A line whose mail was interrupted is due again after five minutes.
          and (w.invited_at is null or w.invited_at < now() - interval '5 minutes')
        order by w.line limit places
      ) d
      -- The balances come first.
      where b.invites_since is not null and b.finished_at is not null and private.may_administer(b.invited_by)
      order by b.invites_since, d.line
      limit places
    ) next
    where l.batch_id = next.batch_id and l.line = next.line
    returning l.batch_id, l.line, l.user_id, next.invited_by
  )
  select jsonb_agg(jsonb_build_object('batch', c.batch_id, 'line', c.line, 'userId', c.user_id)),
    array_agg(c.user_id), array_agg(c.invited_by)
  into claimed, invited, inviters from chosen c;
  perform private.record_access_act('invite', i.person, i.clerk) from unnest(invited, inviters) i (person, clerk);
  return coalesce(claimed, '[]');
end
$$;
comment on function private.claim_invitations(integer, integer) is
  'Chooses the customers to invite next, at most rows_max in this call and at most per_hour in an hour, and returns their lines as [{"batch": …, "line": …, "userId": …}, …]. Skips customers who have confirmed their address, and batches whose invitations were started by a person who is no longer an administrator. The server mails a link to each chosen customer and then calls private.note_invitation.';
grant execute on function private.claim_invitations(integer, integer) to supabase_auth_admin;

create function private.note_invitation(batch uuid, invited integer) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set invitation = 'sent'
  where l.batch_id = batch and l.line = invited and l.invitation = 'waiting';
$$;
comment on function private.note_invitation(uuid, integer) is 'Notes that the invitation of a line is in the mail queue.';
grant execute on function private.note_invitation(uuid, integer) to supabase_auth_admin;

create function private.return_invitation(person uuid, mailed_at timestamptz, is_refused boolean) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set invitation = case when is_refused then 'refused' else 'waiting' end
  where l.user_id = person and l.invitation in ('waiting', 'sent')
    -- A newer invitation has a mail of its own.
    and l.invited_at <= mailed_at;
$$;
comment on function private.return_invitation(uuid, timestamptz, boolean) is
  'Notes that the servers have given up the mail that invites a customer and that was queued at this time. Does nothing if the customer has been invited again since. If the mail server refused the address, the customer is invited again only after staff start the invitations again; otherwise the customer is invited next.';
grant execute on function private.return_invitation(uuid, timestamptz, boolean) to supabase_auth_admin;

-- supabase/schemas/transfers/functions/limits.sql

-- Functions of the limits of transfers.

create type public.transfer_limit as (name text, bank_max numeric, own_max numeric, left_max numeric);
comment on type public.transfer_limit is 'A limit of the transfers that the caller requests.';
comment on column public.transfer_limit.name is '"transfer" for the limit of a single transfer, or "day" for the sum of the transfers requested on one day in Bogotá.';
comment on column public.transfer_limit.bank_max is 'The bank''s limit.';
comment on column public.transfer_limit.own_max is 'The caller''s own limit; null if the caller set no limit.';
comment on column public.transfer_limit.left_max is 'The part of the lower of the two limits that is still available; never negative.';

create type public.transfer_account as (
  balance numeric,
  reserved numeric,
  available numeric,
  limits public.transfer_limit[],
  automatic_max numeric,
  automatic_day_max numeric,
  needs_own_password boolean,
  receive_min numeric,
  receives_from_known boolean
);
comment on type public.transfer_account is 'The balance and the limits that determine how much the caller can transfer. All amounts are in units of currency.';
comment on column public.transfer_account.balance is 'The caller''s balance.';
comment on column public.transfer_account.reserved is 'Sum of the caller''s transfers that wait for a decision or for the day of the payment.';
comment on column public.transfer_account.available is 'The balance without the reserved sum; never negative.';
comment on column public.transfer_account.limits is 'The limits of the caller''s transfers. A transfer must stay within all of them.';
comment on column public.transfer_account.automatic_max is 'The largest amount that the caller can still transfer today without an administrator''s decision. This amount is automatic_day_max minus the sum of today''s transfers that needed no decision.';
comment on column public.transfer_account.automatic_day_max is 'The bank''s limit for the sum of a day''s transfers without an administrator''s decision.';
comment on column public.transfer_account.needs_own_password is 'Whether an administrator typed the caller''s password. The caller can then neither confirm a beneficiary nor request a transfer (private.require_own_password).';
comment on column public.transfer_account.receive_min is 'The smallest transfer that the caller receives; null if the caller receives every amount.';
comment on column public.transfer_account.receives_from_known is 'Whether the caller receives transfers only from people that they have paid or named as a beneficiary.';

create function private.transfer_limit(name text, bank_max numeric, own_max numeric, used numeric)
  returns public.transfer_limit
  language sql immutable
  set search_path = ''
  return row(name, bank_max, own_max, greatest(least(bank_max, own_max) - used, 0))::public.transfer_limit;
comment on function private.transfer_limit(text, numeric, numeric, numeric) is 'Returns a limit of which a part is already used.';

create function private.transfer_account_of(customer uuid) returns public.transfer_account
  language sql stable security definer
  set search_path = ''
as $$
  select row(
    b.balance, w.reserved, greatest(b.balance - w.reserved, 0),
    array[
      private.transfer_limit('transfer', private.number('transfer_max'), o.transfer_max, 0),
      private.transfer_limit('day', private.number('transfer_day_max'), o.day_max, w.requested)
    ],
    greatest(private.number('transfer_automatic_max') - w.automatic, 0),
    private.number('transfer_automatic_max'),
    exists (select from private.staff_passwords p where p.user_id = customer),
    o.receive_min, coalesce(o.receives_from_known, false)
  )::public.transfer_account
  from public.budgets b
  cross join lateral (
    select
      coalesce(sum(q.amount) filter (where q.status in ('waiting', 'scheduled')), 0) as reserved,
      coalesce(sum(q.amount) filter (where q.asked_at >= d.begins_at), 0) as requested,
      coalesce(sum(q.amount) filter (
        where q.asked_at >= d.begins_at and q.status in ('scheduled', 'done') and q.decided_at is null
      ), 0) as automatic
    from (
      select date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota' as begins_at
    ) d
    -- Leaves out transfers that moved no money or were returned. Each of the two queries has its own index.
    cross join lateral (
      select r.* from public.requests r
      where r.payer = customer and r.asked_at >= d.begins_at and r.status in ('waiting', 'scheduled', 'done')
      union all
      select r.* from public.requests r
      where r.payer = customer and r.asked_at < d.begins_at and r.status in ('waiting', 'scheduled')
    ) q
  ) w
  left join private.transfer_limits o on o.user_id = b.user_id
  where b.user_id = customer
$$;
comment on function private.transfer_account_of(uuid) is 'Returns the balance and the limits that determine how much a customer can transfer, or null if the account is closed.';

create function private.admit_transfer(customer uuid, amount numeric, due_on date) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'America/Bogota')::date;
  account constant public.transfer_account := private.transfer_account_of(customer);
  exceeded text;
begin
  perform private.consume('transfer', customer::text);
  perform private.require_room('open transfers', (
    select count(*) from public.requests r where r.payer = customer and r.status in ('waiting', 'scheduled')
  ));
  if (amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2) is not true then
    raise exception 'El monto debe ser mayor que cero, con dos decimales como máximo.' using errcode = 'PT422';
  end if;
  if due_on not between today and today + 365 then
    raise exception 'La fecha debe estar entre hoy y dentro de un año.' using errcode = 'PT422';
  end if;
  select l.name into exceeded from unnest(account.limits) l where amount > l.left_max limit 1;
  if found then
    raise exception '%', case exceeded
      when 'transfer' then 'El monto supera tu límite por transferencia.'
      when 'day' then 'El monto supera lo que te queda de tu límite de hoy.'
    end using errcode = 'PT422';
  end if;
  if amount > account.available then
    raise exception 'El monto supera tu saldo disponible.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.admit_transfer(uuid, numeric, date) is
  'Counts a new transfer toward the limits of requests. Refuses (PT422) a transfer whose amount is not money, exceeds one of the customer''s limits or exceeds the available balance, or whose day is not within a year.';

create function public.transfer_account() returns public.transfer_account
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.transfer_account_of((select auth.uid()));
$$;
comment on function public.transfer_account() is
  'Returns the caller''s balance, the sum that their open transfers reserve, and their limits. Raises PT404 while the bank has not enabled transfers.';
grant execute on function public.transfer_account() to authenticated;

create function public.set_transfer_limits(transfer_max numeric, day_max numeric) returns public.transfer_account
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  own private.transfer_limits;
begin
  perform private.require_feature('transferencias');
  perform private.lock_open_account();
  if not (
    coalesce(transfer_max, 0) between 0 and 999999999999.99 and scale(trim_scale(coalesce(transfer_max, 0))) <= 2
    and coalesce(day_max, 0) between 0 and 999999999999.99 and scale(trim_scale(coalesce(day_max, 0))) <= 2
  ) then
    raise exception 'Escribe un límite de cero o más, con dos decimales como máximo.' using errcode = 'PT422';
  end if;
  select l.* into own from private.transfer_limits l where l.user_id = me;
  -- Without re-authentication, a thief with a stolen session could first remove the limits that should stop the theft.
  if coalesce(set_transfer_limits.transfer_max, 'infinity') > coalesce(own.transfer_max, 'infinity')
    or coalesce(set_transfer_limits.day_max, 'infinity') > coalesce(own.day_max, 'infinity')
  then
    perform private.require_own_proof();
  end if;
  perform private.consume('rows written', me::text);
  insert into private.transfer_limits as l (user_id, transfer_max, day_max)
  values (me, set_transfer_limits.transfer_max, set_transfer_limits.day_max)
  on conflict on constraint transfer_limits_pkey do update set
    transfer_max = excluded.transfer_max, day_max = excluded.day_max;
  return private.transfer_account_of(me);
end
$$;
comment on function public.set_transfer_limits(numeric, numeric) is
  'Sets the caller''s own limits for a single transfer and for the transfers requested on one day; null removes a limit. A lower limit applies at once. To raise or remove a limit, the caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Transfers that were requested earlier stay as they are. Raises PT422 for an amount that is not money.';
grant execute on function public.set_transfer_limits(numeric, numeric) to authenticated;

create function public.set_transfer_reception(receive_min numeric, from_known boolean) returns public.transfer_account
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('transferencias');
  -- Without re-authentication, a thief with a stolen session could refuse the transfers that the customer expects.
  perform private.require_own_proof();
  perform private.lock_open_account();
  perform private.consume('rows written', me::text);
  begin
    insert into private.transfer_limits as l (user_id, receive_min, receives_from_known)
    values (me, set_transfer_reception.receive_min, coalesce(from_known, false))
    on conflict on constraint transfer_limits_pkey do update set
      receive_min = excluded.receive_min, receives_from_known = excluded.receives_from_known;
  exception when check_violation then
    raise exception 'Escribe un monto mayor que cero, con dos decimales como máximo.' using errcode = 'PT422';
  end;
  return private.transfer_account_of(me);
end
$$;
comment on function public.set_transfer_reception(numeric, boolean) is
  'Sets which transfers the caller receives: the smallest amount (null for every amount), and whether only from people that the caller has paid or named as a beneficiary. The payer of another transfer only learns that the account cannot receive it. The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT422 for an amount that is not money.';
grant execute on function public.set_transfer_reception(numeric, boolean) to authenticated;

-- supabase/schemas/transfers/functions/clearing.sql

-- Functions that hand a transfer to the clearing.

create function private.hand_to_clearing(request public.requests) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.clearing_transfers (
    transfer_id, payer_name, payer_document_kind, payer_document, payee_name, destination, amount, concept
  )
  select
    request.id, coalesce(h.full_name, request.payer_name), h.document_kind, translate(h.document_number, '-', ''),
    request.payee_name, request.details, request.amount, request.description
  from public.account_holders h where h.user_id = request.payer
$$;
comment on function private.hand_to_clearing(public.requests) is
  'Adds a transfer to an account elsewhere to the clearing. Called only by private.carry_out.';

create function private.clearing_file_with(transfer_id uuid) returns integer
  language sql stable security definer
  set search_path = ''
as $$
  select t.file from private.clearing_transfers t where t.transfer_id = clearing_file_with.transfer_id
$$;
comment on function private.clearing_file_with(uuid) is
  'Returns the number of the clearing file that contains the given transfer; null if no file contains it.';

create function private.transfers_of_file(number integer) returns setof public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select r.* from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
  where t.file = transfers_of_file.number
$$;
comment on function private.transfers_of_file(integer) is 'Returns the transfers in a clearing file.';

-- supabase/schemas/transfers/functions/aliases.sql

-- Functions of aliases.

create function private.alias_skeleton(alias text) returns text
  language sql stable
  set search_path = ''
as $$
  select private.pair_skeleton(private.skeleton(translate(alias, '.-', '')))
$$;
comment on function private.alias_skeleton(text) is
  'Returns the same text for aliases that look alike: the skeleton without dots and hyphens (private.skeleton).';

create function private.account_at(address text) returns uuid
  language sql stable security definer
  set search_path = ''
as $$
  (
    select u.id from auth.users u
    where u.email = account_at.address and u.email_confirmed_at is not null and u.deleted_at is null
    order by u.created_at limit 1
  )
  union all
  select a.user_id from private.aliases a
  join auth.users u on u.id = a.user_id
  where a.alias = substr(account_at.address, 2) and account_at.address like '@%' and a.released_at is null
    and u.email_confirmed_at is not null and u.deleted_at is null
$$;
comment on function private.account_at(text) is
  'Returns the id of the account that has the given e-mail address or alias, or null if such an account does not exist. In the argument, an alias begins with @. A released alias has no account.';

create type public.alias_state as (alias text, changes_left integer, is_taken boolean);
comment on type public.alias_state is 'The caller''s alias.';
comment on column public.alias_state.alias is 'The present alias, without the @; null if the caller has no alias.';
comment on column public.alias_state.changes_left is 'Number of new aliases that the caller may still choose before the limit for 365 days is reached.';
comment on column public.alias_state.is_taken is 'True if the caller did not get the requested alias, because another person chose it or a similar one before.';

create function private.alias_state(is_taken boolean) returns public.alias_state
  language sql stable security definer
  set search_path = ''
  return row(
    (select a.alias from private.aliases a where a.user_id = (select auth.uid()) and a.released_at is null),
    greatest(private.limit_of('aliases in a year') - (
      select count(*)::integer from private.aliases a
      where a.user_id = (select auth.uid()) and a.chosen_at > now() - interval '365 days'
    ), 0),
    is_taken
  )::public.alias_state;
comment on function private.alias_state(boolean) is
  'Returns the state of the caller''s alias. A customer may choose 3 new aliases in 365 days, because no other person can ever choose these aliases.';

create function public.own_alias() returns public.alias_state
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.alias_state(false);
$$;
comment on function public.own_alias() is
  'Returns the caller''s alias and the number of new aliases that they may still choose. Raises PT404 while the bank has not enabled transfers.';
grant execute on function public.own_alias() to authenticated;

create function public.set_alias(alias text) returns public.alias_state
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(alias)), '^@', '');
  state public.alias_state;
begin
  perform private.require_feature('transferencias');
  -- Without re-authentication, a thief with a stolen session could replace the name by which others pay the customer.
  perform private.require_own_proof();
  perform private.lock_open_account();
  state := private.alias_state(false);
  if wanted is not distinct from state.alias then
    return state;
  end if;
  if not private.is_alias(wanted) then
    raise exception 'Usa de 3 a 30 letras minúsculas sin tilde, números, puntos o guiones, y empieza con una letra.'
      using errcode = 'PT422';
  end if;
  if private.is_reserved(private.alias_skeleton(wanted), is_alias => true) then
    raise exception 'Esta llave está reservada.' using errcode = 'PT422';
  end if;
  -- Returning to an earlier alias reveals nothing, and is therefore not limited.
  if wanted is not null and not exists (select from private.aliases a where a.alias = wanted and a.user_id = me) then
    perform private.require_room('aliases in a year', private.limit_of('aliases in a year') - state.changes_left);
    perform private.consume('alias tried', me::text);
    insert into private.taken_aliases (digest) values (sha256(convert_to(private.alias_skeleton(wanted), 'UTF8')))
    on conflict do nothing;
    if not found and not exists (
      select from private.aliases a
      where a.user_id = me and private.alias_skeleton(a.alias) = private.alias_skeleton(wanted)
    ) then
      -- Does not raise an error, because an error would also roll back the count of the tries.
      return private.alias_state(true);
    end if;
  end if;
  update private.aliases a set released_at = clock_timestamp() where a.user_id = me and a.released_at is null;
  if wanted is not null then
    insert into private.aliases (alias, user_id) values (wanted, me)
    on conflict on constraint aliases_pkey do update set released_at = null;
  end if;
  return private.alias_state(false);
end
$$;
comment on function public.set_alias(text) is
  'Sets the caller''s alias, with or without the @, or removes it if the argument is null, and returns its state. If another person chose the alias or a similar one before, the alias stays as it is and is_taken is true. The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). A customer chooses at most 3 new aliases in 365 days, and may return to an earlier alias. Raises PT409 for a fourth new alias in 365 days. Raises PT422 for an invalid or reserved alias, and PT429 for more than 10 new aliases in 24 hours, including aliases that were already taken.';
grant execute on function public.set_alias(text) to authenticated;

-- supabase/schemas/transfers/functions/beneficiaries.sql

-- Functions of beneficiaries.

create function private.mask_name(name text) returns text
  language sql immutable
  set search_path = ''
  return coalesce((
    select string_agg(left(word, 1) || '•••', ' ' order by place)
    from regexp_split_to_table(btrim(name), '\s+') with ordinality as w (word, place)
    where word <> '' and place <= 4
  ), '•••');
comment on function private.mask_name(text) is 'Returns the first letter of each of the first four words of a name, such as "L••• G•••".';

create function private.own_beneficiary(beneficiary_id uuid) returns public.beneficiaries
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  found_row public.beneficiaries;
begin
  select b.* into found_row from public.beneficiaries b
  where b.user_id = (select auth.uid()) and b.id = beneficiary_id and b.removed_at is null;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Este beneficiario ya no está en tu lista.' using errcode = 'PT404';
  end if;
  return found_row;
end
$$;
comment on function private.own_beneficiary(uuid) is 'Returns the caller''s beneficiary. Raises PT404 for an unknown or removed beneficiary.';

create function private.require_new_beneficiary(customer uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.require_room('beneficiaries', (
    select count(*) from public.beneficiaries b where b.user_id = customer and b.removed_at is null
  ));
  select private.consume('rows written', customer::text);
  select private.consume('beneficiary', customer::text);
$$;
comment on function private.require_new_beneficiary(uuid) is
  'Refuses a new beneficiary if the customer already has 100 beneficiaries (PT409). Also refuses more than 5 new beneficiaries in 24 hours, including removed ones (PT429, whose detail states the seconds to wait).';

create function public.add_beneficiary(id uuid, name text, address text) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  folded constant text := lower(btrim(address));
  added public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  perform private.lock_open_account();
  select b.* into added from public.beneficiaries b where b.user_id = me and b.id = add_beneficiary.id;
  if found then
    perform private.require_same_upload(
      (added.name, added.address) is not distinct from (add_beneficiary.name, folded), 'Este identificador ya se usó con otro beneficiario.'
    );
    return added;
  end if;
  if folded = (select u.email from auth.users u where u.id = me)
    or exists (select from private.aliases a where a.user_id = me and '@' || a.alias = folded)
  then
    raise exception 'No puedes transferirte a tu propia cuenta.' using errcode = 'PT422';
  end if;
  if exists (select from public.beneficiaries b where b.user_id = me and b.address = folded and b.removed_at is null) then
    raise exception 'Ya tienes un beneficiario con este email o llave.' using errcode = 'PT409';
  end if;
  perform private.require_new_beneficiary(me);
  insert into public.beneficiaries (user_id, id, name, address) values (me, add_beneficiary.id, add_beneficiary.name, folded)
  returning * into added;
  return added;
end
$$;
comment on function public.add_beneficiary(uuid, text, text) is
  'Adds a beneficiary to the caller''s list and returns the beneficiary. A repeated call with the same id adds nothing. The address is an e-mail address, or an alias that begins with @. Does not look up the address, and therefore does not reveal whether a customer has it. Raises PT409 for an id that was used for another beneficiary, for an address that is already in the list, and for more than 100 beneficiaries. Raises PT422 for the caller''s own address or alias. Raises PT429 for more than 5 new beneficiaries in 24 hours, including removed ones.';
grant execute on function public.add_beneficiary(uuid, text, text) to authenticated;

create function public.confirm_beneficiary(id uuid, again boolean default false) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  confirmed public.beneficiaries;
  account uuid;
begin
  perform private.require_feature('transferencias');
  perform private.require_own_password();
  perform private.require_own_proof();
  confirmed := private.own_beneficiary(confirm_beneficiary.id);
  account := private.account_at(confirmed.address);
  -- Locks both people before the beneficiary, in the same order as private.lock_requests.
  perform from auth.users u where u.id in (me, account) order by u.id for key share;
  perform private.lock_account();
  confirmed := private.own_beneficiary(confirm_beneficiary.id);
  if confirmed.confirmed_at is not null then
    if not (again and confirmed.payee_name is null) then
      return confirmed;
    end if;
    -- Costs as much as a new beneficiary. Otherwise, a caller could check one address again and again.
    perform private.consume('beneficiary', me::text);
  end if;
  if account = me then
    raise exception 'No puedes transferirte a tu propia cuenta.' using errcode = 'PT422';
  end if;
  perform private.consume('rows written', me::text);
  update public.beneficiaries b
  set confirmed_at = clock_timestamp(), payee_name = case
    when b.destination is null then (select private.mask_name(p.full_name) from public.profiles p where p.id = account)
    -- Keeps the stored name, because this bank cannot look up an account at another bank.
    else b.payee_name
  end
  where b.user_id = me and b.id = confirmed.id
  returning b.* into confirmed;
  insert into private.payees (user_id, beneficiary_id, payee)
  select me, confirmed.id, p.id from public.profiles p where p.id = account
  on conflict do nothing;
  return confirmed;
end
$$;
comment on function public.confirm_beneficiary(uuid, boolean) is
  'Confirms a beneficiary of the caller, looks up the account with the address or alias, and returns the beneficiary with the masked name of the account. Looks up nothing for an account elsewhere. payee_name is null if the address does not belong to a customer. The negative result is also stored, so that the limit of new beneficiaries also limits how many addresses a caller can check. A second call changes nothing. With `again`, a second call looks up once more an address that did not belong to a customer; it counts toward the 5 new beneficiaries in 24 hours (PT429). The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT403 while the caller''s password is one that an administrator typed (private.require_own_password). Raises PT404 for an unknown or removed beneficiary, and PT422 for the caller''s own account.';
grant execute on function public.confirm_beneficiary(uuid, boolean) to authenticated;

create function public.remove_beneficiary(id uuid) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  removed public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  perform private.lock_account();
  perform private.consume('rows written', me::text);
  update public.beneficiaries b set removed_at = coalesce(b.removed_at, clock_timestamp())
  where b.user_id = me and b.id = remove_beneficiary.id
  returning b.* into removed;
  if not found then
    raise exception 'Este beneficiario ya no está en tu lista.' using errcode = 'PT404';
  end if;
  return removed;
end
$$;
comment on function public.remove_beneficiary(uuid) is
  'Removes a beneficiary from the caller''s list, and returns it. Transfers that were requested earlier stay as they are. Also returns a beneficiary that was removed within the last 24 hours. Raises PT404 for an unknown beneficiary.';
grant execute on function public.remove_beneficiary(uuid) to authenticated;

create function private.refuses_transfer(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from private.transfer_limits l
    where l.user_id = request.payee and (
      request.amount < l.receive_min
      or (
        l.receives_from_known
        and not exists (
          select from private.payees p
          join public.beneficiaries b on b.user_id = p.user_id and b.id = p.beneficiary_id
          where p.user_id = request.payee and p.payee = request.payer and b.removed_at is null
        )
        and not exists (
          select from public.requests r
          where r.payer = request.payee and r.payee = request.payer and r.status in ('done', 'returned')
        )
      )
    )
  )
$$;
comment on function private.refuses_transfer(public.requests) is
  'Returns whether the payee of a transfer does not receive it (public.set_transfer_reception).';

create function private.clearing_text(value text, length_max integer) returns text
  language sql immutable
  set search_path = ''
  return nullif(rtrim(left(regexp_replace(
    regexp_replace(
      regexp_replace(normalize(coalesce(value, ''), nfd), '[\u0300-\u036f]', '', 'g'),
      '[^A-Za-z0-9/?:().,''+-]+', ' ', 'g'
    ),
    '^[^A-Za-z0-9]+', ''
  ), length_max)), '');
comment on function private.clearing_text(text, integer) is
  'Returns a text with only the characters that every clearing accepts: letters without accents, digits and a few signs. Begins with a letter or digit, so that a spreadsheet cannot read it as a formula. Null if nothing is left.';

create function private.refuse_account(account jsonb, name text) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  account_kind constant text := account ->> 'kind';
  digits constant text := account ->> 'number';
  document_kind constant text := account ->> 'document_kind';
  identity constant text := account ->> 'document';
begin
  if not exists (select from private.clearing_banks b where b.code = account ->> 'bank') then
    raise exception 'Elige el banco de la lista.' using errcode = 'PT422';
  end if;
  if (
    (account_kind in ('savings', 'checking') and digits ~ '^[0-9]{6,17}$') or (account_kind = 'deposit' and digits ~ '^[0-9]{10,17}$')
  ) is not true then
    raise exception 'Escribe un número de cuenta válido.' using errcode = 'PT422';
  end if;
  -- The clearing does not accept RC, a number in the civil register of births.
  if document_kind = 'RC' or private.is_document(
    document_kind, case document_kind when 'NIT' then regexp_replace(identity, '^([0-9]{9})([0-9])$', '\1-\2') else identity end
  ) is not true then
    raise exception 'Escribe una identificación válida.' using errcode = 'PT422';
  end if;
  if private.clearing_text(name, 80) is null then
    raise exception 'Escribe el nombre del titular como lo conoce su banco.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_account(jsonb, text) is
  'Refuses (PT422) an account at another bank whose bank, number, identification or name is not valid.';

create function public.add_account_beneficiary(
  id uuid, name text, bank text, account_kind text, account_number text, document_kind text, document text
) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  -- People write spaces, points and hyphens into numbers.
  digits constant text := translate(account_number, ' .-', '');
  identity constant text := upper(translate(document, ' .-', ''));
  account constant jsonb := jsonb_build_object(
    'bank', bank, 'kind', account_kind, 'number', digits, 'document_kind', document_kind, 'document', identity
  );
  bank_name constant text := (select b.name from private.clearing_banks b where b.code = bank);
  added public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  -- With this lock, concurrent calls by one customer are counted one after another.
  perform private.lock_open_account();
  select b.* into added from public.beneficiaries b where b.user_id = me and b.id = add_account_beneficiary.id;
  if found then
    perform private.require_same_upload(
      (added.name, added.destination) is not distinct from (add_account_beneficiary.name, account),
      'Este identificador ya se usó con otro beneficiario.'
    );
    return added;
  end if;
  perform private.refuse_account(account, name);
  if exists (
    select from public.beneficiaries b
    where b.user_id = me and b.removed_at is null
      and b.destination ->> 'bank' = bank and b.destination ->> 'number' = digits
  ) then
    raise exception 'Ya tienes un beneficiario con esta cuenta.' using errcode = 'PT409';
  end if;
  perform private.require_new_beneficiary(me);
  insert into public.beneficiaries (user_id, id, name, destination, payee_name)
  values (
    me, add_account_beneficiary.id, add_account_beneficiary.name, account, bank_name || ' ••••' || right(digits, 4)
  )
  returning * into added;
  return added;
end
$$;
comment on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) is
  'Adds an account at another bank to the caller''s beneficiaries and returns the beneficiary. A repeated call with the same id adds nothing. The beneficiary has the name of the account''s holder. Checks only the form of the account, because this bank cannot look it up. The caller must then confirm the beneficiary with public.confirm_beneficiary. Raises PT422 for an unknown bank, and for an invalid number, identification or name. Raises PT409 for an id that was used for another beneficiary, and for an account that is already in the list. Also raises the errors of private.require_new_beneficiary.';
grant execute on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) to authenticated;

-- supabase/schemas/transfers/functions/transfers.sql

-- Carrying out transfers: the only place where a request moves money. All code takes the locks in the same order: the
-- people, then the requests, then the budgets.

create function private.lock_requests(ids uuid[], skips_locked boolean default false) returns uuid[]
  language plpgsql security definer
  set search_path = ''
as $$
declare
  people uuid[];
  locked uuid[];
  -- The return of a transfer also changes the request of the transfer.
  wanted constant uuid[] := ids || array(
    select (r.details ->> 'transfer_id')::uuid from public.requests r
    where r.id = any (ids) and r.kind = 'return' and r.details ? 'transfer_id'
  );
begin
  -- The people of a request never change, and can therefore be read without a lock.
  select array_agg(p.id order by p.id) into people
  from (
    select r.payer as id from public.requests r where r.id = any (wanted)
    union
    select r.payee from public.requests r where r.id = any (wanted)
    union
    select r.about from public.requests r where r.id = any (wanted)
  ) p;
  -- A deletion needs the strongest lock from the start: two administrators who both held the weaker lock would deadlock.
  if exists (select from public.requests r where r.id = any (wanted) and r.kind = 'deletion') then
    perform from auth.users u where u.id = any (people) order by u.id for update;
  else
    perform from auth.users u where u.id = any (people) order by u.id for key share;
  end if;
  if skips_locked then
    locked := array(
      select r.id from public.requests r where r.id = any (wanted) order by r.id for no key update skip locked
    );
  else
    locked := array(select r.id from public.requests r where r.id = any (wanted) order by r.id for no key update);
  end if;
  perform from public.budgets b where b.user_id = any (people) order by b.user_id for no key update;
  return locked;
end
$$;
comment on function private.lock_requests(uuid[], boolean) is
  'Locks the people that the given requests concern, then the requests, and then the people''s budgets. Returns the ids of the locked requests. Also locks the transfers that the requests would return. If skips_locked is true, leaves out the requests that another call has locked.';

create function private.transfer_text(head text, preposition text, name text, concept text) returns text
  language sql immutable
  set search_path = ''
as $$
  -- A customer cannot write a guillemet into the quotation, and therefore cannot end it.
  select normalize(
    begun.line || coalesce(': «' || left(translate(concept, '«»', '""'), 200 - char_length(begun.line) - 4) || '»', ''), nfc
  )
  from (
    select head || coalesce(' ' || preposition || ' «' || left(translate(name, '«»', '""'), 80) || '»', '') as line
  ) begun
$$;
comment on function private.transfer_text(text, text, text, text) is
  'Returns the description of a posting of a transfer, in at most 200 characters: the bank''s words, and after them the name and the concept, which customers wrote, in guillemets. contract/transfers/words.ts separates them again (docs/decisions/0083).';

create function private.carry_out(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
  payer_balance numeric;
begin
  select b.balance into payer_balance from public.budgets b where b.user_id = request.payer;
  if not found or (request.payee is not null and not exists (
    select from public.budgets b join auth.users u on u.id = b.user_id where b.user_id = request.payee and u.deleted_at is null
  )) then
    return private.end_request(request, 'failed', 'La cuenta de destino no puede recibir transferencias.');
  end if;
  -- The bank may have blocked the payer after the request, for example because their session was stolen.
  if exists (select from auth.users u where u.id = request.payer and (u.banned_until > now() or u.deleted_at is not null)) then
    return private.end_request(request, 'failed', 'La cuenta estaba bloqueada.');
  end if;
  -- The sentence is the same for a closed account, for a blocked one and for a customer who refuses the transfer, so that
  -- the payer does not learn which of them it is.
  if exists (select from auth.users u where u.id = request.payee and u.banned_until > now())
    or private.refuses_transfer(request)
  then
    return private.end_request(request, 'failed', 'La cuenta de destino no puede recibir transferencias.');
  end if;
  if payer_balance < request.amount then
    return private.end_request(request, 'failed', 'El saldo no alcanzó.');
  end if;
  begin
    ended := private.end_request(request, 'done');
    -- A single SQL statement posts both sides, ordered by customer. For an account at another bank, the SQL statement
    -- posts only the payer's side.
    insert into public.transactions (
      user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
    )
    select
      s.customer, request.id, s.type, request.amount, s.description, now(), 'Transferencia', 'bank', 'transfer', request.id
    from (
      values
        (
          request.payer, 'expense',
          private.transfer_text('Transferencia enviada', 'a', request.payee_name, request.description)
        ),
        (
          request.payee, 'deposit',
          private.transfer_text('Transferencia recibida', 'de', request.payer_name, request.description)
        )
    ) s (customer, type, description)
    where s.customer is not null;
    if request.payee is null then
      perform private.hand_to_clearing(request);
    end if;
    return ended;
  -- The bank cannot record the new balance, or one of the two people already has a transaction with this id.
  exception when integrity_constraint_violation then
    return private.end_request(request, 'failed', 'El banco no pudo registrar la transferencia.');
  end;
end
$$;
comment on function private.carry_out(public.requests) is
  'Moves the amount of a request and returns the request as done, or as failed with the reason. The amount of a transfer to an account elsewhere leaves the payer''s account and waits for the clearing. The caller must hold the locks of private.lock_requests, and must have checked that the request has not ended.';

create function private.advance(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  scheduled public.requests;
begin
  if request.due_on > (now() at time zone 'America/Bogota')::date then
    update public.requests r set status = 'scheduled' where r.id = request.id returning r.* into scheduled;
    return scheduled;
  end if;
  return private.carry_out(request);
end
$$;
comment on function private.advance(public.requests) is
  'Carries out a request that needs no further decision, or schedules the request for its due day. Called under the same conditions as private.carry_out.';

-- Transfers: a customer requests and cancels them.

create function private.risk_of(
  customer uuid, beneficiary public.beneficiaries, amount numeric, at timestamptz default now()
) returns smallint
  language sql stable security definer
  set search_path = ''
  return (
    case when beneficiary.confirmed_at > at - interval '24 hours' then 4 else 0 end
    + case when amount >= 3 * coalesce((
      select max(r.amount) from public.requests r where r.payer = customer and r.status = 'done'
    ), 0) then 2 else 0 end
    + case when extract(hour from at at time zone 'America/Bogota') not between 6 and 21 then 1 else 0 end
  )::smallint;
comment on function private.risk_of(uuid, public.beneficiaries, numeric, timestamptz) is 'Returns the risk of a new transfer: the sum of the signs that the comment on public.requests.risk describes.';

create function private.lock_payee(beneficiary public.beneficiaries) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  payee constant uuid := (
    select p.payee from private.payees p where p.user_id = beneficiary.user_id and p.beneficiary_id = beneficiary.id
  );
begin
  if beneficiary.confirmed_at is null then
    raise exception 'Confirma primero este beneficiario.' using errcode = 'PT409';
  end if;
  perform from auth.users u where u.id in (beneficiary.user_id, payee) order by u.id for key share;
  if beneficiary.destination is null and not exists (select from public.budgets b where b.user_id = payee) then
    raise exception 'Este beneficiario no es cliente del banco.' using errcode = 'PT409';
  end if;
  -- An account may have been closed while this call waited for the lock. A request of a closed account would stay open.
  if not exists (select from public.budgets b where b.user_id = beneficiary.user_id) then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  return payee;
end
$$;
comment on function private.lock_payee(public.beneficiaries) is
  'Locks the customer and the payee of a transfer to a beneficiary, and returns the payee, or null for an account elsewhere. Raises PT409 for a beneficiary that is not confirmed or has no account, and PT404 if the customer''s account is closed.';

create function public.request_transfer(
  id uuid, beneficiary_id uuid, amount numeric, description text default null, due_on date default null
) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  hash constant bytea := sha256(convert_to(
    jsonb_build_array(beneficiary_id, trim_scale(amount)::text, description, due_on)::text, 'UTF8'
  ));
  beneficiary public.beneficiaries;
  account uuid;
  asked public.requests;
begin
  perform private.require_feature('transferencias');
  perform private.require_second_factor();
  perform private.require_own_password();
  -- With this lock, concurrent calls of one payer wait for each other, so that each request is counted. The row in
  -- public.budgets cannot serve as this lock, because it is locked after the request.
  perform pg_advisory_xact_lock(hashtext('finanzas.transfers'), hashtext(me::text));
  select r.* into asked from public.requests r where r.id = request_transfer.id;
  if found then
    perform private.require_same_upload(
      asked.body_hash = hash and asked.payer = me, 'Este identificador ya se usó con otra transferencia.'
    );
    return private.shown_to_payer(asked);
  end if;
  beneficiary := private.own_beneficiary(beneficiary_id);
  account := private.lock_payee(beneficiary);
  perform private.admit_transfer(me, amount, due_on);
  if exists (select from ledger.journal j where j.user_id in (me, account) and j.transaction_id = request_transfer.id) then
    raise exception 'Este identificador ya se usó con otra transferencia.' using errcode = 'PT409';
  end if;
  insert into public.requests (
    id, status, asked_by, payer, payer_name, payee, payee_name, payee_masked, amount, description, due_on, expires_at, risk,
    body_hash, details
  )
  values (
    request_transfer.id, 'waiting', me, me, (select p.full_name from public.profiles p where p.id = me), account,
    beneficiary.name, beneficiary.payee_name, amount, request_transfer.description, request_transfer.due_on,
    now() + private.life_of_request(), private.risk_of(me, beneficiary, amount), hash, beneficiary.destination
  )
  on conflict on constraint requests_pkey do nothing
  returning * into asked;
  if not found then
    raise exception 'Este identificador ya se usó con otra transferencia.' using errcode = 'PT409';
  end if;
  -- Limits the sum of the day, because a limit for each transfer could be avoided by splitting a transfer.
  if amount <= (private.transfer_account_of(me)).automatic_max then
    perform private.lock_requests(array[asked.id]);
    asked := private.advance(asked);
  -- This mail needs neither the feature notificaciones nor a preference. The person who holds the payer's keys could
  -- otherwise keep it from the payer.
  else
    perform private.tell(array[me], 'transfer_waits');
  end if;
  return private.shown_to_payer(asked);
end
$$;
comment on function public.request_transfer(uuid, uuid, numeric, text, date) is
  'Requests a transfer from the caller to a confirmed beneficiary at this bank or at another bank. A repeated call with the same id and the same values returns the existing request. Returns the request without the values that the payer cannot select (private.shown_to_payer). If the day''s total of the caller''s transfers without a decision does not exceed the bank''s automatic_max, the transfer is carried out at once or scheduled for due_on. Otherwise it waits for a decision, and the payer gets a mail. On a hosted project, requires the second factor of a person who has one (private.require_second_factor). A null due_on means now. Raises PT403 while the caller''s password is one that an administrator typed (private.require_own_password). Raises PT404 for an unknown beneficiary. Raises PT409 for an unconfirmed beneficiary, for an address that does not belong to a customer, for an id that was already used for another request or transaction, and for more than 20 open requests. Raises PT429 for more than 100 requests in 24 hours. Also raises the errors of private.admit_transfer.';
grant execute on function public.request_transfer(uuid, uuid, numeric, text, date) to authenticated;

create function public.cancel_transfer(id uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests;
begin
  perform private.require_feature('transferencias');
  select r.* into asked from public.requests r
  where r.id = cancel_transfer.id and r.payer = (select auth.uid()) for no key update;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Esta transferencia no existe.' using errcode = 'PT404';
  end if;
  if asked.status not in ('waiting', 'scheduled') then
    return private.shown_to_payer(asked);
  end if;
  return private.shown_to_payer(private.end_request(asked, 'cancelled'));
end
$$;
comment on function public.cancel_transfer(uuid) is
  'Cancels a waiting or scheduled transfer of the caller. Returns the request without the values that the payer cannot select. If the request has already ended, returns it without changing it. Raises PT404 for an unknown request.';
grant execute on function public.cancel_transfer(uuid) to authenticated;

-- supabase/schemas/transfers/functions/returns.sql

create function private.return_side(
  request public.requests, customer uuid, correction uuid, reason text, clerk uuid
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  mistake public.transactions;
  corrected public.corrections;
begin
  select t.* into mistake from public.transactions t where t.user_id = customer and t.id = request.id;
  -- If the customer removed the transaction from their list, the row and its description no longer exist.
  mistake.type := case when customer = request.payer then 'expense' else 'deposit' end;
  mistake.amount := request.amount;
  corrected.user_id := customer;
  corrected.id := correction;
  corrected.corrected_id := request.id;
  corrected.reason := reason;
  corrected.corrected_by := (select p.full_name from public.profiles p where p.id = clerk);
  if not private.correct(corrected, mistake, 'return', request.id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
end
$$;
comment on function private.return_side(public.requests, uuid, uuid, text, uuid) is 'Reverses one posting of a transfer. Called only by private.post_return.';

create function private.check_return(request public.requests) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if request.status <> 'done' then
    raise exception 'Solo se devuelve una transferencia hecha.' using errcode = 'PT409';
  end if;
  -- Does not check the balance of the payee. The payee could otherwise prevent a return by recording expenses.
  if (select count(*) from public.budgets b where b.user_id in (request.payer, request.payee))
    < num_nonnulls(request.payer, request.payee)
  then
    raise exception using errcode = 'PT409', message = case
      when request.payee is not null then 'Una de las cuentas de la transferencia está cerrada.'
      else 'Quien pagó cerró su cuenta, y aquí no se le puede abonar. Si el otro banco devolvió el dinero, págaselo por otro medio: su nombre está en el archivo de compensación.'
    end;
  end if;
end
$$;
comment on function private.check_return(public.requests) is
  'Raises PT409 for a transfer that is not done and for a closed account.';

create function private.post_return(request public.requests, reason text, clerk uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  correction constant uuid := gen_random_uuid();
  returned public.requests;
begin
  perform private.check_return(request);
  returned := private.end_request(request, 'returned', post_return.reason);
  perform private.return_side(returned, returned.payer, correction, post_return.reason, clerk);
  -- A transfer to another bank has only one posting.
  if returned.payee is not null then
    perform private.return_side(returned, returned.payee, correction, post_return.reason, clerk);
  end if;
  return returned;
end
$$;
comment on function private.post_return(public.requests, text, uuid) is
  'Reverses all postings of a transfer on behalf of a clerk, after a direct order or after an approval, and returns the request. The caller must already hold the locks of private.lock_requests. Raises the errors of private.check_return.';

create function private.open_return(request public.requests) returns void
  language sql security definer
  set search_path = ''
as $$
  -- The earlier return may have stopped, because its administrator was demoted or blocked.
  insert into private.open_returns (file, request_id) values ((request.details ->> 'file')::integer, request.id)
  on conflict on constraint open_returns_pkey do update set request_id = excluded.request_id
$$;
comment on function private.open_return(public.requests) is 'Begins the return of a clearing file. private.return_pieces continues it.';

-- supabase/schemas/transfers/functions/verification.sql

-- Verification of transfers: each request must agree with the journals of the payer and of the payee. The checks of the
-- chains and of the balances read one customer at a time, and therefore accept a transfer with only one posting. Only a
-- transfer to an account at another bank may have a single posting.

create function ledger.check_transfers(
  after_id uuid, rows_max integer,
  out rows integer, out last_id uuid,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    select r.* from public.requests r
    where r.kind = 'transfer' and (after_id is null or r.id > after_id)
    order by r.id
    limit rows_max
  ),
  sides as (
    select p.id, p.status, p.payer, p.payee, s.customer, s.delta,
      -- Only a transfer to an account at another bank has a single posting. Its amount must then be in the clearing.
      coalesce(p.payee is null <> (p.details is not null), true) or (
        select t.amount from private.clearing_transfers t where t.transfer_id = p.id
      ) is distinct from (
        case when p.payee is null and p.status in ('done', 'returned') then p.amount end
      ) as is_wrong_in_clearing
    from portion p
    cross join lateral (values (p.payer, -p.amount), (p.payee, p.amount)) s (customer, delta)
    where s.customer is not null
  ),
  checked as (
    select s.customer, posted.seq,
      case
        when s.is_wrong_in_clearing then true
        -- A customer may record a note under the id of a transfer that moved no money. A note is not a posting of the
        -- bank.
        when s.status not in ('done', 'returned') then posted.delta is not null
        when posted.delta is distinct from s.delta then true
        when s.status = 'done' then returned.delta is not null
        else returned.delta is distinct from -s.delta
      end as is_broken
    from sides s
    left join lateral (
      select j.seq, j.delta from ledger.journal j
      where j.user_id = s.customer and j.transaction_id = s.id and j.kind in ('deposit', 'expense')
        and (j.origin, j.origin_id) = ('transfer', s.id)
      limit 1
    ) posted on true
    left join lateral (
      select j.delta from ledger.journal j
      where j.user_id = s.customer and j.origin = 'return' and j.origin_id = s.id and j.kind in ('deposit', 'expense')
      limit 1
    ) returned on true
  )
  select c.counted, c.last, b.customer, b.seq, case when b.customer is not null then 'transfer' end
  into rows, last_id, broken_customer, broken_seq, fault
  from (select count(*) as counted, (array_agg(p.id order by p.id desc))[1] as last from portion p) c
  left join (
    select k.customer, k.seq from checked k where k.is_broken order by k.customer, k.seq limit 1
  ) b on true;
end
$$;
comment on function ledger.check_transfers(uuid, integer) is
  'Checks the next transfers, ordered by id. A transfer that is done or returned must have its posting in the journal of the payer and in that of the payee. A transfer to an account at another bank has no payee. Its amount must instead be recorded in private.clearing_transfers. A returned transfer must also have the opposite postings, with the origin `return`. Any other transfer must have neither postings nor a row in private.clearing_transfers. Returns the number of checked transfers and the id of the last checked transfer. If a check failed, also returns the fault `transfer`, the first affected customer, and the number of the wrong posting, if there is one. If the number of checked transfers is less than rows_max, no more transfers remain to be checked.';
grant execute on function ledger.check_transfers(uuid, integer) to service_role;

-- supabase/schemas/transfers/functions/clearing_files.sql

-- Clearing files, for administrators only: one call puts the transfers that are not in a file yet into a new file and
-- closes the file. A closed file can be read again at any time (docs/decisions/0070).

create type public.unreturned_transfer as (id uuid, amount numeric, reason text);
comment on type public.unreturned_transfer is 'A transfer that the return of its clearing file left out.';
comment on column public.unreturned_transfer.id is 'Id of the transfer, as the file states it.';
comment on column public.unreturned_transfer.amount is 'Amount of the transfer, in units of currency.';
comment on column public.unreturned_transfer.reason is 'Why the transfer was left out.';

create type public.clearing_file as (
  number integer, closed_at timestamptz, closed_by_name text, transfers integer, amount numeric,
  csv text, xml text, csv_hash text, xml_hash text, returned bigint, unreturned public.unreturned_transfer[]
);
comment on type public.clearing_file is 'A file with transfers that the bank hands over for clearing.';
comment on column public.clearing_file.number is 'Number of the file; the numbers have no gaps.';
comment on column public.clearing_file.closed_at is 'Time at which the file was closed.';
comment on column public.clearing_file.closed_by_name is 'The name of the administrator who closed the file; null if they had no name.';
comment on column public.clearing_file.transfers is 'Number of transfers in the file.';
comment on column public.clearing_file.amount is 'Sum of the transfers, in units of currency.';
comment on column public.clearing_file.csv is 'The file as comma-separated values; null unless public.read_clearing_file returns the file.';
comment on column public.clearing_file.xml is 'The file as ISO 20022 pain.001.001.09; null unless public.read_clearing_file returns the file.';
comment on column public.clearing_file.csv_hash is 'SHA-256 of the CSV file in hex; null in a list. The audit entry contains the same hash.';
comment on column public.clearing_file.xml_hash is 'SHA-256 of the XML file in hex; null in a list. The audit entry contains the same hash.';

comment on column public.clearing_file.returned is 'Number of transfers in the file that administrators have returned; null unless the file is in a list.';
comment on column public.clearing_file.unreturned is 'Up to 20 transfers that the last return of the file left out and that were not returned since; null unless the file is in a list.';

create type public.clearing as (
  next_number integer, waiting bigint, waiting_amount numeric, waiting_since timestamptz, handed_amount numeric,
  files public.clearing_file[], has_account boolean
);
comment on type public.clearing is 'The state of the clearing.';
comment on column public.clearing.next_number is 'Number of the next file.';
comment on column public.clearing.waiting is 'Number of transfers that are not in a file yet.';
comment on column public.clearing.waiting_amount is 'Sum of the transfers that are not in a file yet, in units of currency. The amount has left the customers'' accounts, but the bank has not handed it over.';
comment on column public.clearing.waiting_since is 'Time at which the oldest transfer that is not in a file yet left the payer''s account; null if all transfers are in files.';
comment on column public.clearing.handed_amount is 'Sum of all transfers in files, except those that the other banks have sent back, in units of currency.';
comment on column public.clearing.files is 'The last 50 files, newest first, without their contents.';
comment on column public.clearing.has_account is 'Whether the next file states the bank''s account at the clearing.';

create function private.require_clearing_reader() returns void
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.require_second_factor();
  select private.require_admin();
$$;
comment on function private.require_clearing_reader() is
  'Refuses callers who are not administrators, and administrators who have a second factor but have not passed it. Raises PT404 while the bank has not enabled transfers.';

create function public.list_clearing() returns public.clearing
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  answer public.clearing;
begin
  perform private.require_clearing_reader();
  answer.next_number := (select coalesce(max(f.number), 0) + 1 from private.clearing_files f);
  select count(*), coalesce(sum(t.amount), 0), min(t.posted_at)
  into answer.waiting, answer.waiting_amount, answer.waiting_since
  from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
  where t.file is null and r.status = 'done';
  answer.handed_amount := (select coalesce(sum(f.amount), 0) from private.clearing_files f) - (
    select coalesce(sum(r.amount), 0) from public.requests r
    join private.clearing_transfers t on t.transfer_id = r.id
    where r.status = 'returned' and t.file is not null
  );
  answer.files := array(
    select row(
      f.number, f.closed_at, f.closed_by_name, f.transfers, f.amount, null, null, null, null, coalesce(b.returned, 0),
      array(
        select row(t.transfer_id, t.amount, u.reason)::public.unreturned_transfer
        from private.unreturned_transfers u
        join private.clearing_transfers t on t.transfer_id = u.transfer_id
        join public.requests r on r.id = u.transfer_id
        where t.file = f.number and r.status = 'done'
        order by t.transfer_id limit 20
      )
    )::public.clearing_file
    from private.clearing_files f
    -- Most files contain no returned transfer, so this query begins at the returned transfers.
    left join (
      select t.file, count(*) as returned from public.requests r
      join private.clearing_transfers t on t.transfer_id = r.id
      where r.status = 'returned' and t.file is not null group by t.file
    ) b on b.file = f.number
    order by f.number desc limit 50
  );
  answer.has_account := coalesce(private.setting('clearing_account') <> 'NOTPROVIDED', false);
  return answer;
end
$$;
comment on function public.list_clearing() is
  'Returns the state of the clearing and its last files. The answer contains sums but no data of customers, so the call adds no audit entry. For administrators only, with their second factor if they have one. Raises PT404 while the bank has not enabled transfers. Reads at most the transfers to other banks that are not in a file yet, and 50 files.';
grant execute on function public.list_clearing() to authenticated;

create function private.decimal_text(amount numeric) returns text
  language sql immutable
  set search_path = ''
  return to_char(amount, 'FM999999999999999990.00');
comment on function private.decimal_text(numeric) is 'Returns an amount as text with a decimal point and two decimals.';

create function private.clearing_identity(kind text, document text) returns text
  language sql immutable
  set search_path = ''
  -- A NIT identifies an organisation, and every other document identifies a person.
  return format(
    '<Id><%1$s><Othr><Id>%2$s</Id><SchmeNm><Prtry>%3$s</Prtry></SchmeNm></Othr></%1$s></Id>',
    case kind when 'NIT' then 'OrgId' else 'PrvtId' end, document, kind
  );
comment on function private.clearing_identity(text, text) is
  'Returns an identity document as the element Id of ISO 20022 pain.001.001.09.';

create function private.clearing_csv(transfers private.clearing_transfers[], number integer, currency text) returns text
  language sql stable security definer
  set search_path = ''
as $$
  -- No cell contains a separator or a quotation mark, and none begins like a formula (private.clearing_text).
  select 'archivo;transferencia;fecha;banco;tipo_cuenta;cuenta;titular;tipo_identificacion;identificacion;monto;moneda;ordenante;tipo_identificacion_ordenante;identificacion_ordenante;concepto'
    || E'\r\n' || string_agg(
      concat_ws(
        ';', clearing_csv.number, replace(t.transfer_id::text, '-', ''),
        to_char(t.posted_at at time zone 'America/Bogota', 'YYYY-MM-DD'),
        t.destination ->> 'bank',
        case t.destination ->> 'kind' when 'savings' then 'ahorros' when 'checking' then 'corriente' else 'deposito' end,
        t.destination ->> 'number', coalesce(private.clearing_text(t.payee_name, 80), ''),
        t.destination ->> 'document_kind', t.destination ->> 'document', private.decimal_text(t.amount),
        clearing_csv.currency, coalesce(private.clearing_text(t.payer_name, 70), ''),
        coalesce(t.payer_document_kind, ''), coalesce(t.payer_document, ''),
        coalesce(private.clearing_text(t.concept, 140), '')
      ) || E'\r\n', '' order by t.posted_at, t.transfer_id
    )
  from unnest(transfers) t
$$;
comment on function private.clearing_csv(private.clearing_transfers[], integer, text) is
  'Returns a clearing file as comma-separated values, with one line for each transfer.';

create function private.clearing_xml(
  transfers private.clearing_transfers[], number integer, closed_at timestamptz
) returns text
  language sql stable security definer
  set search_path = ''
as $$
  -- Texts need no escaping, because private.clearing_text leaves no character that XML reserves.
  select format(
    '<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>%1$s</MsgId><CreDtTm>%2$s</CreDtTm><NbOfTxs>%3$s</NbOfTxs><CtrlSum>%4$s</CtrlSum><InitgPty><Nm>%5$s</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>%1$s</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>%3$s</NbOfTxs><CtrlSum>%4$s</CtrlSum><ReqdExctnDt><Dt>%6$s</Dt></ReqdExctnDt>'
    || '<Dbtr><Nm>%5$s</Nm></Dbtr><DbtrAcct><Id><Othr><Id>%7$s</Id></Othr></Id></DbtrAcct>'
    || '<DbtrAgt><FinInstnId><Nm>%5$s</Nm></FinInstnId></DbtrAgt>
%8$s</PmtInf>
</CstmrCdtTrfInitn>
</Document>
',
    'FZ' || to_char(closed_at at time zone 'America/Bogota', 'YYYYMMDD') || lpad(clearing_xml.number::text, 9, '0'),
    to_char(closed_at at time zone 'America/Bogota', 'YYYY-MM-DD"T"HH24:MI:SS') || '-05:00',
    count(*), private.decimal_text(sum(t.amount)),
    coalesce(private.clearing_text(private.setting('brand_name'), 140), 'NOTPROVIDED'),
    to_char(closed_at at time zone 'America/Bogota', 'YYYY-MM-DD'), private.setting('clearing_account'),
    string_agg(
      concat(
        '<CdtTrfTxInf><PmtId><EndToEndId>', replace(t.transfer_id::text, '-', ''), '</EndToEndId></PmtId>',
        '<Amt><InstdAmt Ccy="', c.currency, '">', private.decimal_text(t.amount), '</InstdAmt></Amt>',
        '<UltmtDbtr><Nm>' || private.clearing_text(t.payer_name, 140) || '</Nm>'
          || case when t.payer_document is null then '' else
            private.clearing_identity(t.payer_document_kind, t.payer_document)
          end || '</UltmtDbtr>',
        '<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>', t.destination ->> 'bank', '</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>',
        '<Cdtr><Nm>', private.clearing_text(t.payee_name, 140), '</Nm>',
        private.clearing_identity(t.destination ->> 'document_kind', t.destination ->> 'document'), '</Cdtr>',
        '<CdtrAcct><Id><Othr><Id>', t.destination ->> 'number', '</Id></Othr></Id><Tp>',
        case t.destination ->> 'kind'
          when 'savings' then '<Cd>SVGS</Cd>' when 'checking' then '<Cd>CACC</Cd>' else '<Prtry>DEPOSITO</Prtry>'
        end, '</Tp></CdtrAcct>',
        '<RmtInf><Ustrd>' || private.clearing_text(t.concept, 140) || '</Ustrd></RmtInf>',
        '</CdtTrfTxInf>', E'\n'
      ), '' order by t.posted_at, t.transfer_id
    )
  )
  from unnest(transfers) t
  -- Reads the setting once for the whole file.
  cross join (select private.setting('display_currency') as currency offset 0) c
$$;
comment on function private.clearing_xml(private.clearing_transfers[], integer, timestamptz) is
  'Returns a clearing file as ISO 20022 pain.001.001.09, with one CdtTrfTxInf for each transfer.';

create function private.clearing_file_of(file private.clearing_files, has_texts boolean) returns public.clearing_file
  language sql immutable
  set search_path = ''
  return row(
    file.number, file.closed_at, file.closed_by_name, file.transfers, file.amount,
    case when has_texts then file.csv end, case when has_texts then file.xml end,
    encode(sha256(convert_to(file.csv, 'UTF8')), 'hex'), encode(sha256(convert_to(file.xml, 'UTF8')), 'hex'), null, null
  )::public.clearing_file;
comment on function private.clearing_file_of(private.clearing_files, boolean) is
  'Returns a file with the hashes of its contents (CSV and XML), and with the contents if has_texts is true. An administrator can read the contents only through public.read_clearing_file, which adds an audit entry.';

create function private.take_transfers() returns setof private.clearing_transfers
  language plpgsql
  set search_path = ''
as $$
declare
  -- A file with 1,000 transfers takes up about one megabyte.
  transfers_max constant integer := 1000;
  ids uuid[];
begin
  -- A posting is final: the amount has left the account, and the payer has a receipt. The file therefore also contains
  -- the transfers of payers who were blocked later. If the bank does not want to send a transfer, an administrator
  -- returns it.
  ids := array(
    select t.transfer_id from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
    where t.file is null and r.status = 'done'
    order by t.posted_at, t.transfer_id limit transfers_max
  );
  perform from public.requests r where r.id = any (ids) order by r.id for no key update;
  -- Another administrator may have returned a transfer while this call waited for its lock.
  return query
    select t.* from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
    where t.transfer_id = any (ids) and r.status = 'done';
end
$$;
comment on function private.take_transfers() is
  'Locks and returns the transfers of the next clearing file: the oldest ones that are in no file, at most 1,000.';

create function public.close_clearing_file(number integer) returns public.clearing_file
  language plpgsql security definer
  set search_path = ''
as $$
declare
  at constant timestamptz := clock_timestamp();
  transfers private.clearing_transfers[];
  closed private.clearing_files;
  answer public.clearing_file;
begin
  perform private.require_clearing_reader();
  -- This lock lets only one administrator at a time close a file. No call waits for this lock while it holds the lock
  -- of a request.
  perform pg_advisory_xact_lock(hashtext('finanzas.clearing'));
  select f.* into closed from private.clearing_files f where f.number = close_clearing_file.number;
  if found then
    return private.clearing_file_of(closed, false);
  end if;
  if number is distinct from (select coalesce(max(f.number), 0) + 1 from private.clearing_files f) then
    raise exception 'Este no es el número del siguiente archivo.' using errcode = 'PT409';
  end if;
  if num_nulls(private.setting('brand_name'), private.setting('clearing_account'), private.setting('display_currency')) > 0 then
    raise exception 'Falta decir el nombre, la cuenta y la moneda del banco en sus archivos (private.set_settings).'
      using errcode = 'PT409';
  end if;
  -- The bank cannot take back a file that it has handed over, and the file moves the money of many customers.
  perform private.require_proof();
  transfers := array(select t from private.take_transfers() t);
  if cardinality(transfers) = 0 then
    raise exception 'No hay transferencias por enviar.' using errcode = 'PT409';
  end if;
  insert into private.clearing_files (number, closed_at, closed_by, closed_by_name, transfers, amount, csv, xml)
  select
    close_clearing_file.number, at, (select auth.uid()),
    (select p.full_name from public.profiles p where p.id = (select auth.uid())), count(*), sum(t.amount),
    private.clearing_csv(transfers, close_clearing_file.number, private.setting('display_currency')),
    private.clearing_xml(transfers, close_clearing_file.number, at)
  from unnest(transfers) t
  returning * into closed;
  update private.clearing_transfers t set file = closed.number
  where t.transfer_id in (select c.transfer_id from unnest(transfers) c);
  answer := private.clearing_file_of(closed, false);
  perform private.record_audit('close_clearing_file', null, null, jsonb_build_object(
    'number', closed.number, 'transfers', closed.transfers, 'amount', private.decimal_text(closed.amount),
    'csv_sha256', answer.csv_hash, 'xml_sha256', answer.xml_hash
  ));
  return answer;
end
$$;
comment on function public.close_clearing_file(integer) is
  'Closes the next clearing file with up to 1,000 transfers that are not in a file yet, the oldest first. Returns the file without its contents. The file includes the transfers of payers who have been blocked or deleted since, but not transfers that an administrator has returned. The argument is the number of the next file. A repeated call therefore returns the same file, and so does a simultaneous call by a second administrator. For administrators only, with their second factor if they have one. To close a new file, the caller must have entered the password or a mailed code within the last ten minutes (private.require_proof). Adds one audit entry with the hashes of the file. Raises PT409 if the number is neither that of a closed file nor that of the next file, or if no transfer is left for a new file. Also raises PT409 until the operator of a hosted project has set the bank''s name, account and currency. Raises PT404 while the bank has not enabled transfers. Reads at most the 1,000 transfers of the new file, whose CSV and XML have at most 2 MB each.';
grant execute on function public.close_clearing_file(integer) to authenticated;

create function public.read_clearing_file(number integer) returns public.clearing_file
  language plpgsql security definer
  set search_path = ''
as $$
declare
  closed private.clearing_files;
begin
  perform private.require_clearing_reader();
  select f.* into closed from private.clearing_files f where f.number = read_clearing_file.number;
  if not found then
    raise exception 'Este archivo no existe.' using errcode = 'PT404';
  end if;
  perform private.record_audit('read_clearing_file', null, null, jsonb_build_object('number', closed.number));
  return private.clearing_file_of(closed, true);
end
$$;
comment on function public.read_clearing_file(integer) is
  'Returns a clearing file with the same bytes as when it was closed. For administrators only, with their second factor if they have one. Adds one audit entry, because the file contains data of customers. Raises PT404 for an unknown number, and while the bank has not enabled transfers. Reads at most one file, whose CSV and XML have at most 2 MB each.';
grant execute on function public.read_clearing_file(integer) to authenticated;

create function ledger.check_clearing_files(
  after_number integer, rows_max integer,
  out rows integer, out last_number integer, out broken_number integer, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    select f.* from private.clearing_files f
    where after_number is null or f.number > after_number
    order by f.number
    limit rows_max
  ),
  numbered as (
    select p.*, coalesce(lag(p.number) over (order by p.number), after_number, 0) + 1 as expected_number from portion p
  ),
  broken as (
    -- A missing number has no row. The number that the next row should have is therefore reported.
    select n.expected_number as number from numbered n
    where n.number <> n.expected_number
      or (n.transfers, n.amount) is distinct from (
        select (count(*)::integer, sum(t.amount)) from private.clearing_transfers t where t.file = n.number
      )
      or not exists (
        select from ledger.audit a
        where a.action = 'close_clearing_file' and a.after ->> 'number' = n.number::text
          and a.after ->> 'csv_sha256' = encode(sha256(convert_to(n.csv, 'UTF8')), 'hex')
          and a.after ->> 'xml_sha256' = encode(sha256(convert_to(n.xml, 'UTF8')), 'hex')
      )
    union all
    -- Files that were deleted from the end leave no gap. The audit still has them.
    select (a.after ->> 'number')::integer from ledger.audit a
    where a.action = 'close_clearing_file' and after_number is null
      and not exists (select from private.clearing_files f where f.number::text = a.after ->> 'number')
  )
  select c.counted, c.last, b.first, case when b.first is not null then 'clearing_file' end
  into rows, last_number, broken_number, fault
  from (select count(*) as counted, max(p.number) as last from portion p) c
  cross join (select min(k.number) as first from broken k) b;
end
$$;
comment on function ledger.check_clearing_files(integer, integer) is
  'Checks the next clearing files, ordered by number. The number of each file must follow the previous number. The file must state the correct count and sum of its transfers. Its contents must have the hashes that the audit recorded when it was closed. The first call also checks that every file in the audit still exists. Returns the number of checked files and the number of the last checked file. If a check failed, also returns the fault `clearing_file` and the number of the first broken or missing file. If fewer than rows_max files were checked, no more files remain to be checked.';
grant execute on function ledger.check_clearing_files(integer, integer) to service_role;

-- supabase/schemas/papers/functions.sql

-- Papers: the signed monthly statement, the signed receipt and the signed certificate of the balance.
-- Uses: money, orders.
-- Promises: papers have no table. A paper shows the journal up to an entry that it names, and can be made again with
-- the same bytes.

-- Monthly statements list the transactions dated in a month in Bogotá, with the balance after each transaction. A
-- statement shows the customer's journal up to a particular entry. The statement contains the number and hash of this
-- entry, so that a printed statement can be verified later.

create function private.statement_lines(
  customer uuid, last_seq bigint, begins_at timestamptz, ends_at timestamptz
) returns table (
  seq bigint, is_note boolean, amount numeric, dated_at timestamptz, recorded_at timestamptz, transaction_id uuid,
  kind text, line bigint, balance numeric
)
  language plpgsql stable
  set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    with
    -- Compares the kind of each entry only once.
    entries as materialized (
      select
        j.seq, j.kind, j.transaction_id, j.delta, j.dated_at, j.recorded_at, j.is_note,
        j.kind in ('deposit', 'expense', 'note', 'amendment') as is_posting
      from public.journal_entries j
      where j.user_id = customer and j.seq <= last_seq and j.dated_at >= begins_at and j.dated_at < ends_at
    ),
    -- Groups the entries by transaction, because a reversal or restoration has the same date as its transaction. The
    -- last posting has the current amount and date.
    dated as (
      select
        j.transaction_id,
        max(j.seq) filter (where j.is_posting) as seq,
        (array_agg(j.dated_at order by j.seq desc) filter (where j.is_posting))[1] as dated_at,
        (array_agg(j.recorded_at order by j.seq desc) filter (where j.is_posting))[1] as recorded_at,
        sum(j.delta) as amount,
        case when sum(j.delta) > 0 then 'deposit' else 'expense' end as type,
        -- If the customer removed and restored a transaction of the bank, only some of its entries are notes. The row
        -- is then not a note.
        bool_and(j.is_note) as is_note,
        count(*) filter (where j.kind = 'removal') > count(*) filter (where j.kind = 'restoration') as is_unlisted
      from entries j
      group by j.transaction_id
      -- Leaves out deleted expenses.
      having sum(j.delta) <> 0
    ),
    void as materialized (
      select v.transaction_id, v.is_correction from private.void_at(customer, last_seq) v
    )
    select
      d.seq, d.is_note, d.amount, d.dated_at, d.recorded_at, d.transaction_id,
      case
        when d.transaction_id in (select v.transaction_id from void v where v.is_correction) then 'correction'
        when d.transaction_id in (select v.transaction_id from void v) then 'corrected'
        when d.is_unlisted then 'unlisted'
        else d.type
      end as kind,
      row_number() over in_order as line,
      sum(d.amount) over in_order as balance
    from dated d
    -- Rows that were recorded after the end of the month come last, because the statement lists these rows under a
    -- separate heading.
    window in_order as (order by d.recorded_at >= ends_at, d.dated_at, d.seq rows unbounded preceding);
end
$$;
comment on function private.statement_lines(uuid, bigint, timestamptz, timestamptz) is
  'Returns the lines of a customer''s statement for a period, in their order, from the journal up to an entry. The balance is the sum of the amounts up to the line. Runs with the caller''s own rights.';
grant execute on function private.statement_lines(uuid, bigint, timestamptz, timestamptz) to authenticated;

-- Returns one json value instead of rows, so that a page of 5,000 rows is converted to JSON only once.
create function private.statement_of(customer uuid, month date, until_seq bigint, after_row integer) returns setof json
  language plpgsql stable
  set search_path = ''
as $$
declare
  begins_at timestamptz;
  ends_at timestamptz;
  head record;
  -- Maximum number of rows in a page. Without pages, a month with many transactions would delay all other customers of
  -- an embedded engine.
  page_max constant integer := 5000;
  page_begins constant integer := greatest(coalesce(after_row, 0), 0);
begin
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  begins_at := date_trunc('month', month::timestamp) at time zone 'America/Bogota';
  ends_at := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'America/Bogota';
  select j.seq, j.hash into head from public.journal_entries j
  where j.user_id = customer and (until_seq is null or j.seq <= until_seq) order by j.seq desc limit 1;

  return query
    -- Adds each entry to only one of the sums, because every sum over a long history takes time.
    with opened as (
      select s.booked + s.noted as balance, s.noted
      from (
        select
          coalesce(sum(j.delta) filter (where not j.is_note), 0) as booked,
          coalesce(sum(j.delta) filter (where j.is_note), 0) as noted
        from public.journal_entries j where j.user_id = customer and j.seq <= head.seq and j.dated_at < begins_at
      ) s
    ),
    lines as materialized (select * from private.statement_lines(customer, head.seq, begins_at, ends_at))
    select json_build_object(
      'account', customer,
      'month', to_char(month, 'YYYY-MM'),
      'opening', o.balance,
      'closing', o.balance + coalesce((select sum(l.amount) from lines l), 0),
      'noted', o.noted + coalesce((select sum(l.amount) from lines l where l.is_note), 0),
      'last_seq', coalesce(head.seq, 0),
      'hash', coalesce(head.hash, repeat('0', 64)),
      'is_whole', not exists (
        select from public.journal_entries j where j.user_id = customer and j.seq > coalesce(head.seq, 0) and j.dated_at < ends_at
      ),
      'next_after_row', case
        when (select count(*) from lines) > page_begins::bigint + page_max then page_begins + page_max
      end,
      'entries', (
        select coalesce(json_agg(json_build_object(
          'seq', l.seq, 'kind', l.kind, 'is_note', l.is_note, 'amount', l.amount, 'balance', o.balance + l.balance,
          'recorded_at', l.recorded_at, 'date', l.dated_at, 'description', t.description,
          -- Omits the category of bank transactions. Customers may change that category, but on a statement it would
          -- look like the bank's choice.
          'category', case when l.is_note then t.category end
        ) order by l.line), '[]')
        from lines l
        -- `limit 1` makes the plan use the key, independently of the size of the table at planning time.
        left join lateral (
          select w.description, w.category
          from public.transactions w where w.user_id = customer and w.id = l.transaction_id limit 1
        ) t on true
        where l.line > page_begins and l.line <= page_begins::bigint + page_max
      )
    )
    from opened o
    -- Returns no row about an account that the caller is not allowed to read.
    where customer = (select auth.uid()) or exists (select from public.budgets b where b.user_id = customer);
end
$$;
comment on function private.statement_of(uuid, date, bigint, integer) is
  'Returns a customer''s statement for a month as public.statement does. Runs with the caller''s own rights, and returns no row if the caller is not allowed to read the account.';
grant execute on function private.statement_of(uuid, date, bigint, integer) to authenticated;

create function public.statement(month date, until_seq bigint default null, after_row integer default 0) returns json
  language sql stable
  set search_path = ''
  return (select s from private.statement_of((select auth.uid()), month, until_seq, after_row) s);
comment on function public.statement(date, bigint, integer) is
  'Returns the caller''s own statement for a month in Bogotá, ordered by transaction date. The opening balance plus all amounts equals the closing balance, and each row has the balance after its transaction. Rows that were recorded after the month ended come last. Deleted expenses are omitted. A row is a note if the customer recorded the expense. The part of the closing balance that consists of notes is `noted`. A correction has the same date as its mistake. Descriptions and categories are read from the customer''s list at the time of the call. The description and category are null for a transaction that is no longer in the list. The category is also null for a bank transaction. The kind is `deposit`, `expense`, `corrected`, `correction` or `unlisted`. A `corrected` row and its `correction` cancel each other out and are excluded from totals. An `unlisted` row is a transaction that the customer removed from their list. A page has 5,000 rows. To read the next page, pass next_after_row as after_row and last_seq as until_seq; on the last page, next_after_row is null. last_seq and hash describe the last entry that the statement takes into account. If until_seq is given, the statement ignores all later entries, but the descriptions and categories are current. In this case, is_whole is false if a later entry changes the statement. Raises PT422 for an invalid month. Runs with the caller''s own rights.';
grant execute on function public.statement(date, bigint, integer) to authenticated;

-- Papers that staff make for a customer, for example for a customer without an e-mail address. The audit says who made
-- each of them, and why.

create function private.paper_reasons() returns text[]
  language sql immutable
  set search_path = ''
  return array['in_person', 'by_telephone', 'in_writing', 'authority', 'other'];
comment on function private.paper_reasons() is
  'The reasons why staff make a paper for a customer, which contract/database-types.ts lists too. The list is fixed: the audit is kept after the customer''s account is deleted, and must not contain free text about the customer.';

create function private.require_paper_reason(reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if (reason = any (private.paper_reasons())) is not true then
    raise exception 'Elige por qué haces el documento.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.require_paper_reason(text) is
  'Raises PT422 if the reason why staff make a paper is not one of the known reasons.';

create function private.paper_holder(customer uuid) returns table (
  full_name text, typed_name text, email text, account_number text, document_kind text, document_number text
)
  language sql stable security definer
  set search_path = ''
begin atomic
  select
    h.full_name, btrim(u.raw_user_meta_data ->> 'full_name'), u.email, h.account_number, h.document_kind, h.document_number
  from auth.users u left join public.account_holders h on h.user_id = u.id where u.id = paper_holder.customer;
end;
comment on function private.paper_holder(uuid) is
  'Returns the names and numbers of the holder for a paper, or no row for a closed account. `full_name` is null if the bank has not verified the name.';

create function public.issue_statement(user_id uuid, month date, reason text) returns json
  language plpgsql security definer
  set search_path = ''
as $$
declare
  holder json;
begin
  perform private.require_opened(issue_statement.user_id);
  perform private.require_paper_reason(reason);
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  select to_json(h) into holder from private.paper_holder(issue_statement.user_id) h;
  perform private.record_audit('issue_statement', user_id, null, jsonb_build_object(
    'month', to_char(month, 'YYYY-MM'), 'reason', reason
  ));
  return holder;
end
$$;
comment on function public.issue_statement(uuid, date, text) is
  'Begins a statement of a month that an administrator makes for a customer: adds an audit entry with the month and the reason, and returns the names and numbers of the holder. `full_name` is null if the bank has not verified the name. public.read_customer_statement returns the rows. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page, and PT422 for an unknown reason or an invalid month. Reads at most one person.';
grant execute on function public.issue_statement(uuid, date, text) to authenticated;

create function public.read_customer_statement(
  user_id uuid, month date, until_seq bigint default null, after_row integer default 0
) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_statement.user_id);
  return (select s from private.statement_of(user_id, month, until_seq, after_row) s);
end
$$;
comment on function public.read_customer_statement(uuid, date, bigint, integer) is
  'Returns a page of a customer''s statement for a month to staff, as public.statement does for the customer. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most one customer.';
grant execute on function public.read_customer_statement(uuid, date, bigint, integer) to authenticated;

-- Receipts: a single transaction on one page, signed like a statement (docs/decisions/0059). The receipt of a transfer
-- names both customers, but shows each customer only the data that the customer's own pages already show.

create type public.receipt as (
  account uuid,
  holder_name text,
  holder_is_verified boolean,
  holder_email text,
  holder_account_number text,
  holder_document_kind text,
  holder_document_number text,
  transaction_id uuid,
  seq bigint,
  type text,
  amount numeric,
  dated_at timestamptz,
  recorded_at timestamptz,
  recorded_by text,
  description text,
  state text,
  reason text,
  hash text,
  transfer_id uuid,
  counterparty text,
  counterparty_masked text,
  concept text,
  return_id uuid
);
comment on type public.receipt is 'The journal''s data about one transaction, and the transaction''s current state.';
comment on column public.receipt.account is 'Id of the customer.';
comment on column public.receipt.holder_name is 'The holder''s verified name, or the name that the customer typed; null if the customer gave no name.';
comment on column public.receipt.holder_is_verified is 'Whether the bank verified the holder''s name; null for a closed account.';
comment on column public.receipt.holder_email is 'The customer''s e-mail address; null for a closed account.';
comment on column public.receipt.holder_account_number is 'The number of the customer''s account, twelve digits; null for a closed account.';
comment on column public.receipt.holder_document_kind is 'Kind of the holder''s identity document; null until staff enter the document, and for a closed account.';
comment on column public.receipt.holder_document_number is 'Number of the holder''s identity document; null until staff enter it, and for a closed account.';
comment on column public.receipt.transaction_id is 'Id of the transaction.';
comment on column public.receipt.seq is 'Number of the journal entry that posted the transaction with this amount and date.';
comment on column public.receipt.type is '"deposit" or "expense".';
comment on column public.receipt.amount is 'Units of currency, positive.';
comment on column public.receipt.dated_at is 'Date of the transaction. A correction has the same date as the mistake that it corrects.';
comment on column public.receipt.recorded_at is 'Time at which the entry was written.';
comment on column public.receipt.recorded_by is '"bank" or "customer"; null for a closed account.';
comment on column public.receipt.description is 'The current description; null if the transaction is no longer in the customer''s list.';
comment on column public.receipt.state is '`valid`: the entry stands. `corrected` and `correction`: the bank reversed a transaction, and the transaction and its reversal cancel each other out. `cancelled`: a correction that the bank itself corrected, so that the transaction is valid again. `unlisted`: the customer removed the bank transaction from their list. `returned` and `return`: the bank returned a transfer, and the transfer and its return cancel each other out. `deleted`: the customer deleted the expense. `amended`: a later amendment replaced the entry. The state is null for a closed account.';
comment on column public.receipt.reason is 'Reason for the correction; for a cancelled correction, the reason for its cancellation; null if the transaction was not corrected.';
comment on column public.receipt.hash is 'The hash of the entry in hex.';
comment on column public.receipt.transfer_id is 'Id of the request of the transfer that the transaction carried out or returned; null for other transactions, and for the return of a closed account.';
comment on column public.receipt.counterparty is 'For the payer, the name that the payer gave to the beneficiary; for the payee, the name of the payer; null for other transactions, if the payer had no name, or if the payer''s account has been deleted.';
comment on column public.receipt.counterparty_masked is 'The masked name of the payee''s account, for the payer; null for the payee, for other transactions, or if the account of the payer or of the payee has been deleted.';
comment on column public.receipt.concept is 'The text that the payer wrote for the payee; null for other transactions, if the payer wrote no text, or if the payer''s account has been deleted.';
comment on column public.receipt.return_id is 'Id of the transaction that returned the transfer; null for a transfer that was not returned, and for other transactions.';

create function private.posting_of(customer uuid, transaction_id uuid, wanted_seq bigint default null) returns ledger.journal
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return (
    select j from ledger.journal j
    where j.user_id = customer and j.transaction_id = posting_of.transaction_id
      and j.kind in ('deposit', 'expense', 'note', 'amendment') and (wanted_seq is null or j.seq = wanted_seq)
    order by j.seq desc limit 1
  );
end
$$;
comment on function private.posting_of(uuid, uuid, bigint) is
  'Returns the last posting of a transaction, which has the current amount and date, or the posting with the wanted seq.';

create function private.state_of(posted ledger.journal) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  own_correction public.corrections;
  is_mistake_void boolean;
  latest text;
begin
  if not exists (select from public.budgets b where b.user_id = posted.user_id) then
    return null;
  end if;
  if posted.seq <> (private.posting_of(posted.user_id, posted.transaction_id)).seq then
    return 'amended';
  end if;
  select c.* into own_correction from public.corrections c where c.user_id = posted.user_id and c.id = posted.transaction_id;
  is_mistake_void := exists (
    select from private.void_at(posted.user_id) v
    where v.transaction_id = coalesce(own_correction.mistake_id, posted.transaction_id) and not v.is_correction
  );
  select j.kind into latest from ledger.journal j
  where j.user_id = posted.user_id and j.transaction_id = posted.transaction_id order by j.seq desc limit 1;
  return case
    -- Later corrections have cancelled a correction if they left the mistake as it was before.
    when own_correction.id is not null
      then case when own_correction.makes_void = is_mistake_void then 'correction' else 'cancelled' end
    when is_mistake_void then 'corrected'
    when latest = 'removal' then 'unlisted'
    when latest = 'reversal' then 'deleted'
    else 'valid'
  end;
end
$$;
comment on function private.state_of(ledger.journal) is 'Returns the state of a posting, as a receipt shows it, except that the sides of a returned transfer are `corrected` and `correction`.';

create function private.with_transfer(shown public.receipt, posted ledger.journal) returns public.receipt
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  request public.requests;
begin
  -- The amount and the descriptions in a request never change.
  select r.* into request from public.requests r
  where posted.origin in ('transfer', 'return') and r.id = posted.origin_id and posted.user_id in (r.payer, r.payee);
  if not found then
    return shown;
  end if;
  shown.transfer_id := request.id;
  shown.concept := request.description;
  if posted.user_id = request.payer then
    shown.counterparty := request.payee_name;
    shown.counterparty_masked := request.payee_masked;
  else
    shown.counterparty := request.payer_name;
  end if;
  select c.id into shown.return_id from public.corrections c
  where c.user_id = posted.user_id and c.corrected_id = request.id;
  shown.state := case shown.state when 'corrected' then 'returned' when 'correction' then 'return' else shown.state end;
  return shown;
end
$$;
comment on function private.with_transfer(public.receipt, ledger.journal) is
  'Adds to a receipt the transfer that the posting carried out or returned. Changes no other receipt.';

create function public.receipt(
  transaction_id uuid, user_id uuid default null, posted_seq bigint default null, reason text default null
) returns public.receipt
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  customer constant uuid := coalesce(receipt.user_id, me);
  posted ledger.journal;
  given public.receipt;
begin
  if customer is distinct from me then
    perform private.require_admin();
    perform private.require_paper_reason(reason);
  end if;
  posted := private.posting_of(customer, receipt.transaction_id, posted_seq);
  if posted.seq is null then
    raise exception 'El movimiento no existe.' using errcode = 'PT404';
  end if;
  given.account := customer;
  select
    coalesce(h.full_name, h.typed_name), h.full_name is not null, h.email,
    h.account_number, h.document_kind, h.document_number
  into
    given.holder_name, given.holder_is_verified, given.holder_email,
    given.holder_account_number, given.holder_document_kind, given.holder_document_number
  from private.paper_holder(customer) h;
  given.transaction_id := posted.transaction_id;
  given.seq := posted.seq;
  given.type := case when posted.delta > 0 then 'deposit' else 'expense' end;
  given.amount := abs(posted.delta);
  given.dated_at := posted.dated_at;
  given.recorded_at := posted.recorded_at;
  given.hash := encode(posted.hash, 'hex');
  given.state := private.state_of(posted);
  given.recorded_by := case when given.state is not null then case when posted.is_note then 'customer' else 'bank' end end;
  select t.description into given.description from public.transactions t
  where t.user_id = customer and t.id = posted.transaction_id;
  select c.reason into given.reason from public.corrections c
  where c.user_id = customer and (
    (given.state = 'correction' and c.id = posted.transaction_id)
    or (given.state in ('corrected', 'cancelled') and c.corrected_id = posted.transaction_id)
  );
  given := private.with_transfer(given, posted);
  if customer is distinct from me then
    perform private.record_audit('issue_receipt', customer, null, jsonb_build_object(
      'id', posted.transaction_id, 'reason', reason
    ));
  end if;
  return given;
end
$$;
comment on function public.receipt(uuid, uuid, bigint, text) is
  'Returns the receipt for one of the caller''s own transactions with its current amount and date, even if the transaction is no longer in the list. For a transfer, also returns the id of its request, the other customer''s name and the text that the payer wrote. With posted_seq, returns the amount and date that this entry posted, so that an issued receipt can be verified. An administrator may name another customer and one of the reasons of private.paper_reasons, which adds an audit entry with the reason. Any other caller who does so is refused (42501). Raises PT422 for an unknown reason, and PT404 for an unknown transaction or entry.';
grant execute on function public.receipt(uuid, uuid, bigint, text) to authenticated;

-- Certificates of the balance, signed like a statement (docs/decisions/0114).

create type public.balance_certificate as (
  account uuid,
  holder_name text,
  holder_is_verified boolean,
  holder_email text,
  holder_account_number text,
  holder_document_kind text,
  holder_document_number text,
  booked numeric,
  certified_at timestamptz,
  seq bigint,
  hash text,
  is_current boolean
);
comment on type public.balance_certificate is 'The facts about an account that a certificate of the balance states.';
comment on column public.balance_certificate.account is 'Id of the customer.';
comment on column public.balance_certificate.holder_name is 'The holder''s verified name, or the name that the customer typed; null if the customer gave no name.';
comment on column public.balance_certificate.holder_is_verified is 'Whether the bank verified the holder''s name; null for a closed account.';
comment on column public.balance_certificate.holder_email is 'The customer''s e-mail address; null for a closed account.';
comment on column public.balance_certificate.holder_account_number is 'The number of the customer''s account, twelve digits; null for a closed account.';
comment on column public.balance_certificate.holder_document_kind is 'Kind of the holder''s identity document; null until staff enter the document, and for a closed account.';
comment on column public.balance_certificate.holder_document_number is 'Number of the holder''s identity document; null until staff enter it, and for a closed account.';
comment on column public.balance_certificate.booked is 'The balance according to the bank in units of currency: the sum of the entries that are not notes of the customer.';
comment on column public.balance_certificate.certified_at is 'Time at which the balance was read.';
comment on column public.balance_certificate.seq is 'Number of the last entry that the balance takes into account; 0 without entries.';
comment on column public.balance_certificate.hash is 'The hash of this entry in hex; 64 zeros without entries.';
comment on column public.balance_certificate.is_current is 'Whether the bank has recorded nothing after this entry.';

create function public.balance_certificate(
  user_id uuid default null, until_seq bigint default null, reason text default null
) returns public.balance_certificate
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  customer constant uuid := coalesce(balance_certificate.user_id, me);
  given public.balance_certificate;
begin
  if customer is distinct from me then
    perform private.require_opened(customer);
    perform private.require_paper_reason(reason);
  end if;
  select
    coalesce(h.full_name, h.typed_name), h.full_name is not null, h.email,
    h.account_number, h.document_kind, h.document_number
  into
    given.holder_name, given.holder_is_verified, given.holder_email,
    given.holder_account_number, given.holder_document_kind, given.holder_document_number
  from private.paper_holder(customer) h;
  given.account := customer;
  given.certified_at := statement_timestamp();
  -- One query, so that an entry that is posted meanwhile counts in all columns or in none.
  select
    coalesce(sum(j.delta) filter (where not j.is_note and j.seq <= l.seq), 0), l.seq, l.hash,
    coalesce(bool_and(j.is_note or j.seq <= l.seq), true)
  into given.booked, given.seq, given.hash, given.is_current
  from (
    select coalesce(max(e.seq), 0) as seq, coalesce(encode((array_agg(e.hash order by e.seq desc))[1], 'hex'), repeat('0', 64)) as hash
    from (
      select k.seq, k.hash from ledger.journal k
      where k.user_id = customer and (until_seq is null or k.seq <= until_seq) order by k.seq desc limit 1
    ) e
  ) l
  left join ledger.journal j on j.user_id = customer
  group by l.seq, l.hash;
  if customer is distinct from me then
    perform private.record_audit('issue_balance_certificate', customer, null, jsonb_build_object('reason', reason));
  end if;
  return given;
end
$$;
comment on function public.balance_certificate(uuid, bigint, text) is
  'Returns the balance of the caller''s own account according to the bank, which the customer''s own notes do not change, with the names and numbers of the holder. With until_seq, returns the balance after this entry, so that an issued certificate can be verified. An administrator whose session has opened the customer''s page may name the customer and one of the reasons of private.paper_reasons, which adds an audit entry with the reason. Any other caller who does so is refused (42501). Raises PT422 for an unknown reason.';
grant execute on function public.balance_certificate(uuid, bigint, text) to authenticated;

-- supabase/schemas/acts/functions/roles.sql

-- Acts: the acts of staff on money and on the access of a person, the acts of a person on their own account, and the
-- decisions about both.
-- Uses: transfers, uploads.
-- Promises: acts have no table. Each act is audited in its own database transaction, and takes effect once for each
-- key. This file has the changes of a role.

create function private.counts_as_admin(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin')
    or exists (
      select from private.done_orders(person, '{demotion}') o where o.done_at > now() - interval '30 days'
    )
$$;
comment on function private.counts_as_admin(uuid) is
  'Returns whether a person is an administrator or was one in the last thirty days. An administrator who is briefly demoted therefore stays protected.';

create function private.refuse_new_role(person auth.users) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- A hosted project stores a pending change only in auth.users, where the change never expires.
  if private.waiting_email_change(person.id) is not null
    or (private.is_hosted() and coalesce(person.email_change, '') <> '')
  then
    raise exception 'Esta persona tiene un cambio de email sin confirmar. Espera a que lo confirme, lo cancele o caduque.'
      using errcode = 'PT403';
  end if;
  if exists (
    select from private.done_orders(person.id, '{reset_factor,begin_email_change}') o
    where o.done_at > now() - interval '72 hours'
  ) then
    raise exception 'El banco cambió el acceso de esta persona hace menos de 72 horas. Espera para darle el rol de administrador.'
      using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_new_role(auth.users) is
  'Refuses (PT403) to grant the administrator role to a person with a pending change of address, or to a person whose factor or address staff changed in the last 72 hours.';

create function private.needs_second_admin(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return private.requires_approvals() and exists (
    select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin'
  );
comment on function private.needs_second_admin(uuid) is
  'Returns whether an act against this person needs the approval of a second administrator: if the bank requires one and the person is an administrator.';

create function private.require_two_administrators(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The same lock as in private.guard_last_admin.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  -- A single administrator cannot decide their own orders.
  if (select count(*) from auth.users u where u.id <> person and private.is_working_admin(u)) < 2 then
    raise exception 'El banco necesita dos administradores. Puedes cerrar sus sesiones; lo demás lo hace el operador del banco con «npm run admin».'
      using errcode = 'PT403';
  end if;
end
$$;
comment on function private.require_two_administrators(uuid) is
  'Refuses (PT403) an act against an administrator if fewer than two others would remain.';

create function private.may_promote(person auth.users) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.require_proof(is_specified => true);
  end if;
  if private.is_operator() then
    return true;
  end if;
  perform private.refuse_new_role(person);
  return (select auth.uid()) is null or not private.requires_approvals() or private.has_approval('promotion', person.id);
end
$$;
comment on function private.may_promote(auth.users) is
  'Returns whether a person may get the administrator role now, and false if another administrator must approve it first. The administrator who grants the role in a request must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.refuse_new_role; only the operator may then grant the role.';

create function private.guard_second_admin(person auth.users, act text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_act constant boolean := coalesce((select auth.uid()) <> person.id, false);
begin
  if not private.requires_approvals() or private.is_operator() then
    return;
  end if;
  if is_act or private.is_working_admin(person) then
    perform private.require_two_administrators(person.id);
  end if;
  if is_act and not private.has_approval(act, person.id) then
    raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.guard_second_admin(auth.users, text) is
  'If the bank requires a second administrator, refuses (PT403) to delete, demote or ban an administrator if fewer than two would remain. Another administrator needs the approval of a third one, which the function of the act requests. Administrators can close their own accounts without an approval. The commands of the operator are exempt. The person is the row of auth.users before the act.';

create function private.role_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_promotion constant boolean := new.raw_app_meta_data ->> 'role' is not distinct from 'admin';
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
  -- Only a caller orders. In a database transaction without one, the book may have an earlier demotion of this function.
  is_ordered constant boolean := (select auth.uid()) is not null
    and (private.is_done_here(kind, new.id) or private.has_approval(kind, new.id));
begin
  if is_promotion then
    if not private.may_promote(new) then
      raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
    end if;
  else
    perform private.guard_last_admin(new.id);
    if (select auth.uid()) is not null then
      perform private.require_proof(is_specified => true);
    end if;
    perform private.guard_second_admin(old, 'demotion');
    delete from auth.sessions s where s.user_id = new.id;
    perform private.enter_unordered('demotion', new.id);
  end if;
  -- The mailed links were issued for the previous role. On a hosted project, the platform sends and revokes links. The
  -- approval of a promotion does not end the invitation of a person who has not signed in yet.
  if not private.is_hosted() and not (new.last_sign_in_at is null and private.has_approval('promotion', new.id)) then
    perform auth.end_links(new.id);
  end if;
  -- An order comes from an update of profiles (private.role_is_ordered), which writes the role itself.
  if not is_ordered then
    update public.profiles p set role = case when is_promotion then 'admin' else 'user' end where p.id = new.id;
  end if;
  return null;
end
$$;
comment on function private.role_changed() is
  'Does everything that a change of the administrator role needs, whichever program writes to auth.users. Refuses a change that breaks a rule. Ends the sessions of a demoted administrator, revokes all mailed links, enters the demotion that another program made, and copies the role to profiles. The audit entry and the mails follow at the commit (private.audit_authority). Raises the errors of private.may_promote, private.guard_last_admin and private.guard_second_admin. An administrator who removes the role in a request must also have entered the password or a mailed code recently.';

create function private.order_role(person uuid, is_promotion boolean) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
  target auth.users;
  entry private.orders;
begin
  perform private.require_admin();
  if person = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio rol.' using errcode = 'PT403';
  end if;
  entry.kind := kind;
  entry.about := person;
  if private.requires_approvals() and not private.has_approval(kind, person) then
    -- An impossible change is refused now and not after its approval: with the checks of private.role_changed, in their
    -- order.
    perform private.lock_approvals();
    perform private.require_proof(is_specified => true);
    if is_promotion then
      select u.* into target from auth.users u where u.id = person;
      perform private.refuse_new_role(target);
    else
      perform private.require_two_administrators(person);
    end if;
    entry.request_id := private.request_approval(kind, gen_random_uuid(), person, null, '{}');
    perform private.enter(entry);
    return false;
  end if;
  -- The book already has the order that another administrator has just approved. Every other order comes before the
  -- change. Otherwise, private.role_changed would take the change for an act of another program.
  if not private.has_approval(kind, person) then
    perform private.enter(entry);
  end if;
  update auth.users u
  set raw_app_meta_data = case
      when is_promotion then u.raw_app_meta_data || '{"role": "admin"}' else u.raw_app_meta_data - 'role'
    end,
    updated_at = now()
  where u.id = person;
  return true;
end
$$;
comment on function private.order_role(uuid, boolean) is
  'Grants or removes the administrator role for the calling administrator. Returns false if the bank requires a second administrator, whose decision is then requested. Raises 42501 for other callers, PT403 for the caller''s own role, and the errors of private.role_changed.';

create function private.role_is_ordered() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- If auth.users already has this role, private.role_changed only copies it to profiles.
  if exists (
    select from auth.users u
    where u.id = new.id and (u.raw_app_meta_data ->> 'role' is not distinct from 'admin') = (new.role = 'admin')
  ) or private.order_role(new.id, new.role = 'admin') then
    return new;
  end if;
  return null;
end
$$;
comment on function private.role_is_ordered() is
  'Orders the role that an update writes to profiles (private.order_role), because auth.users is authoritative. The update changes no row while the order waits.';

create function private.access_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.is_working_admin(old) then
    perform private.guard_last_admin(new.id);
  end if;
  if new.banned_until > now() and new.banned_until is distinct from old.banned_until then
    if old.raw_app_meta_data ->> 'role' = 'admin' then
      perform private.guard_second_admin(old, 'block');
    end if;
    perform private.enter_unordered('block_user', new.id);
  end if;
  delete from auth.sessions s where s.user_id = new.id;
  return null;
end
$$;
comment on function private.access_changed() is
  'Ends the sessions of a person who is banned or marked as deleted, whichever program writes to auth.users. Enters the ban that another program made. Raises the errors of private.guard_last_admin and, for a ban, of private.guard_second_admin.';

-- supabase/schemas/acts/functions/audit.sql

-- Audit of the acts. Each order has its entry from private.audit_act. The entries of a role, a ban and a deletion come from
-- the triggers of auth.users, because other programs write there, too.

create function private.audit_posting(
  entry private.orders, approved public.requests, posted uuid, correction public.corrections default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  act constant text := case when posted = correction.id then 'correct_transaction' else 'register_transaction' end;
  found_row public.transactions;
  facts jsonb;
begin
  select t.* into found_row from public.transactions t where t.user_id = entry.about and t.id = posted;
  if not found then
    -- The same decision has also deleted the account, but not its journal.
    select j.kind, abs(j.delta), j.dated_at into found_row.type, found_row.amount, found_row.date
    from ledger.journal j
    where j.user_id = entry.about and j.transaction_id = posted and j.kind in ('deposit', 'expense');
  end if;
  facts := jsonb_strip_nulls(jsonb_build_object(
    'id', posted,
    'corrects', case when posted = correction.id then correction.corrected_id end,
    'replaces', case when posted = correction.replacement_id then correction.corrected_id end,
    'type', found_row.type,
    'amount', to_char(found_row.amount, 'FM999999999999990.00'),
    'date', found_row.date
  ));
  perform private.record_audit(
    act, entry.about, null, facts || coalesce(private.approved_by(approved), '{}'), approved.asked_by
  );
  if entry.about = (private.author_of(approved.asked_by)).actor then
    perform private.tell_staff(
      act, jsonb_build_object('amount', facts -> 'amount'), u.id, private.name_of(u), approved.asked_by
    )
    from auth.users u where u.id = entry.about;
  end if;
end
$$;
comment on function private.audit_posting(private.orders, public.requests, uuid, public.corrections) is
  'Adds the audit entry of one transaction that an administrator registered, or of a correction or its replacement. Omits the description, because it is free text about a person. Tells every administrator if an administrator records a transaction in their own account.';

create function private.audit_correction(entry private.orders, approved public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  correction public.corrections;
begin
  select c.* into correction from public.corrections c where c.user_id = entry.about and c.id = entry.thing;
  -- The same decision may have deleted the account, too, but not its journal.
  if not found then
    correction.id := entry.thing;
    correction.corrected_id := (approved.details ->> 'transaction_id')::uuid;
    correction.replacement_id := (
      select j.transaction_id from ledger.journal j
      where j.user_id = entry.about and j.origin = 'correction' and j.origin_id = entry.thing
        and j.transaction_id <> entry.thing and j.kind in ('deposit', 'expense')
    );
  end if;
  perform private.audit_posting(entry, approved, correction.id, correction);
  if correction.replacement_id is not null then
    perform private.audit_posting(entry, approved, correction.replacement_id, correction);
  end if;
end
$$;
comment on function private.audit_correction(private.orders, public.requests) is
  'Adds the audit entries of a correction and of its replacement.';

create function private.audit_creation(entry private.orders) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the authentication service creates the user after this order.
  if not exists (select from auth.users u where u.id = entry.about) then
    perform private.record_audit('begin_user_creation', entry.about, null, entry.details);
    return;
  end if;
  perform private.record_audit('create_user', entry.about, null, entry.details);
  if entry.details ->> 'role' is not distinct from 'admin' then
    perform private.tell_staff('create_user', '{}', u.id, private.name_of(u)) from auth.users u where u.id = entry.about;
  end if;
end
$$;
comment on function private.audit_creation(private.orders) is
  'Adds the audit entry of a new user, or of the order to create one on a hosted project. Tells the administrators about a new administrator.';

create function private.audit_request(
  action text, request public.requests, decision text, approved public.requests default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry bigint;
begin
  entry := private.record_audit(action, coalesce(request.payer, request.about), null, jsonb_strip_nulls(jsonb_build_object(
    'id', request.id, 'kind', nullif(request.kind, 'transfer'), 'decision', decision,
    'amount', to_char(request.amount, 'FM999999999999999990.00'),
    'elsewhere', case when request.kind = 'transfer' and request.payee is null then true end,
    'first_approved_by', case when request.decided_by is not null then request.first_approved_by end
  )) || coalesce(private.approved_by(approved), '{}'), approved.asked_by);
  -- The payee is also affected.
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, request.payee, 1, request.amount where request.payee is not null;
end
$$;
comment on function private.audit_request(text, public.requests, text, public.requests) is
  'Adds the audit entry of a decision or of a return, whether or not another administrator approved it. The entry is about the payer and the payee of a transfer, or about the person affected by an act. Omits the description and the reason, because they are free text about a person.';

create function private.audit_file_return(request public.requests, approved public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  transfers constant public.requests[] := array(
    select t from private.returnable_in(
      (request.details ->> 'file')::integer, array_remove(array[request.asked_by, request.decided_by], null),
      -- A call that needs no approval has returned the first transfers already.
      case when approved.id is null then request.ended_at else 'infinity' end
    ) t
  );
  entry bigint;
begin
  entry := private.record_audit('return_clearing_file', null, null, jsonb_build_object(
    'number', (request.details ->> 'file')::integer, 'transfers', cardinality(transfers),
    'amount', to_char(request.amount, 'FM999999999999999990.00')
  ) || coalesce(private.approved_by(approved), '{}'), approved.asked_by);
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, t.payer, count(*), sum(t.amount) from unnest(transfers) t group by t.payer;
end
$$;
comment on function private.audit_file_return(public.requests, public.requests) is
  'Adds the audit entry of the return of a clearing file, whether or not another administrator approved it. The entry concerns every payer.';

create function private.audit_act(entry private.orders, approved public.requests default null) returns void
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
begin
  case entry.kind
    when 'register_transaction' then perform private.audit_posting(entry, approved, entry.thing);
    when 'correct_transaction' then perform private.audit_correction(entry, approved);
    when 'register_batch' then perform private.audit_batch('register_batch', entry.thing, 'waiting', approved);
    when 'reverse_batch' then perform private.audit_batch('reverse_batch', entry.thing, 'reversing');
    when 'return_transfer' then
      perform private.audit_request('return_transfer', r, null, approved) from public.requests r where r.id = entry.thing;
    when 'return_clearing_file' then
      perform private.audit_file_return(r, approved) from public.requests r where r.id = entry.thing;
    when 'create_user' then perform private.audit_creation(entry);
    when 'end_sessions' then perform private.record_audit('revoke_sessions', entry.about, null, null);
    when 'reset_factor' then
      perform private.record_audit('reset_factor', entry.about, null, private.approved_by(approved), approved.asked_by);
    when 'reset_access' then perform private.record_audit('reset_access', entry.about, null, null);
    when 'send_link' then perform private.record_audit('send_link', entry.about, null, entry.details);
    when 'begin_email_change' then perform private.record_audit('begin_email_change', entry.about, null, entry.details);
    when 'cancel_email_change' then perform private.record_audit('cancel_email_change', entry.about, null, null);
    when 'correct_holder' then
      -- The order changed nothing if it names no field.
      if entry.details is not null then
        perform private.record_audit('correct_holder', entry.about, null, entry.details);
      end if;
    -- A role, a ban and a deletion have their entries from private.audit_authority and private.audit_deletion, and an
    -- approval has its entry from public.decide_requests.
    when 'promotion', 'demotion', 'block_user', 'unblock_user', 'delete_user', 'approve_request' then null;
  end case;
end
$$;
comment on function private.audit_act(private.orders, public.requests) is
  'Adds the audit entry of an order that took effect; the only function that does. If another administrator approved the order, the actor of the entry is the administrator who gave it, and the entry also names the approver.';

create function private.audit_order() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The user that an order creates exists at once, even if the role of an administrator waits.
  if new.request_id is null or new.kind = 'create_user' then
    perform private.audit_act(new);
  end if;
  perform private.record_audit('request_approval', r.about, null, jsonb_strip_nulls(jsonb_build_object(
    'id', r.id, 'kind', r.kind, 'amount', to_char(r.amount, 'FM999999999999999990.00')
  )))
  from public.requests r
  -- If the same act is ordered again, both orders wait for the same request.
  where r.id = new.request_id and not exists (
    select from private.orders o where o.request_id = r.id and o.id <> new.id and o.asked_at < new.asked_at
  );
  return null;
end
$$;
comment on function private.audit_order() is
  'Adds the audit entry of an order: of the act if it took effect at once, and of the request for an approval if the order waits. An approved act has its entry from public.decide_requests.';

create function private.audit_role(before auth.users, after auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  granted constant jsonb := private.audited_role(after.raw_app_meta_data);
  approved constant public.requests := private.approval_of(
    case granted ->> 'role' when 'admin' then 'promotion' else 'demotion' end, after.id
  );
begin
  perform private.record_audit(
    'change_role', after.id, private.audited_role(before.raw_app_meta_data),
    granted || coalesce(private.approved_by(approved), '{}'), approved.asked_by
  );
  perform private.tell(array[after.id], 'change_role', granted);
  perform private.tell_staff('change_role', granted, u.id, private.name_of(u), approved.asked_by)
  from auth.users u where u.id = after.id;
end
$$;
comment on function private.audit_role(auth.users, auth.users) is
  'Adds the audit entry of a change of the administrator role, and tells the person and the administrators.';

create function private.audit_ban(before auth.users, after auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  act constant text := case when after.banned_until > now() then 'ban_user' else 'unban_user' end;
  approved constant public.requests := private.approval_of('block', after.id);
  facts constant jsonb := jsonb_strip_nulls(jsonb_build_object(
    'reason', case act when 'ban_user' then private.block_reason_of(after.id) end
  )) || jsonb_build_object('banned_until', after.banned_until);
begin
  perform private.record_audit(
    act, after.id,
    jsonb_build_object('banned_until', before.banned_until), facts || coalesce(private.approved_by(approved), '{}'),
    approved.asked_by
  );
  perform private.tell(array[after.id], act, facts);
  if act = 'ban_user' then
    perform private.tell_staff('ban_user', '{}', u.id, private.name_of(u), approved.asked_by)
    from auth.users u where u.id = after.id and u.raw_app_meta_data ->> 'role' = 'admin';
  end if;
end
$$;
comment on function private.audit_ban(auth.users, auth.users) is
  'Adds the audit entry of a ban, or of its end, and tells the person. Tells the administrators if the person is one of them.';

create function private.audit_authority() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
begin
  if private.audited_role(old.raw_app_meta_data) <> private.audited_role(new.raw_app_meta_data) then
    perform private.audit_role(old, new);
  end if;
  if old.banned_until is distinct from new.banned_until then
    perform private.audit_ban(old, new);
  end if;
  return null;
end
$$;
comment on function private.audit_authority() is
  'Records each change of a role and of a ban in the audit, whichever actor or program made it.';

create function private.audit_deletion() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  written_off text;
  owed text;
  approved constant public.requests := private.approval_of('deletion', old.id);
  before jsonb;
  is_own constant boolean := old.id is not distinct from (private.author_of(approved.asked_by)).actor;
begin
  -- Purging unconfirmed accounts is not recorded in the audit.
  if (select auth.uid()) is null and private.audit_context('origin') is null
    and old.email_confirmed_at is null
  then
    return null;
  end if;
  -- The budget no longer exists, but the closing entry still has the amount that was written off.
  select to_char(-j.delta, 'FM999999999999990.00') into written_off
  from ledger.journal j where j.user_id = old.id and j.kind = 'closing' order by j.seq desc limit 1;
  -- The customer's own notes may hide money that the bank owed.
  select to_char(sum(j.delta), 'FM999999999999990.00') into owed
  from ledger.journal j where j.user_id = old.id and j.kind in ('deposit', 'expense')
  having sum(j.delta) > abs(written_off::numeric);
  before := private.audited_role(old.raw_app_meta_data)
    || jsonb_strip_nulls(jsonb_build_object('balance', written_off, 'booked', owed));
  perform private.record_audit('delete_user', old.id, before, private.approved_by(approved), approved.asked_by);
  if not is_own then
    perform private.mail(array[old.email::text], 'delete_user', '{}');
  end if;
  -- Staff get no mail when a customer closes their own account.
  if not is_own or before ->> 'role' = 'admin' then
    perform private.tell_staff(
      'delete_user', '{}', old.id, private.name_of(old), approved.asked_by, before ->> 'role' = 'admin'
    );
  end if;
  return null;
end
$$;
comment on function private.audit_deletion() is
  'Records the deletion of a user in the audit, whichever actor or program deleted the user. Tells the person, unless they closed their own account, and the administrators.';

-- supabase/schemas/acts/functions/decisions.sql

-- The administrators who can decide a request, and their mail about it.

create function private.obstacle_to(request public.requests, person uuid) returns text
  language sql stable security definer
  set search_path = ''
  return case
    when person in (request.asked_by, request.payer, request.payee, request.about) then 'own'
    when request.kind = 'batch' and exists (
      select from public.batch_lines l where l.batch_id = request.id and l.user_id = person
    ) then 'own'
    when request.kind = 'transfer' and private.holds_keys(person, request.payer, request.payee) then 'keys'
    -- The return of a transfer is decided by the rule for the transfer.
    when request.kind = 'return' and exists (
      select from public.requests t
      where t.id = (request.details ->> 'transfer_id')::uuid and private.holds_keys(person, t.payer, t.payee)
    ) then 'keys'
    -- A second factor is the last proof that keeps the holder of the password or the mailbox out of the account.
    when request.kind = 'factor' and request.status = 'waiting' and private.holds_keys(person, request.about, null) then 'keys'
    when request.status = 'waiting' and request.first_approved_by = person then 'first'
  end;
comment on function private.obstacle_to(public.requests, uuid) is
  'Returns why a person cannot decide a request, and null if the person can decide it. `own`: the person made the request or is affected by it: as the payer or the payee of a transfer, or as a person paid by a batch. `keys`: the person gave or changed the access of the payer, the payee, or the owner of the second factors (private.holds_keys). `first`: the person approved the transfer first. The return of a clearing file leaves out the transfers that the person cannot decide (private.return_piece).';

create function private.administrators() returns uuid[]
  language sql stable security definer
  set search_path = ''
  return array(
    select u.id from public.profiles p join auth.users u on u.id = p.id
    where p.role = 'admin' and private.is_working_admin(u) order by u.id
  );
comment on function private.administrators() is 'Returns the administrators who are neither blocked nor deleted.';

create function private.is_stuck(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.status = 'waiting' and not exists (
    select from unnest(private.administrators()) a where private.obstacle_to(request, a) is null
  );
comment on function private.is_stuck(public.requests) is
  'Returns whether a request waits although no administrator of the bank can decide it at present.';

create function private.tell_deciders() returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Leaves the requests of the last ten seconds to the next call, because the database transactions of some of them may
  -- not have committed yet.
  made_before constant timestamptz := now() - interval '10 seconds';
  deciders uuid[];
begin
  -- A hosted project cannot send these mails.
  if private.is_hosted()
    or not exists (select from public.requests r where r.status = 'waiting' and r.expires_at > now())
    or not (
      private.requires_approvals() or private.is_on('transferencias')
    )
  then
    return 0;
  end if;
  deciders := array(
    select u.id from auth.users u
    left join private.notice_marks m on m.recipient = u.id and m.topic = 'request'
    where private.is_working_admin(u) and u.email_confirmed_at is not null
      and exists (
        select from public.requests r
        where r.status = 'waiting' and r.expires_at > now()
          and r.asked_at > coalesce(m.mailed_at, '-infinity') and r.asked_at <= made_before
          and private.obstacle_to(r, u.id) is null
      )
    order by u.id
    for key share of u
  );
  perform private.tell(deciders, 'request', happened_at => made_before);
  return cardinality(deciders);
end
$$;
comment on function private.tell_deciders() is
  'Tells every administrator who can sign in and decide a new request that requests wait. A request is new if it was made since the last mail to this administrator. The topic `request` allows at most one of these mails in an hour. The mail contains nothing about the requests. Returns the number of administrators who can decide a new request. Does nothing while the bank neither allows transfers nor requires a second administrator.';

create function private.end_held_batch(batch uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.batch_lines l set status = 'failed', fault = 'El lote no se aprobó.'
  where l.batch_id = batch and l.status = 'waiting';
  update public.batches b set is_held = false, failed = b.lines, finished_at = clock_timestamp() where b.id = batch;
end
$$;
comment on function private.end_held_batch(uuid) is 'Ends a batch whose request ends without an approval. None of its deposits is posted.';

create function private.end_undone(request public.requests, status text, reason text default null) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if request.kind = 'batch' then
    perform private.end_held_batch(request.id);
  end if;
  return private.end_request(request, status, reason);
end
$$;
comment on function private.end_undone(public.requests, text, text) is
  'Ends a request whose act is not carried out (private.end_request), and its batch if it has one.';

-- Carries out administrators' acts that another administrator has approved, with the same functions as for direct
-- orders (docs/decisions/0068).

create function private.refusal_of(request public.requests) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return case
    -- The bank may have demoted or blocked the author of the request in the meantime, for example because their session
    -- was stolen.
    when not private.may_administer(request.asked_by) then 'Quien lo pidió ya no es administrador.'
    when request.kind = 'deletion' and not exists (
      select from public.budgets b
      where b.user_id = request.about
        and greatest(abs(b.balance), b.balance - b.noted) = coalesce(request.amount, 0)
    ) then 'El saldo de la cuenta cambió.'
    when request.kind = 'factor' and private.counts_as_admin(request.about)
      then 'Esta persona es administradora, o lo fue en los últimos 30 días.'
    when request.kind = 'factor' and private.holds_keys(request.asked_by, request.about, null)
      then 'Quien lo pidió abrió la cuenta, o cambió su acceso, hace menos de 90 días.'
    when request.about = request.asked_by and request.kind in ('transaction', 'correction')
      and private.refuses_self_dealing()
      then 'El banco no permite registrar movimientos en la propia cuenta.'
  end;
end
$$;
comment on function private.refusal_of(public.requests) is
  'Returns why an approved act can no longer be carried out, and null if it can.';

create function private.promote(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The administrator who created the account chose its first password. Without this reset, that administrator could
  -- sign in to the account and approve their own requests.
  if exists (
    select from private.done_orders(person, '{create_user}') o
    where o.asked_by <> '00000000-0000-0000-0000-000000000000'
  ) then
    delete from auth.mfa_factors f where f.user_id = person;
    delete from auth.sessions s where s.user_id = person;
    update auth.users u set encrypted_password = null where u.id = person;
  end if;
  update public.profiles p set role = 'admin' where p.id = person;
end
$$;
comment on function private.promote(uuid) is
  'Carries out an approved promotion. First removes the password, the factors and the sessions of a person whose account an administrator opened.';

create function private.run_act(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  details constant jsonb := request.details;
begin
  case request.kind
    when 'transaction' then
      perform private.post_transaction(
        request.about, request.id, details ->> 'type', request.amount, details ->> 'description',
        (details ->> 'date')::timestamptz, details ->> 'category'
      );
    when 'correction' then
      perform private.post_correction(
        request.about, request.id, (details ->> 'transaction_id')::uuid, details ->> 'reason',
        (details ->> 'right_amount')::numeric, request.asked_by
      );
    when 'return' then
      perform private.post_return(r, request.details ->> 'reason', request.asked_by)
      from public.requests r where r.id = (request.details ->> 'transfer_id')::uuid;
    when 'file_return' then
      perform private.open_return(request);
    when 'batch' then
      update public.batches b set is_held = false where b.id = request.id;
    when 'deletion' then
      delete from auth.users u where u.id = request.about;
    when 'promotion' then
      perform private.promote(request.about);
    when 'demotion' then
      update public.profiles p set role = 'user' where p.id = request.about;
    when 'block' then
      perform private.ban(request.about, (details ->> 'hours')::integer);
      perform private.record_access_act('block', request.about, request.asked_by);
    when 'factor' then
      perform private.remove_factors(
        request.about, array(select f.id::uuid from jsonb_array_elements_text(details -> 'factors') with ordinality f (id, place) order by f.place)
      );
      perform private.record_access_act('factor', request.about, request.asked_by);
  end case;
end
$$;
comment on function private.run_act(public.requests) is
  'Carries out an approved act of any kind, with the functions that carry out direct orders.';

create function private.carry_out_act(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  refusal constant text := private.refusal_of(request);
  ended public.requests;
  said text;
begin
  if refusal is not null then
    return private.end_undone(request, 'failed', refusal);
  end if;
  begin
    ended := private.end_request(request, 'done');
    update private.orders o set done_in = pg_current_xact_id() where o.request_id = request.id;
    perform private.run_act(request);
    return ended;
  -- The state has changed since the request, for example because the transaction was corrected or the account was
  -- closed.
  exception
    when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics said = message_text;
      return private.end_undone(request, 'failed', left(said, 200));
    when integrity_constraint_violation then
      return private.end_undone(request, 'failed', 'El banco no pudo hacerlo.');
  end;
end
$$;
comment on function private.carry_out_act(public.requests) is
  'Carries out an administrator''s act that the caller has approved. Returns the request, whose state is then done, or failed with the reason. Called under the same conditions as private.carry_out.';

create function public.cancel_request(id uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests;
begin
  perform private.require_admin();
  select r.* into asked from public.requests r
  where r.id = cancel_request.id and r.asked_by = (select auth.uid()) and r.kind <> 'transfer' for no key update;
  if not found then
    -- The answer is the same for another administrator's id and for an unknown id.
    raise exception 'Esta solicitud no existe.' using errcode = 'PT404';
  end if;
  if asked.status = 'waiting' then
    asked := private.end_undone(asked, 'cancelled');
    perform private.record_audit('cancel_request', asked.about, null, jsonb_build_object('id', asked.id, 'kind', asked.kind));
  end if;
  return asked;
end
$$;
comment on function public.cancel_request(uuid) is
  'Cancels a waiting act that the caller requested as an administrator, and returns the request. If the request has already ended, returns it without changing it. For administrators only. Adds one audit entry. Raises PT404 for an unknown request. Reads at most 100 waiting orders of the caller.';
grant execute on function public.cancel_request(uuid) to authenticated;

-- Decisions: administrators approve and decline the requests of other people, and return the transfers of other people.

create function private.refuse_own_decision(requests public.requests[]) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
  obstacle text;
  kind text;
begin
  select o.obstacle, o.kind into obstacle, kind
  from (select private.obstacle_to(r, caller) as obstacle, r.kind from unnest(requests) r) o
  where o.obstacle is not null
  order by o.obstacle = 'own' desc, o.kind = 'transfer' desc limit 1;
  if found then
    raise exception using errcode = 'PT403', message = case
      when obstacle = 'first' then 'Ya la aprobaste: falta la aprobación de otra persona.'
      when obstacle = 'keys' and kind = 'factor'
        then 'Abriste esta cuenta, o cambiaste su acceso, hace menos de 90 días: decide otra persona.'
      when obstacle = 'keys'
        then 'Abriste la cuenta de quien paga, o cambiaste su acceso o el de quien recibe, hace menos de 90 días: decide otra persona.'
      when kind = 'transfer' then 'No puedes decidir sobre tu propia transferencia.'
      else 'No puedes decidir lo que pediste o lo que te concierne: lo decide otra persona.'
    end;
  end if;
end
$$;
comment on function private.refuse_own_decision(public.requests[]) is
  'Refuses (PT403) the decision of requests if the caller cannot decide one of them (private.obstacle_to).';

create function private.require_decision(ids uuid[], approve boolean, reason text) returns public.requests[]
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  ids_max constant integer := 100;
  asked public.requests[];
begin
  if coalesce((select bool_or(r.kind = 'transfer') from public.requests r where r.id = any (ids)), true) then
    perform private.require_feature('transferencias');
  end if;
  perform private.require_second_factor();
  perform private.require_admin();
  if (cardinality(ids) between 1 and ids_max and approve is not null) is not true then
    raise exception 'Se deciden entre 1 y % solicitudes a la vez.', ids_max using errcode = 'PT422';
  end if;
  if not coalesce(private.is_word(reason, 200), approve) then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  asked := array(select r from public.requests r where r.id = any (ids));
  if cardinality(asked) <> (select count(distinct i) from unnest(ids) i) then
    raise exception 'Esta solicitud no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_own_decision(asked);
  return asked;
end
$$;
comment on function private.require_decision(uuid[], boolean, text) is
  'First step of public.decide_requests: refuses a call that the caller may not make, and returns the requests.';

create function private.require_proof_of_approval(asked public.requests[]) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- These acts have no amount or a small one, but change who can act for the bank, or end an account.
  if exists (
    select from unnest(asked) r
    where r.kind in ('deletion', 'promotion', 'demotion', 'block', 'factor') and r.status = 'waiting' and r.expires_at > now()
  ) then
    perform private.require_proof();
  end if;
  perform private.require_proof_of((
    select coalesce(sum(r.amount), 0) from unnest(asked) r where r.status = 'waiting' and r.expires_at > now()
  ));
  return private.needs_approval((
    select coalesce(sum(r.amount), 0) from unnest(asked) r
    where r.kind = 'transfer' and r.status = 'waiting' and r.expires_at > now() and not private.has_first_approval(r)
  ));
end
$$;
comment on function private.require_proof_of_approval(public.requests[]) is
  'Second step of an approval: raises the errors of private.require_proof and private.require_proof_of, and returns whether the transfers need a second administrator.';

create function private.decide_request(
  request public.requests, approve boolean, reason text, needs_second boolean
) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if approve and request.status = 'waiting' and request.kind = 'transfer' and not private.has_first_approval(request)
    and (needs_second or request.first_approved_by is not null)
  then
    update public.requests r set first_approved_by = (select auth.uid()) where r.id = request.id returning r.* into request;
    return request;
  end if;
  update public.requests r set
    first_approved_by = case when approve and private.has_first_approval(r) then r.first_approved_by end,
    decided_by = (select auth.uid()),
    decided_by_name = (select p.full_name from public.profiles p where p.id = (select auth.uid())),
    decided_at = clock_timestamp(),
    reason = decide_request.reason
  where r.id = request.id
  returning r.* into request;
  return case
    when not approve then private.end_undone(request, 'declined')
    when request.kind = 'transfer' then private.advance(request)
    else private.carry_out_act(request)
  end;
end
$$;
comment on function private.decide_request(public.requests, boolean, text, boolean) is
  'Approves or declines a request that is open, and returns it. The first approval of a transfer only notes the administrator, and leaves decided_by null.';

create function private.enter_approval(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  entry.kind := 'approve_request';
  entry.about := coalesce(request.payer, request.about);
  entry.thing := request.id;
  entry.amount := request.amount;
  -- Only the approval of a transfer counts, and not the approval of another administrator's act. A transfer that two
  -- administrators approve counts for neither.
  entry.counts := request.kind = 'transfer' and request.decided_by is not null and request.first_approved_by is null;
  perform private.enter(entry);
end
$$;
comment on function private.enter_approval(public.requests) is 'Enters the approval of a request in the book.';

create function private.audit_decision(request public.requests, approve boolean) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.order_of(request);
begin
  perform private.audit_request('decide_request', request, case
    when request.decided_by is null then 'first_approved' when approve then 'approved' else 'declined'
  end);
  if request.kind <> 'transfer' and request.status = 'done' and entry.id is not null then
    perform private.audit_act(entry, request);
  end if;
end
$$;
comment on function private.audit_decision(public.requests, boolean) is
  'Adds the audit entry of a decision, and the entry of an approved act that took effect.';

create function public.decide_requests(ids uuid[], approve boolean, reason text default null) returns setof public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests[] := private.require_decision(ids, approve, reason);
  request public.requests;
  needs_second boolean := false;
  decided public.requests[] := '{}';
begin
  -- This check locks the session, so that its concurrent orders are checked one after another. The check precedes all
  -- other locks, because the orders could otherwise deadlock. If one of the requests is decided or expires in the
  -- meantime, the computed sum is merely too high.
  if approve then
    needs_second := private.require_proof_of_approval(asked);
  end if;
  perform private.lock_requests(ids);
  asked := array(select r from public.requests r where r.id = any (ids) order by r.asked_at, r.id);
  -- The caller may have changed the access of a person while this call waited for the locks.
  perform private.refuse_own_decision(asked);
  foreach request in array asked loop
    -- Reads the request again: an earlier request in this loop may have deleted a person and thereby ended this
    -- request. The first approval may have lost its effect while this call waited for the locks.
    select r.* into request from public.requests r where r.id = request.id;
    if request.status = 'waiting' and request.expires_at <= now() then
      request := private.end_undone(request, 'expired');
    elsif request.status = 'waiting' or (request.status = 'scheduled' and not approve) then
      request := private.decide_request(request, approve, reason, needs_second);
      decided := decided || request;
    end if;
    return next request;
  end loop;
  if approve then
    perform private.enter_approval(r) from unnest(decided) r;
  end if;
  -- The audit comes last, because its chain stays locked until the commit.
  foreach request in array decided loop
    perform private.audit_decision(request, approve);
  end loop;
end
$$;
comment on function public.decide_requests(uuid[], boolean, text) is
  'Approves or declines up to 100 waiting requests, and returns them. An approved act of an administrator is carried out at once (private.carry_out_act). An approved transfer is carried out at once or scheduled for its day; if it cannot be carried out, its state is failed. If the approved transfers would raise the total that the caller moved today above the bank''s limit (private.needs_approval), they keep the state waiting until another administrator approves them, too. Declining requires a reason, which the person who made the request can read, and also stops a scheduled transfer. A request that needs no decision is returned unchanged. For administrators only, with their second factor if they have one. Adds one audit entry for each decision. Raises PT403 for requests that the caller cannot decide (private.obstacle_to), PT404 for an unknown request, and PT422 for a missing reason or too many requests. An approval also raises the errors of private.require_proof_of for the sum of the requests. To approve a deletion, a promotion, a demotion, a block or the removal of second factors, the caller must have entered the password or a mailed code within the last ten minutes (private.require_proof). Reads at most 100 requests and their 200 people.';
grant execute on function public.decide_requests(uuid[], boolean, text) to authenticated;

create function public.return_transfer(id uuid, reason text) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  request public.requests;
  is_checked boolean;
  must_wait boolean := false;
  entry private.orders;
begin
  perform private.require_feature('transferencias');
  perform private.require_second_factor();
  perform private.require_admin();
  if private.is_word(reason, 200) is not true then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  select r.* into request from public.requests r where r.id = return_transfer.id and r.kind = 'transfer';
  if not found then
    raise exception 'Esta transferencia no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_own_decision(array[request]);
  -- These checks come before the locks, as in public.decide_requests.
  is_checked := request.status = 'done';
  if is_checked then
    perform private.consume('act of staff', (select auth.uid())::text);
    perform private.require_proof_of(request.amount);
    must_wait := request.payee is null and private.needs_approval(request.amount);
  end if;
  perform private.lock_requests(array[return_transfer.id]);
  select r.* into request from public.requests r where r.id = return_transfer.id;
  if request.status = 'returned' and request.reason = return_transfer.reason then
    return request;
  end if;
  -- The transfer was carried out while this call waited for its lock. The checks above did not see its amount.
  if request.status = 'done' and not is_checked then
    raise exception 'Solo se devuelve una transferencia hecha.' using errcode = 'PT409';
  end if;
  -- The other bank may already have paid a transfer that is in a file. A single administrator could otherwise create
  -- money by returning a paid transfer.
  entry.kind := 'return_transfer';
  entry.about := request.payer;
  entry.thing := request.id;
  entry.amount := request.amount;
  -- The return of a transfer between customers does not change the bank's total.
  entry.counts := request.payee is null;
  if must_wait and request.status = 'done' and private.clearing_file_with(request.id) is not null then
    -- An impossible act is refused now and not after its approval.
    perform private.check_return(request);
    entry.request_id := private.request_return(request, return_transfer.reason);
    perform private.enter(entry);
    return request;
  end if;
  perform private.enter(entry);
  return private.post_return(request, return_transfer.reason, (select auth.uid()));
end
$$;
comment on function public.return_transfer(uuid, text) is
  'Reverses all postings of a transfer in one database transaction, and returns the request. All reversals of one transfer have the same id. A returned transfer to an account at another bank is left out of later clearing files. If a clearing file already contains the transfer, an administrator must return it only after the other bank has sent the amount back. If the amount of a transfer in a file exceeds the bank''s limit, the return waits for another administrator. The request then keeps the state done (private.request_return). The balance of the payee may become negative, as after any correction. A second call with the same reason returns the request. For administrators only, with their second factor if they have one. Adds one audit entry. Raises PT403 for a transfer that the caller cannot decide (private.obstacle_to), PT404 for an unknown request, and PT422 for a missing reason. Raises PT409 for a transfer that is not done and for a closed account. Also raises the errors of private.require_proof_of, and the refusal (PT429) of the limit "act of staff". Reads at most one request and its people.';
grant execute on function public.return_transfer(uuid, text) to authenticated;

-- supabase/schemas/acts/functions/access.sql

-- Access: a person's own sessions, and staff actions that change another person's access. Each action has a function in
-- `private`, which the operator's commands also use, and a second function that checks the caller. The second function
-- is in `public`, where administrators call it through the table API. If the action mails a link, the second function
-- is not in `public`, and only the server function `manage-users` calls this second function.

create function private.block_reasons() returns text[]
  language sql immutable
  set search_path = ''
  return array['customer_request', 'suspected_fraud', 'identity_check', 'legal_order', 'other'];
comment on function private.block_reasons() is
  'The reasons why a person can be blocked, which contract/database-types.ts lists too. The list is fixed: the audit is kept after the person''s account is deleted, and must not contain free text about the person.';

create function private.refuse_block(hours integer, reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if (reason = any (private.block_reasons())) is not true then
    raise exception 'Elige el motivo del bloqueo.' using errcode = 'PT422';
  end if;
  if hours not between 1 and 87600 then
    raise exception 'Un bloqueo dura de 1 a 87.600 horas.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_block(integer, text) is
  'Raises PT422 if the reason of a block is not one of the known reasons, or if the block would not last 1 to 87,600 hours.';

create function private.ban(person uuid, hours integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The authentication service of a hosted project cannot read an infinite timestamp, so a permanent block lasts a
  -- hundred years.
  update auth.users u
  set banned_until = now() + make_interval(hours => least(coalesce(hours, 876000), 876000)), updated_at = now()
  where u.id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.ban(uuid, integer) is
  'Bans a person for this number of hours or permanently. The triggers on auth.users end the sessions, record the block in the audit, and refuse to block the last administrator (PT403).';

create function private.block_user(person uuid, hours integer, reason text, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.refuse_block(hours, reason);
  -- The order comes first. Otherwise, private.access_changed would take the ban for an act of another program.
  perform private.enter_act('block_user', person, entry, jsonb_build_object('reason', reason));
  perform private.ban(person, hours);
end
$$;
comment on function private.block_user(uuid, integer, text, private.orders) is
  'Blocks a person for 1 to 87,600 hours or permanently, ends all their sessions, and enters the order. Raises the errors of private.refuse_block and private.ban.';
grant execute on function private.block_user(uuid, integer, text, private.orders) to supabase_auth_admin;

create function private.unblock_user(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.enter_act('unblock_user', person, entry);
  update auth.users u set banned_until = null, updated_at = now() where u.id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.unblock_user(uuid, private.orders) is 'Unblocks a person, and enters the order. The trigger on auth.users records the end of the block in the audit.';
grant execute on function private.unblock_user(uuid, private.orders) to supabase_auth_admin;

create function private.end_sessions(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.user_id = person;
  perform private.enter_act('end_sessions', person, entry);
  perform private.tell(array[person], 'revoke_sessions');
end
$$;
comment on function private.end_sessions(uuid, private.orders) is 'Ends every session of a person, enters the order, and tells the person.';
grant execute on function private.end_sessions(uuid, private.orders) to supabase_auth_admin;

create function private.verified_factors(person uuid) returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return array(select f.id from auth.mfa_factors f where f.user_id = person and f.status = 'verified' order by f.id);
end
$$;
comment on function private.verified_factors(uuid) is 'Returns the ids of a person''s second factors, in their order.';

create function private.remove_factors(person uuid, verified uuid[] default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if verified is not null and verified is distinct from private.verified_factors(person) then
    raise exception 'Los segundos factores de esta persona cambiaron.' using errcode = 'PT409';
  end if;
  -- Deletes factors before sessions, because all code takes these locks in the same order. A factor that its owner
  -- verifies at this moment stays.
  delete from auth.mfa_factors f
  where f.user_id = person and (verified is null or f.status <> 'verified' or f.id = any (verified));
  delete from auth.sessions s where s.user_id = person;
  -- A hosted project does not support the delayed removal of factors.
  if not private.is_hosted() then
    perform auth.forget_factors_end(person);
  end if;
  perform private.record_access_act('factor', person);
  perform private.tell(array[person], 'reset_factor');
end
$$;
comment on function private.remove_factors(uuid, uuid[]) is
  'Removes all of a person''s second factors, ends their sessions, cancels a pending removal of their factors, and tells the person. The person can then sign in with the password alone. If the verified factors are given, raises PT409 if the person now has others.';

create function private.reset_factor(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.remove_factors(person);
  perform private.enter_act('reset_factor', person, entry);
end
$$;
comment on function private.reset_factor(uuid, private.orders) is
  'Removes all of a person''s second factors (private.remove_factors), and enters the order.';
grant execute on function private.reset_factor(uuid, private.orders) to supabase_auth_admin;

create function private.record_access_reset(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.enter_act('reset_access', person)
$$;
comment on function private.record_access_reset(uuid) is
  'Enters the operator''s order to give a person a new password and to remove everything else that gives access.';
grant execute on function private.record_access_reset(uuid) to supabase_auth_admin;

create function private.record_link_mail(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  has_signed_in constant boolean := exists (
    select from auth.users u
    where u.id = person and u.email_confirmed_at is not null and u.last_sign_in_at is not null
  );
begin
  if has_signed_in and exists (select from auth.users u where u.id = person and u.banned_until > now()) then
    raise exception 'El acceso de esta persona está bloqueado.' using errcode = 'PT409';
  end if;
  -- A link for a new password reaches only the mailbox that the person confirmed. It gives the administrator nothing.
  if not has_signed_in then
    perform private.record_access_act('link', person);
  end if;
  perform private.enter_act(
    'send_link', person, entry, case when has_signed_in then jsonb_build_object('link', 'recovery') end
  );
end
$$;
comment on function private.record_link_mail(uuid, private.orders) is
  'Enters the order to mail a link: a confirmation or an invitation again, or a link for a new password to a person who has already signed in. Raises PT409 if a person who has signed in is blocked.';
grant execute on function private.record_link_mail(uuid, private.orders) to supabase_auth_admin;

create function private.record_email_change(person uuid, address_mac text, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if address_mac !~ '^[0-9a-f]{64}$' then
    raise exception 'The fingerprint of the address is not an HMAC.' using errcode = '22023';
  end if;
  perform private.record_access_act('address', person);
  perform private.enter_act(
    'begin_email_change', person, entry, case when address_mac is not null then jsonb_build_object('address_mac', address_mac) end
  );
end
$$;
comment on function private.record_email_change(uuid, text, private.orders) is
  'Enters the order to change an e-mail address. If address_mac is given, the order and its audit entry contain this HMAC of the new address instead of the address itself. The holder of the HMAC''s key can still check whether a given address is the new address.';
grant execute on function private.record_email_change(uuid, text, private.orders) to supabase_auth_admin;

create function private.cancel_email_change(person uuid, entry private.orders default null) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  was_waiting boolean := false;
begin
  -- On a hosted project, staff change an address at once. A change that the person requested cannot be cancelled there.
  if not private.is_hosted() then
    was_waiting := auth.cancel_address_change(person);
  end if;
  if was_waiting then
    perform private.record_access_act('address', person);
    perform private.enter_act('cancel_email_change', person, entry);
    perform private.tell(array[person], 'cancel_email_change');
  end if;
  return was_waiting;
end
$$;
comment on function private.cancel_email_change(uuid, private.orders) is
  'Cancels a pending change of e-mail address, whether the person or staff requested it, and enters the order. Returns false if the person has no pending change.';
grant execute on function private.cancel_email_change(uuid, private.orders) to supabase_auth_admin;

create function private.require_change_of(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if person = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio acceso desde aquí.' using errcode = 'PT403';
  end if;
  perform from auth.users u where u.id = person for update;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  if private.counts_as_admin(person) then
    perform private.require_proof();
  end if;
end
$$;
comment on function private.require_change_of(uuid) is
  'Checks that the caller may change another person''s access. Must be called after the caller''s key has been claimed. Raises PT403 for the caller''s own account and PT404 for an unknown user. If the person is an administrator, the caller must also have entered the password or a mailed code recently (private.require_proof).';

create function private.begin_access_change(act text, key text, person uuid, details jsonb default null) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim_call('rpc/' || act, key, jsonb_build_array(person, details));
begin
  if entry.id is null then
    perform private.consume('act of staff', (select auth.uid())::text);
    perform private.require_change_of(person);
  end if;
  return entry;
end
$$;
comment on function private.begin_access_change(text, text, uuid, jsonb) is
  'First step when an administrator changes another person''s access through the table API. Returns the order, which the act completes and enters (private.enter_act). If the call already took effect, the order has an id. Raises the errors of private.claim_call, private.require_change_of, and the refusal (PT429) of the limit "act of staff".';

create function private.require_power_over(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.counts_as_admin(person) then
    raise exception 'No puedes cambiarlo de quien es administrador, o lo fue en los últimos 30 días: lo hace el operador del banco.'
      using errcode = 'PT403';
  end if;
  perform private.require_proof();
end
$$;
comment on function private.require_power_over(uuid) is
  'Guards the actions by which an account could be handed to another person. The caller must have entered the password or a mailed code recently (private.require_proof). Refuses (PT403) accounts that belonged to an administrator in the last thirty days, because one administrator could otherwise take over another''s account.';

create function public.block_user(
  user_id uuid, reason text, hours integer default null, idempotency_key text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  -- private.request_approval takes this lock. An administrator who also decides requests about this person at the same
  -- moment could otherwise deadlock with themself.
  if private.requires_approvals() then
    perform private.lock_approvals();
  end if;
  entry := private.begin_access_change('block_user', idempotency_key, user_id, jsonb_build_array(reason, hours));
  if entry.id is not null then
    return;
  end if;
  if private.needs_second_admin(user_id) then
    perform private.refuse_block(hours, reason);
    perform private.require_two_administrators(user_id);
    entry.request_id := private.request_approval(
      'block', gen_random_uuid(), user_id, null, jsonb_build_object('reason', reason, 'hours', hours)
    );
    perform private.enter_act('block_user', user_id, entry, jsonb_build_object('reason', reason));
  else
    perform private.block_user(user_id, hours, reason, entry);
  end if;
end
$$;
comment on function public.block_user(uuid, text, integer, text) is
  'Blocks a person for one of the known reasons, either for the given number of hours or permanently, and ends their sessions. If the bank requires a second administrator and the person is an administrator, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT403 for the caller''s own account or the last administrator, and the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.block_user(uuid, text, integer, text) to authenticated;

create function public.unblock_user(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('unblock_user', idempotency_key, user_id);
begin
  if entry.id is null then
    perform private.unblock_user(user_id, entry);
  end if;
end
$$;
comment on function public.unblock_user(uuid, text) is
  'Unblocks a person. For administrators only. Raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.unblock_user(uuid, text) to authenticated;

create function public.end_sessions(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('end_sessions', idempotency_key, user_id);
begin
  if entry.id is null then
    perform private.end_sessions(user_id, entry);
  end if;
end
$$;
comment on function public.end_sessions(uuid, text) is
  'Ends every session of another person. For administrators only. Raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.end_sessions(uuid, text) to authenticated;

create function private.request_factor_removal(person uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  verified constant uuid[] := private.verified_factors(person);
begin
  perform private.require_two_administrators(person);
  if private.holds_keys((select auth.uid()), person, null) then
    raise exception 'Abriste esta cuenta, o cambiaste su acceso, hace menos de 90 días: lo pide otra persona.' using errcode = 'PT403';
  end if;
  if verified = '{}' then
    raise exception 'Esta persona no tiene un segundo factor.' using errcode = 'PT409';
  end if;
  return private.request_approval('factor', gen_random_uuid(), person, null, jsonb_build_object('factors', verified));
end
$$;
comment on function private.request_factor_removal(uuid) is
  'Requests another administrator''s decision about the removal of the second factors that a customer has now, and returns the id of the request. Raises PT403 if the caller gave or changed the customer''s access (private.holds_keys), and PT409 for a customer without a second factor.';

create function public.reset_factor(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  -- As in public.block_user.
  if private.requires_approvals() then
    perform private.lock_approvals();
  end if;
  entry := private.begin_access_change('reset_factor', idempotency_key, user_id);
  if entry.id is not null then
    return;
  end if;
  perform private.require_power_over(user_id);
  if private.requires_approvals() then
    entry.request_id := private.request_factor_removal(user_id);
    perform private.enter_act('reset_factor', user_id, entry);
  else
    perform private.reset_factor(user_id, entry);
  end if;
end
$$;
comment on function public.reset_factor(uuid, text) is
  'Removes all of a customer''s second factors and ends their sessions. If the bank requires a second administrator, requests another administrator''s decision instead (private.request_factor_removal, public.waits_for_approval). Only administrators who have recently entered the password or a mailed code may call this function (private.require_power_over). Reads at most one person.';
grant execute on function public.reset_factor(uuid, text) to authenticated;

create function public.cancel_email_change(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('cancel_email_change', idempotency_key, user_id);
begin
  if entry.id is not null then
    return;
  end if;
  if not private.cancel_email_change(user_id, entry) then
    raise exception 'No hay ningún cambio de email en espera.' using errcode = 'PT409';
  end if;
end
$$;
comment on function public.cancel_email_change(uuid, text) is
  'Cancels a pending change of e-mail address. For administrators only. Does not require the password or a mailed code, because the account stays with its owner. Raises PT409 if no change is pending. Also raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.cancel_email_change(uuid, text) to authenticated;

-- The authentication service sends mails and changes addresses. On our own server, the service uses the database
-- transaction of the action. On a hosted project, a function that holds the service key calls the authentication
-- service, which uses its own database transaction.

create function private.begin_email_change(
  user_id uuid, idempotency_key text default null, body_hash text default null, address_mac text default null,
  order_id uuid default gen_random_uuid()
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_change_of(user_id);
  perform private.require_power_over(user_id);
  entry.id := order_id;
  perform private.record_email_change(user_id, address_mac, entry);
end
$$;
comment on function private.begin_email_change(uuid, text, text, text, uuid) is
  'First step of changing a customer''s e-mail address, for administrators who have recently entered the password or a mailed code (private.require_power_over). A repeated call enters no order with order_id (private.is_ordered). Consumes the limit "act of staff". The audit identifies the new address by its HMAC, if the caller passes an HMAC. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_email_change(uuid, text, text, text, uuid) to authenticated;

create function private.begin_link_mail(
  user_id uuid, idempotency_key text default null, body_hash text default null, order_id uuid default gen_random_uuid()
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_change_of(user_id);
  entry.id := order_id;
  perform private.record_link_mail(user_id, entry);
end
$$;
comment on function private.begin_link_mail(uuid, text, text, uuid) is
  'First step of mailing a confirmation, an invitation or a link for a new password, for administrators only. A repeated call enters no order with order_id (private.is_ordered). Raises the errors of private.claim, private.require_change_of and private.record_link_mail, and the refusal (PT429) of the limit "act of staff". Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_link_mail(uuid, text, text, uuid) to authenticated;

create function public.begin_email_change(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.begin_email_change(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.begin_email_change(uuid, uuid, uuid, text, text) is
  'Calls private.begin_email_change on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.begin_email_change(uuid, uuid, uuid, text, text) to service_role;

create function public.begin_link_mail(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.begin_link_mail(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.begin_link_mail(uuid, uuid, uuid, text, text) is
  'Calls private.begin_link_mail on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.begin_link_mail(uuid, uuid, uuid, text, text) to service_role;

-- supabase/schemas/acts/functions/orders.sql

-- Acts on money and on accounts: registering, correcting and reversing, and opening and deleting users.

-- On a hosted project the authentication service creates users, in its own database transactions (docs/decisions/0032).

create function private.order_user(
  user_id uuid, role text, idempotency_key text default null, body_hash text default null,
  order_id uuid default gen_random_uuid(), only_checks boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if role = 'admin' then
    perform private.require_proof(is_specified => true);
  end if;
  if only_checks then
    return null;
  end if;
  entry.id := order_id;
  entry.kind := 'create_user';
  entry.about := user_id;
  -- The new user is a customer until another administrator approves the promotion, which private.check_new_person requests
  -- with this id. On a hosted project, a later call promotes the user.
  if role = 'admin' and private.requires_approvals() and not private.is_hosted() then
    entry.request_id := gen_random_uuid();
  end if;
  entry.details := private.audited_role(jsonb_build_object('role', case when entry.request_id is null then role end));
  return private.answer_of(private.enter(entry));
end
$$;
comment on function private.order_user(uuid, text, text, text, uuid, boolean) is
  'First step when an administrator creates a user: claims the key and enters the order. Returns the answer, also of an earlier call with the same key, which entered no order with order_id (private.is_ordered). If only_checks is true, returns null for a new call. To create an administrator, the caller must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.claim.';
grant execute on function private.order_user(uuid, text, text, text, uuid, boolean) to authenticated;

create function public.begin_user_creation(
  actor uuid, session_id uuid, user_id uuid, role text, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  order_id constant uuid := gen_random_uuid();
  answer jsonb;
begin
  perform private.act_for(actor, session_id);
  answer := private.order_user(user_id, role, idempotency_key, body_hash, order_id);
  if private.is_ordered(order_id) then
    -- The user does not exist yet, and the authentication service does not know who asks for it.
    perform private.record_access_act('open', user_id);
  end if;
  return answer;
end
$$;
comment on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) is
  'First step when another service creates a user on behalf of an administrator: enters the order for the new user''s id (private.order_user). The audit entry records the intent. Returns the answer, also of an earlier call with the same key. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) to service_role;

create function public.abort_user_creation(actor uuid, session_id uuid, idempotency_key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.require_admin();
  delete from private.orders o
  where o.asked_by = abort_user_creation.actor and o.route = 'manage-users' and o.call_key = idempotency_key
    and o.kind = 'create_user'
    -- Keeps the order if the user was created.
    and not exists (select from auth.users u where u.id = o.about);
end
$$;
comment on function public.abort_user_creation(uuid, uuid, text) is
  'Removes an administrator''s order if the creation of the user failed, so that the administrator can use the key again. Keeps the order if the user exists. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.abort_user_creation(uuid, uuid, text) to service_role;

create function public.erase_account(user_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_as('service', user_id);
  delete from auth.users u where u.id = user_id;
end
$$;
comment on function public.erase_account(uuid) is
  'Erases a person''s account at their own request. On a hosted project, the server function delete-account checks the person''s password and then calls this SQL function with the service key. Raises PT403 for the last administrator.';
grant execute on function public.erase_account(uuid) to service_role;

-- The orders of administrators that a function of the server (supabase/functions) receives: transactions of the bank and
-- deletions of users. If the amount exceeds the bank's limit, another administrator decides the order.

create function private.register_transaction(
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  id uuid default gen_random_uuid(), idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-transactions', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if not exists (select from auth.users u where u.id = register_transaction.user_id) then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(amount, is_specified => true);
  entry.kind := 'register_transaction';
  entry.about := user_id;
  entry.thing := id;
  entry.amount := amount;
  entry.counts := true;
  if private.needs_approval(amount) then
    -- An impossible act is refused now and not after its approval.
    perform private.check_transaction(user_id, id, type, amount, description, date, category);
    entry.request_id := private.request_approval('transaction', id, user_id, amount, jsonb_build_object(
      'type', type, 'description', description, 'date', date, 'category', category
    ));
  end if;
  entry := private.enter(entry);
  if entry.request_id is null then
    perform private.post_transaction(user_id, id, type, amount, description, date, category);
  end if;
  return private.answer_of(entry);
end
$$;
comment on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) is
  'Records a deposit or expense for any customer on behalf of the bank, once for each idempotency key, and returns the answer with the id of the transaction. If the amount exceeds the bank''s limit, requests another administrator''s decision instead (private.request_approval). For administrators only. Raises PT404 for an unknown user, and the errors of private.refuse_self_dealing, private.require_proof_of and private.claim. Clients cannot call this SQL function through the table API; they call the server function manage-transactions.';
grant execute on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) to authenticated;

create function private.delete_user(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
  waits boolean := false;
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if user_id = (select auth.uid()) then
    raise exception 'No puedes eliminar tu propia cuenta desde aquí.' using errcode = 'PT403';
  end if;
  perform private.require_proof(is_specified => true);
  entry.kind := 'delete_user';
  entry.about := user_id;
  entry.counts := true;
  -- The bank owes the customer the sum of the bank's postings, even if the customer's notes make the balance smaller.
  select nullif(greatest(abs(b.balance), b.balance - b.noted), 0) into entry.amount
  from public.budgets b where b.user_id = delete_user.user_id;
  if private.needs_second_admin(user_id) then
    perform private.lock_approvals();
    perform private.require_two_administrators(user_id);
    waits := true;
  elsif entry.amount > 0 then
    waits := private.needs_approval(entry.amount);
  end if;
  if waits then
    entry.request_id := private.request_approval('deletion', gen_random_uuid(), user_id, entry.amount, '{}');
  else
    delete from auth.users u where u.id = user_id;
    if not found then
      raise exception 'El usuario no existe.' using errcode = 'PT404';
    end if;
  end if;
  return private.answer_of(private.enter(entry));
end
$$;
comment on function private.delete_user(uuid, text, text) is
  'Deletes a user and returns the answer. If the balance, or the balance without the customer''s own notes, exceeds the bank''s limit, or if the bank requires a second administrator and the user is an administrator, requests another administrator''s decision instead (private.request_approval). Each idempotency key takes effect once. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). Raises PT403 for the caller''s own account or the last administrator, PT404 for an unknown user, and the errors of private.claim. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.delete_user(uuid, text, text) to authenticated;

create function public.register_transaction(
  actor uuid, session_id uuid,
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  return private.register_transaction(
    user_id, type, amount, description, date, category,
    idempotency_key => register_transaction.idempotency_key, body_hash => register_transaction.body_hash
  );
end
$$;
comment on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) is
  'Calls private.register_transaction on behalf of an administrator. On a hosted project, the server function manage-transactions calls this SQL function with the service key.';
grant execute on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) to service_role;

create function public.delete_user(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  return private.delete_user(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.delete_user(uuid, uuid, uuid, text, text) is
  'Calls private.delete_user on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.delete_user(uuid, uuid, uuid, text, text) to service_role;

create function public.correct_transaction(
  user_id uuid, transaction_id uuid, reason text, idempotency_key text default null, right_amount numeric default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  entry private.orders := private.claim_call(
    'rpc/correct_transaction', idempotency_key, jsonb_build_array(user_id, transaction_id, reason, right_amount)
  );
begin
  if entry.id is not null then
    return entry.thing;
  end if;
  perform private.consume('act of staff', clerk::text);
  entry.kind := 'correct_transaction';
  entry.about := user_id;
  entry.thing := gen_random_uuid();
  entry.amount := (private.mistake_of(user_id, transaction_id)).amount + coalesce(right_amount, 0);
  entry.counts := true;
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(entry.amount);
  if private.needs_approval(entry.amount) then
    -- An impossible act is refused now and not after its approval.
    perform private.check_correction(user_id, entry.thing, transaction_id, reason, right_amount, clerk);
    entry.request_id := private.request_approval('correction', entry.thing, user_id, entry.amount, jsonb_build_object(
      'transaction_id', transaction_id, 'reason', reason, 'right_amount', right_amount
    ));
  end if;
  entry := private.enter(entry);
  if entry.request_id is null then
    perform private.post_correction(user_id, entry.thing, transaction_id, reason, right_amount, clerk);
  end if;
  return entry.thing;
end
$$;
comment on function public.correct_transaction(uuid, uuid, text, text, numeric) is
  'Reverses a bank transaction by a new transaction of the opposite type with the same amount, and returns the new transaction''s id. A transaction can be reversed only once, and each idempotency key takes effect only once. If right_amount is given, also records a replacement with this amount and the date of the mistake. If the sum of both amounts exceeds the bank''s limit, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction, if it was already corrected, if it is a correction with a replacement, or if it belongs to a transfer. Also raises the errors of private.refuse_self_dealing, private.require_proof_of and private.claim_call, and the refusal (PT429) of the limit "act of staff". Reads at most one transaction.';
grant execute on function public.correct_transaction(uuid, uuid, text, text, numeric) to authenticated;

create function public.reverse_batch(id uuid, reason text) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
  ordered public.batches := private.lock_batch(id);
  unposted integer;
  corrected integer;
  reversing integer;
  entry private.orders;
begin
  if ordered.reversed_at is not null then
    perform private.require_same_upload(
      ordered.reversed_by = caller and ordered.reason = reverse_batch.reason, 'Este lote ya se revirtió.'
    );
    return ordered;
  end if;
  if exists (
    select from public.batch_lines l where l.batch_id = ordered.id and l.user_id = caller and l.status = 'posted'
  ) then
    perform private.refuse_self_dealing(caller);
  end if;
  update public.batch_lines l set status = 'failed', fault = 'El lote se revirtió antes de este abono.'
  where l.batch_id = ordered.id and l.status = 'waiting';
  get diagnostics unposted = row_count;
  update public.batch_lines l set fault = 'Este abono ya se había corregido.'
  where l.batch_id = ordered.id and l.status = 'posted' and exists (
    select from private.void_at(l.user_id) v where v.transaction_id = l.transaction_id
  );
  get diagnostics corrected = row_count;
  update public.batch_lines l set status = 'reversing'
  where l.batch_id = ordered.id and l.status = 'posted' and l.fault is null;
  get diagnostics reversing = row_count;
  entry.kind := 'reverse_batch';
  entry.thing := ordered.id;
  entry.counts := true;
  select coalesce(sum(l.amount), 0) into entry.amount
  from public.batch_lines l where l.batch_id = ordered.id and l.status = 'reversing';
  perform private.require_proof_of(entry.amount);
  perform private.enter(entry);
  update public.batches b set
    reversed_at = clock_timestamp(),
    reversed_by = caller,
    reversed_by_name = (select p.full_name from public.profiles p where p.id = caller),
    reason = reverse_batch.reason,
    posted_by = caller,
    failed = b.failed + unposted,
    kept = corrected,
    stopped_at = null,
    finished_at = case when reversing = 0 then clock_timestamp() end
  where b.id = ordered.id
  returning b.* into ordered;
  return ordered;
end
$$;
comment on function public.reverse_batch(uuid, text) is
  'Orders the reversal of a whole batch, which takes effect only once. Lines that are still waiting are not posted. private.post_batch_piece then corrects the batch''s deposits, except deposits that are void because they were already corrected. Returns the batch, even if the call is repeated. For administrators only. Adds one audit entry. Raises PT404 for an unknown batch. Raises PT409 if the batch was already reversed by another administrator or for another reason, or if the batch waits for another administrator. Also raises the errors of private.refuse_self_dealing and private.require_proof_of. Reads at most 10,000 lines, which the server reverses in pieces of 25.';
grant execute on function public.reverse_batch(uuid, text) to authenticated;

-- supabase/schemas/acts/functions/holders.sql

-- The correction of the data of an account holder.

create function private.refuse_holder(person uuid, written jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The bank signs statements with these data. A stolen session must not make an account look like another person's.
  perform private.require_proof();
  if private.sanitize_name(written ->> 'full_name') is distinct from written ->> 'full_name' or written ->> 'full_name' is null then
    raise exception 'Escribe un nombre de 120 caracteres como máximo.' using errcode = 'PT422';
  end if;
  if exists (
    select from public.account_holders h
    where h.user_id <> person
      and h.document_kind = written ->> 'document_kind' and h.document_number = written ->> 'document_number'
  ) then
    raise exception 'Ya hay un cliente con este documento.' using errcode = 'PT409';
  end if;
end
$$;
comment on function private.refuse_holder(uuid, jsonb) is
  'Raises PT422 for an invalid name and PT409 for the document of another customer. Also raises the errors of private.require_proof.';

create function private.write_holder(person uuid, written jsonb, fields text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.account_holders h
  set full_name = case when fields <> '{phone}' then written ->> 'full_name' else h.full_name end,
    document_kind = written ->> 'document_kind', document_number = written ->> 'document_number',
    phone = written ->> 'phone'
  where h.user_id = person;
  -- The page then greets the customer by the corrected name.
  update auth.users u
  set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object('full_name', written -> 'full_name'),
    updated_at = now()
  where u.id = person and 'full_name' = any (fields);
end
$$;
comment on function private.write_holder(uuid, jsonb, text[]) is
  'Stores the corrected data of a holder. A corrected name, and a name with a document, is verified.';

create function public.correct_holder(
  user_id uuid, full_name text, document_kind text default null, document_number text default null,
  phone text default null, idempotency_key text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  written constant jsonb := jsonb_build_object(
    'full_name', correct_holder.full_name, 'document_kind', correct_holder.document_kind,
    'document_number', correct_holder.document_number, 'phone', correct_holder.phone
  );
  found_data jsonb;
  fields text[];
  correction constant uuid := gen_random_uuid();
  entry constant private.orders := private.begin_access_change('correct_holder', idempotency_key, user_id, written);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.refuse_holder(user_id, written);
  found_data := private.holder_data(user_id);
  fields := array(
    select w.key from jsonb_each(written) w where w.value is distinct from found_data -> w.key order by w.key
  );
  perform private.enter_act(
    'correct_holder', user_id, entry, case when fields <> '{}' then jsonb_build_object('id', correction, 'fields', fields) end
  );
  if fields = '{}' then
    return;
  end if;
  perform private.write_holder(user_id, written, fields);
  insert into public.holder_corrections (user_id, id, corrected_by, before, after)
  select
    correct_holder.user_id, correction, (select p.full_name from public.profiles p where p.id = (select auth.uid())),
    (select jsonb_object_agg(f.field, found_data -> f.field) from unnest(fields) as f (field)),
    (select jsonb_object_agg(f.field, written -> f.field) from unnest(fields) as f (field));
  perform private.record_access_act('holder', user_id);
  perform private.tell(array[user_id], 'correct_holder');
end
$$;
comment on function public.correct_holder(uuid, text, text, text, text, text) is
  'Sets the name, the document and the telephone of another person; null removes a document or telephone. A corrected name, and a name with a document, is verified: the customer can no longer change it. Does nothing if every value is equal to the stored value. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). Stores the earlier and the new values in public.holder_corrections, and adds an audit entry that names the fields. Raises PT409 for the document of another customer, PT422 for an invalid name, 23514 for an invalid document or telephone, and the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.correct_holder(uuid, text, text, text, text, text) to authenticated;

-- supabase/schemas/acts/functions/closing.sql

-- Closing an account, and the requests that are due.

create function private.delete_own_account() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  perform from auth.users u where u.id = (select auth.uid()) for update;
  -- The bank would otherwise lose the amount of a transfer that it returned to the payer. The bank loses nothing if
  -- only the customer's own notes take the balance below zero.
  if exists (select from public.budgets b where b.user_id = (select auth.uid()) and b.balance < b.noted)
    and exists (select from public.requests r where r.payee = (select auth.uid()) and r.status = 'returned')
  then
    raise exception 'El banco devolvió una transferencia que recibiste y tu saldo quedó por debajo de cero. Habla con el banco antes de cerrar la cuenta.'
      using errcode = 'PT409';
  end if;
  -- Deleting the user also deletes all rows that reference the user. Triggers refuse to delete the last administrator,
  -- and close the account's journal.
  delete from auth.users u where u.id = (select auth.uid());
end
$$;
comment on function private.delete_own_account() is
  'Erases the caller''s account. Raises PT403 for the last administrator, and PT409 if the caller received a returned transfer and the balance according to the bank is below zero. Clients cannot call this SQL function through the table API; they call the server function delete-account, which asks for the password first.';
grant execute on function private.delete_own_account() to authenticated;

create function private.run_due_requests(rows_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  locked uuid[];
  request public.requests;
  handled integer := 0;
  today constant date := (at at time zone 'America/Bogota')::date;
  -- If the bank disabled transfers for weeks, customers no longer expect a transfer that was due more than this number
  -- of days ago.
  days_late_max constant integer := 2;
  has_transfers constant boolean := private.is_on('transferencias');
begin
  -- This is a separate statement, because the loop must read the state that the requests have after they are locked.
  locked := private.lock_requests(array(
    (
      select w.id from public.requests w
      where w.status = 'waiting' and w.expires_at <= at and (has_transfers or w.kind <> 'transfer') order by w.expires_at limit rows_max
    )
    union all
    (
      select s.id from public.requests s
      where s.status = 'scheduled' and s.due_on <= today and has_transfers
      order by s.due_on limit rows_max
    )
  ), true);
  for request in select r.* from public.requests r where r.id = any (locked) order by r.asked_at, r.id
  loop
    -- Another call may have ended the request before this call locked it.
    if request.status = 'waiting' and request.expires_at <= at then
      perform private.end_undone(request, 'expired');
      handled := handled + 1;
    -- An administrator may have approved the request for a later day meanwhile.
    elsif request.status = 'scheduled' and request.due_on <= today then
      if request.due_on < today - days_late_max then
        perform private.end_request(request, 'failed', 'El banco no pudo enviarla en su fecha.');
      else
        perform private.carry_out(request);
      end if;
      handled := handled + 1;
    end if;
  end loop;
  return handled;
end
$$;
comment on function private.run_due_requests(integer, timestamptz) is
  'Ends up to rows_max requests that have expired without a decision, and carries out up to rows_max scheduled transfers that are due. Returns the total number. Skips requests that another call has locked. Neither ends nor carries out transfers while the bank has not enabled them. Even with concurrent calls, each transfer is carried out only once.';
grant execute on function private.run_due_requests(integer, timestamptz) to service_role;

-- Closing an account -------------------------------------------------------------------------------------------------

create function private.end_requests_of_account(person auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  failing uuid[];
begin
  -- The deletion has already locked the user. The requests are locked in the order of private.lock_requests.
  perform from public.requests r
  where person.id in (r.payer, r.payee)
    or r.about = person.id or (r.asked_by = person.id and r.status = 'waiting')
  order by r.id for no key update;
  failing := array(
    select r.id from public.requests r
    where r.payee = person.id and r.payer <> person.id and r.status in ('waiting', 'scheduled') order by r.id
  );
  update public.requests r
  set
    status = case when r.status not in ('waiting', 'scheduled') then r.status when r.payer = person.id then 'cancelled' else 'failed' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    payer_name = case when r.payer <> person.id then r.payer_name end,
    payee_name = case when r.payer <> person.id then r.payee_name end,
    payee_masked = null,
    -- The bank keeps the data that it still needs for the clearing in private.clearing_transfers.
    details = case when r.payer = person.id and r.details is not null then '{}' else r.details end,
    description = case when r.payer <> person.id then r.description end,
    reason = case
      when r.payer = person.id then null
      when r.status in ('waiting', 'scheduled') then 'La cuenta de destino no puede recibir transferencias.'
      else r.reason
    end
  where person.id in (r.payer, r.payee);
  perform private.tell_transfer(r) from public.requests r where r.id = any (failing);
  perform private.end_held_batch(r.id) from public.requests r
  where r.asked_by = person.id and r.status = 'waiting' and r.kind = 'batch';
  update public.requests r
  set
    status = case when r.status <> 'waiting' then r.status when r.about = person.id then 'failed' else 'cancelled' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    reason = case
      when r.about is distinct from person.id then r.reason when r.status = 'waiting' then 'La cuenta está cerrada.'
    end,
    details = case when r.about = person.id then '{}' else r.details end
  where r.about = person.id or (r.asked_by = person.id and r.status = 'waiting' and r.kind <> 'transfer');
  -- Also locks the user's own beneficiaries, which are deleted with the account. Two people who are in each other's lists
  -- could otherwise deadlock.
  perform from public.beneficiaries b
  where b.user_id = person.id or (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = person.id)
  order by b.user_id, b.id for no key update;
  delete from private.access_acts a where person.id in (a.person, a.clerk);
  update public.beneficiaries b set payee_name = null
  where (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = person.id);
end
$$;
comment on function private.end_requests_of_account(auth.users) is
  'Ends the open transfers of a deleted user: a transfer is cancelled if the user was the payer, and fails if the user was the payee. Also ends the waiting acts of administrators: an act fails if it concerns the user, and is cancelled if the user requested it. Deletes the texts that the user wrote in requests, the texts about the user in the requests of administrators, the masked name of the user in the lists of other customers, and the user''s rows in private.access_acts.';

create function private.person_leaves() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if old.raw_app_meta_data ->> 'role' = 'admin' then
    perform private.guard_last_admin(old.id);
    perform private.guard_second_admin(old, 'deletion');
  end if;
  -- All code locks requests before budgets, and budgets before batches.
  perform private.end_requests_of_account(old);
  perform ledger.close_account(old);
  update public.batch_lines l set user_id = null, description = null where l.user_id = old.id;
  delete from private.counters c where c.subject = old.id::text;
  return old;
end
$$;
comment on function private.person_leaves() is
  'Closes the account of a deleted user, whichever program deletes the user: refuses to delete the last administrator, ends the requests, closes the journal, and deletes the texts about the user in batches and the counters of limits. Foreign keys then delete all rows that reference the user. Also raises the errors of private.guard_second_admin.';

-- supabase/schemas/acts/functions/opening.sql

-- Opening an account, by whichever program creates a user.

create function private.check_new_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.raw_app_meta_data ->> 'role' is not distinct from 'admin' and not private.may_promote(new) then
    -- Creates the user as a customer until another administrator approves the promotion.
    perform private.request_approval('promotion', o.request_id, new.id, null, '{}')
    from private.orders o where o.about = new.id and o.kind = 'create_user' and o.request_id is not null;
    if not found then
      raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
    end if;
    new.raw_app_meta_data := new.raw_app_meta_data - 'role';
  end if;
  -- This trigger also runs if the address is taken, so that the answer to a sign-up does not show whether it is.
  perform private.require_free_name(new);
  return new;
end
$$;
comment on function private.check_new_person() is
  'Checks the role and the name of a new user, whichever program creates the user. Refuses (PT403) a new administrator who needs the approval of another administrator, unless an order waits for it (private.order_user). Raises the errors of private.may_promote and private.require_free_name.';

create function private.open_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (select from ledger.journal j where j.user_id = new.id and j.kind = 'closing') then
    raise exception 'The account of this id is closed.' using errcode = '23505', constraint = 'users_pkey';
  end if;
  insert into public.account_holders (user_id) values (new.id) on conflict do nothing;
  insert into public.profiles (id, full_name, role)
  values (
    new.id, private.shown_name(new), case when new.raw_app_meta_data ->> 'role' = 'admin' then 'admin' else 'user' end
  );
  insert into public.user_safe (id, email, last_sign_in_at) values (new.id, coalesce(new.email, ''), new.last_sign_in_at);
  perform private.list_person(new.id);
  insert into public.budgets (user_id) values (new.id) on conflict do nothing;
  insert into private.listed_accounts (user_id) values (new.id) on conflict do nothing;
  perform private.choose_first_topics(new.id);
  -- A person's own sign-up is not an order, but a new administrator always is.
  if (select auth.uid()) is not null or private.audit_context('origin') is not null
    or new.raw_app_meta_data ->> 'role' = 'admin'
  then
    perform private.enter_unordered('create_user', new.id, private.audited_role(new.raw_app_meta_data));
  end if;
  perform private.record_access_act('open', new.id);
  -- On a hosted project, the authentication service creates the user. The row of private.access_acts was written before
  -- (public.begin_user_creation).
  if nullif(new.encrypted_password, '') is not null and ((select auth.uid()) is not null or exists (
    select from private.access_acts a where a.person = new.id and a.act = 'open'
  )) then
    insert into private.staff_passwords (user_id) values (new.id);
  end if;
  return null;
end
$$;
comment on function private.open_person() is
  'Opens the account of a new user: the account number, the profile, the budget, the rows of the lists of staff, and the notices about money. Enters the order unless the person signed up. Records which administrator created the user, and that this administrator knows the user''s password. Refuses the id of a closed account with 23505, as if the id were in use.';

-- supabase/schemas/acts/functions/returns.sql

-- Requests to return transfers.

create function private.request_return(request public.requests, reason text) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  same uuid;
begin
  -- A second call, even by another administrator, must not request the same return again.
  select r.id into same from public.requests r
  where r.about = request.payer and r.kind = 'return' and r.status = 'waiting' and r.expires_at > now()
    and r.details ->> 'transfer_id' = request.id::text
  limit 1;
  if found then
    return same;
  end if;
  return private.request_approval('return', gen_random_uuid(), request.payer, request.amount, jsonb_build_object(
    'transfer_id', request.id, 'reason', reason
  ));
end
$$;
comment on function private.request_return(public.requests, text) is
  'Requests another administrator''s decision about the return of a transfer, and returns the id of the request. If a request for this return is already waiting, returns that request. The caller holds the lock of the transfer.';

create function private.returnable_in(number integer, clerks uuid[], since timestamptz default 'infinity') returns setof public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select t.* from private.transfers_of_file(returnable_in.number) t
  where (t.status = 'done' or (t.status = 'returned' and t.ended_at >= since))
    and exists (select from public.budgets b where b.user_id = t.payer)
    and not exists (select from unnest(clerks) c where private.obstacle_to(t, c) is not null)
$$;
comment on function private.returnable_in(integer, uuid[], timestamptz) is
  'Returns the transfers in a clearing file that can be returned: those that were not returned yet, or were returned since the given time, whose payers still have an account, and about which each of these administrators can decide.';

-- The return of a whole file ---------------------------------------------------------------------------------------

create type public.clearing_return as (transfers integer, amount numeric, left_out integer, is_waiting boolean);
comment on type public.clearing_return is 'The return of all transfers in a clearing file.';
comment on column public.clearing_return.transfers is 'Number of transfers that the return concerns.';
comment on column public.clearing_return.amount is 'Sum of these transfers, in units of currency.';
comment on column public.clearing_return.left_out is 'Number of transfers that the return leaves out: their payers have closed their accounts, or the caller cannot decide about them.';
comment on column public.clearing_return.is_waiting is 'Whether the return waits for another administrator.';

create function private.return_piece(request public.requests, rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  piece constant uuid[] := array(
    select t.id from private.transfers_of_file((request.details ->> 'file')::integer) t
    where t.status = 'done' and not exists (
      select from private.unreturned_transfers u where u.transfer_id = t.id and u.request_id = request.id
    )
    order by t.id limit rows_max
  );
  locked constant uuid[] := private.lock_requests(piece);
  transfer public.requests;
  obstacle text;
  said text;
begin
  -- Reads the transfers again: another call may have returned them.
  for transfer in
    select r.* from public.requests r where r.id = any (locked) and r.status = 'done' order by r.id
  loop
    obstacle := coalesce(
      private.obstacle_to(transfer, request.asked_by), private.obstacle_to(transfer, request.decided_by)
    );
    begin
      if obstacle is not null then
        raise exception using errcode = 'PT403', message = case obstacle
          when 'own' then 'La pagó quien ordenó o aprobó la devolución: la devuelve otra persona.'
          else 'Quien ordenó o aprobó la devolución abrió la cuenta de quien paga, o cambió su acceso: la devuelve otra persona.'
        end;
      end if;
      perform private.post_return(transfer, request.details ->> 'reason', request.asked_by);
    exception when others then
      -- One transfer that cannot be returned must not hold back the others. An outage is not such a reason, and the next
      -- call tries again.
      if sqlstate !~ '^(PT4|22|23)' then
        raise;
      end if;
      said := case when sqlstate like 'PT%' then left(sqlerrm, 300) else 'El banco no pudo registrar la devolución.' end;
      insert into private.unreturned_transfers (transfer_id, request_id, reason)
      values (transfer.id, request.id, said)
      on conflict on constraint unreturned_transfers_pkey do update
      set request_id = excluded.request_id, reason = excluded.reason;
    end;
  end loop;
  if cardinality(piece) < rows_max then
    delete from private.open_returns o where o.request_id = request.id;
  end if;
  return cardinality(piece);
end
$$;
comment on function private.return_piece(public.requests, integer) is
  'Returns up to rows_max transfers of a clearing file whose return was ordered, and returns the number of transfers that it tried. Records the transfers that cannot be returned, and those that the administrators of the order cannot decide, in private.unreturned_transfers. Ends the order when no transfer is left. The caller must not hold the locks of other requests.';

create function private.return_pieces(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.requests;
begin
  select r.* into ordered from private.open_returns o join public.requests r on r.id = o.request_id
  -- A return stops, as a batch does, when the administrator who ordered or approved it is demoted or blocked.
  where private.may_administer(coalesce(r.decided_by, r.asked_by))
  order by r.ended_at limit 1;
  return case when ordered.id is null then 0 else private.return_piece(ordered, rows_max) end;
end
$$;
comment on function private.return_pieces(integer) is
  'Continues the return of one clearing file with up to rows_max transfers (private.return_piece), and returns their number. Called until it returns 0, so that no database transaction locks many accounts for long.';
grant execute on function private.return_pieces(integer) to service_role;

create function private.ordered_return_of(number integer) returns public.requests
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  ordered public.requests;
begin
  select r.* into ordered from public.requests r
  where r.kind = 'file_return' and r.status = 'waiting' and r.expires_at > now()
    and (r.details ->> 'file')::integer = ordered_return_of.number;
  if not found then
    select r.* into ordered from private.open_returns o join public.requests r on r.id = o.request_id
    where o.file = ordered_return_of.number and private.may_administer(coalesce(r.decided_by, r.asked_by));
  end if;
  return ordered;
end
$$;
comment on function private.ordered_return_of(integer) is
  'Returns the order to return a clearing file that waits, or that the server continues; null if no such order exists.';

create function private.order_file_return(number integer, reason text, amount numeric, transfers integer) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  details constant jsonb := jsonb_build_object('file', number, 'transfers', transfers, 'reason', reason);
  request public.requests;
  entry private.orders;
begin
  -- The clearing may already have paid a transfer in the file. A single administrator could otherwise create money by
  -- returning a paid file.
  entry.kind := 'return_clearing_file';
  entry.thing := gen_random_uuid();
  entry.amount := amount;
  entry.counts := true;
  if private.needs_approval(amount) then
    entry.request_id := private.request_approval('file_return', entry.thing, null, amount, details);
  else
    insert into public.requests (kind, status, asked_by, amount, expires_at, ended_at, body_hash, details, id)
    values (
      'file_return', 'done', (select auth.uid()), order_file_return.amount, now(), clock_timestamp(), sha256(''), details,
      entry.thing
    );
  end if;
  perform private.enter(entry);
  select r.* into request from public.requests r where r.id = entry.thing;
  return request;
end
$$;
comment on function private.order_file_return(integer, text, numeric, integer) is
  'Enters the return of a clearing file in the book, and returns its request: done, or waiting for another administrator.';

create function public.return_clearing_file(number integer, reason text) returns public.clearing_return
  language plpgsql security definer
  set search_path = ''
as $$
declare
  piece_max constant integer := 50;
  request public.requests;
  transfers public.requests[];
  answer public.clearing_return;
begin
  perform private.require_clearing_reader();
  if private.is_word(reason, 200) is not true then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  if not exists (select from private.clearing_files f where f.number = return_clearing_file.number) then
    raise exception 'Este archivo no existe.' using errcode = 'PT404';
  end if;
  -- Lets only one administrator at a time order a return, as public.close_clearing_file does.
  perform pg_advisory_xact_lock(hashtext('finanzas.clearing'));
  transfers := array(select t from private.returnable_in(return_clearing_file.number, array[(select auth.uid())]) t);
  answer.transfers := cardinality(transfers);
  answer.amount := (select coalesce(sum(t.amount), 0) from unnest(transfers) t);
  answer.left_out := (
    select count(*) - answer.transfers from private.transfers_of_file(return_clearing_file.number) t where t.status = 'done'
  );
  request := private.ordered_return_of(number);
  -- The return of this file has already been ordered, and the server continues it.
  if answer.transfers = 0 or request.id is not null then
    answer.is_waiting := coalesce(answer.transfers > 0 and request.status = 'waiting', false);
    return answer;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_proof_of(answer.amount);
  request := private.order_file_return(number, reason, answer.amount, answer.transfers);
  answer.is_waiting := request.status = 'waiting';
  if not answer.is_waiting then
    perform private.open_return(request);
    perform private.return_piece(request, piece_max);
  end if;
  return answer;
end
$$;
comment on function public.return_clearing_file(integer, text) is
  'Orders the return of all transfers in a clearing file that were not returned yet, up to 1,000. The call itself returns the first 50, and private.return_pieces the others. An administrator must return a file only if the clearing has refused it or has not received it. A transfer whose payer has closed the account is left out, and so is a transfer about which the caller or the approver cannot decide (private.obstacle_to). Another administrator can order the return of the rest. If the sum exceeds the bank''s limit, the return waits for another administrator. A second call orders nothing, and no transfer is returned twice. For administrators only, with their second factor if they have one. Adds one audit entry, which concerns every payer. Raises PT404 for an unknown file and while the bank has not enabled transfers, and PT422 for a missing reason. Also raises the errors of private.require_proof_of, and the refusal (PT429) of the limit "act of staff". Reads at most the 1,000 transfers of one file, of which the call returns 50 and the server the others in pieces of 50.';
grant execute on function public.return_clearing_file(integer, text) to authenticated;

-- supabase/schemas/staff/functions/customer.sql

-- Staff: the lists, searches and pages in which administrators read about customers, requests and the audit.
-- Uses: acts, papers.
-- Promises: staff have no table. Every read of a customer or of a list requires an audit entry.

-- Staff access to a customer's transactions: an administrator opens the customer's page, reads it, and corrects
-- transactions that the bank recorded by mistake. Every read requires an audit entry, which serves as the permission
-- (docs/decisions/0056).

create function private.sessions_of(person uuid) returns json
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(json_agg(json_build_object(
    'begun_at', s.created_at, 'used_at', coalesce(s.refreshed_at, s.created_at), 'user_agent', s.user_agent
  ) order by coalesce(s.refreshed_at, s.created_at) desc), '[]')
  from auth.sessions s where s.user_id = person and (s.not_after is null or s.not_after > now())
$$;
comment on function private.sessions_of(uuid) is 'Returns the sessions of a person that have not ended, the last used first.';

create function private.month_spent_of(customer uuid) returns numeric
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(sum(t.amount), 0)
  from date_trunc('month', now() at time zone 'America/Bogota') as m (month), public.transactions t
  where t.user_id = customer and t.type = 'expense'
    and not t.is_void
    and t.date >= m.month at time zone 'America/Bogota'
    and t.date < (m.month + interval '1 month') at time zone 'America/Bogota'
$$;
comment on function private.month_spent_of(uuid) is 'Returns the sum of a customer''s expenses in the current month in Bogotá, in units of currency.';

create function private.largest_of(customer uuid) returns json
  language sql stable security definer
  set search_path = ''
as $$
  select json_build_object(
    'deposit', max(n.amount) filter (where n.type = 'deposit'),
    'expense', max(n.amount) filter (where n.type = 'expense')
  )
  -- The limit bounds the running time for customers with a long history.
  from (
    select t.type, t.amount, t.is_void from public.transactions t
    where t.user_id = customer order by t.date desc, t.id desc limit 10000
  ) n
  where not n.is_void
$$;
comment on function private.largest_of(uuid) is 'Returns the largest deposit and the largest expense among the last 10,000 transactions of a customer.';

-- Returns json, because the authentication service returns a pending change of address as json.
create function public.open_customer(user_id uuid) returns json
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, because a hosted project stores some of them in UTC without a time zone.
  set timezone = 'UTC'
as $$
declare
  customer json;
begin
  perform private.require_admin();
  select json_build_object(
    'id', u.id,
    'full_name', p.full_name,
    'email', u.email,
    'role', p.role,
    'account_number', h.account_number,
    'document_kind', h.document_kind,
    'document_number', h.document_number,
    'phone', h.phone,
    'created_at', u.created_at,
    'confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until,
    'block_reason', case when u.banned_until > now() then private.block_reason_of(u.id) end,
    'last_sign_in_at', u.last_sign_in_at,
    'email_change', private.waiting_email_change(u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', private.sessions_of(u.id),
    'balance', b.balance,
    'booked', b.balance - b.noted,
    'noted', b.noted,
    'monthly_limit', b.monthly_limit,
    'month_spent', private.month_spent_of(u.id),
    'largest', private.largest_of(u.id),
    'corrections', (
      select coalesce(json_agg(c order by c.corrected_at desc), '[]')
      from (
        select k.id, k.corrected_id, k.replacement_id, k.reason, k.corrected_by, k.corrected_at from public.corrections k
        where k.user_id = u.id order by k.corrected_at desc limit 1000
      ) c
    )
  ) into customer
  from auth.users u
  join public.profiles p on p.id = u.id
  join public.budgets b on b.user_id = u.id
  join public.account_holders h on h.user_id = u.id
  where u.id = open_customer.user_id;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.record_audit('read_customer', user_id, null, null);
  return customer;
end
$$;
comment on function public.open_customer(uuid) is
  'Returns the summary at the top of a customer''s page in the administration. For administrators only. Adds an audit entry that lets this session read the customer''s other data for an hour. Amounts are units of currency. Raises PT404 for an unknown user. Reads at most one person.';
grant execute on function public.open_customer(uuid) to authenticated;

create function public.read_customer_balance(user_id uuid) returns public.balance_explanation
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_balance.user_id);
  return (select e from private.explain_balance_of(user_id) e);
end
$$;
comment on function public.read_customer_balance(uuid) is
  'Explains a customer''s balance to staff, as public.explain_balance does for the customer. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most one customer.';
grant execute on function public.read_customer_balance(uuid) to authenticated;

create function public.read_customer_transactions(
  user_id uuid, before_date timestamptz default 'infinity', before_id uuid default null, rows_max integer default 1000
) returns setof public.transactions
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_transactions.user_id);
  return query
    select t.* from public.transactions t
    where t.user_id = read_customer_transactions.user_id
      and (t.date, t.id) < (before_date, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by t.date desc, t.id desc
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) is
  'Returns up to 1,000 of a customer''s transactions that are older than the given transaction, newest first. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 1,000 transactions of one customer.';
grant execute on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) to authenticated;

create function public.read_customer_journal(
  user_id uuid, after_seq bigint default 0, rows_max integer default 1000
) returns setof public.journal_entries
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_journal.user_id);
  return query
    select j.* from public.journal_entries j
    where j.user_id = read_customer_journal.user_id and j.seq > after_seq
    order by j.seq
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_journal(uuid, bigint, integer) is
  'Returns up to 1,000 entries of a customer''s chain (public.journal_entries) whose seq is greater than after_seq. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 1,000 entries of one customer.';
grant execute on function public.read_customer_journal(uuid, bigint, integer) to authenticated;

create type public.bank_day as (day date, came_in numeric, went_out numeric, owed numeric);
comment on type public.bank_day is 'The bank''s debt at the end of a day, and the money that came in and went out on the day. The amounts do not include the customers'' own notes.';
comment on column public.bank_day.day is 'The day in Bogotá.';
comment on column public.bank_day.came_in is 'Sum of the day''s postings that raise a balance, in units of currency. A transfer between two customers counts neither here nor in went_out.';
comment on column public.bank_day.went_out is 'Sum of the day''s postings that lower a balance, in units of currency; positive.';
comment on column public.bank_day.owed is 'Sum of the positive balances according to the bank at the end of the day, in units of currency.';

create function private.list_bank_days(first_day timestamp, last_day timestamp) returns setof public.bank_day
  language sql stable
  set search_path = ''
as $$
  with days as (
    select
      day, day at time zone 'America/Bogota' as begins_at, (day + interval '1 day') at time zone 'America/Bogota' as ends_at
    from generate_series(first_day, last_day, interval '1 day') day
  ),
  -- Each day is queried as a range of the index, so that no row's time has to be converted.
  posted as materialized (
    select d.day, p.user_id, p.transfer, p.came_in, p.went_out
    from days d
    cross join lateral (
      select
        j.user_id,
        case when j.origin in ('transfer', 'return') then j.origin_id end as transfer,
        coalesce(sum(m.delta) filter (where m.delta > 0), 0) as came_in,
        coalesce(-sum(m.delta) filter (where m.delta < 0), 0) as went_out
      from ledger.journal j
      cross join lateral (
        -- A closing writes off the balance with the customer's own notes, which the bank does not owe.
        select j.delta + case j.kind when 'closing' then (
          select coalesce(sum(n.delta), 0) from ledger.journal n where n.user_id = j.user_id and n.is_note
        ) else 0 end as delta
      ) m
      where not j.is_note and j.recorded_at >= d.begins_at and j.recorded_at < d.ends_at
      group by 1, 2
    ) p
  ),
  flows as (
    select f.day, sum(f.came_in) as came_in, sum(f.went_out) as went_out
    from (
      select p.day, p.came_in, p.went_out from posted p where p.transfer is null
      union all
      select p.day, greatest(sum(p.came_in - p.went_out), 0), greatest(sum(p.went_out - p.came_in), 0)
      from posted p where p.transfer is not null
      group by p.day, p.transfer
    ) f
    group by f.day
  ),
  held as (
    select
      c.day, c.delta,
      coalesce(b.balance - b.noted, 0) - coalesce(sum(c.delta) over (
        partition by c.user_id order by c.day desc rows between unbounded preceding and 1 preceding
      ), 0) as at_end
    from (select p.day, p.user_id, sum(p.came_in - p.went_out) as delta from posted p group by p.day, p.user_id) c
    left join public.budgets b on b.user_id = c.user_id
  ),
  changes as (
    select h.day, sum(greatest(h.at_end, 0) - greatest(h.at_end - h.delta, 0)) as change from held h group by h.day
  )
  select row(
    d.day, coalesce(f.came_in, 0), coalesce(f.went_out, 0),
    (select coalesce(sum(b.balance - b.noted) filter (where b.balance > b.noted), 0) from public.budgets b)
      - coalesce(sum(c.change) over (order by d.day desc rows between unbounded preceding and 1 preceding), 0)
  )::public.bank_day
  from days d
  left join flows f on f.day = d.day
  left join changes c on c.day = d.day
  order by d.day
$$;
comment on function private.list_bank_days(timestamp, timestamp) is
  'Returns the bank''s debt and its changes for each day in Bogotá from first_day to last_day, oldest first. Reads the budget of each customer, the postings of the days, and all notes of the accounts that were closed on these days.';

create type public.bank_sums as (customers bigint, total numeric, owed numeric, overdrawn numeric, noted numeric, days public.bank_day[]);
comment on type public.bank_sums is 'The bank''s debt to its customers, in units of currency.';
comment on column public.bank_sums.customers is 'Number of customers.';
comment on column public.bank_sums.total is 'Sum of all balances.';
comment on column public.bank_sums.owed is 'Sum of the positive balances according to the bank, which do not include the customers'' own notes.';
comment on column public.bank_sums.overdrawn is 'Sum of the negative balances according to the bank. The sum of owed and overdrawn is the total of all balances without the customers'' own notes.';
comment on column public.bank_sums.noted is 'Sum of all customers'' own notes; zero or negative. The total of all balances minus this sum is the total according to the bank.';
comment on column public.bank_sums.days is 'The last days, including today, oldest first (private.list_bank_days).';

create function public.sum_bank(days integer default 30) returns public.bank_sums
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  today constant timestamp := date_trunc('day', now() at time zone 'America/Bogota');
begin
  perform private.require_admin();
  return (
    with held as (
      select
        -- Counts an administrator as a customer while their own account holds money.
        count(*) filter (where b.balance <> 0 or p.role is distinct from 'admin') as customers,
        coalesce(sum(b.balance), 0) as total,
        -- Customers can record any expense. These expenses must not reduce the sum that the bank owes to its customers.
        coalesce(sum(b.balance - b.noted) filter (where b.balance > b.noted), 0) as owed,
        coalesce(sum(b.balance - b.noted) filter (where b.balance < b.noted), 0) as overdrawn,
        coalesce(sum(b.noted), 0) as noted
      from public.budgets b left join public.profiles p on p.id = b.user_id
    )
    select row(
      h.customers, h.total, h.owed, h.overdrawn, h.noted,
      array(select private.list_bank_days(today - make_interval(days => greatest(least(days, 366), 1) - 1), today))
    )::public.bank_sums
    from held h
  );
end
$$;
comment on function public.sum_bank(integer) is
  'Returns the number of customers, including administrators who hold money. Returns the sum of all balances and the sum of the customers'' own notes, in units of currency. Returns the sums of the positive and of the negative balances according to the bank. Also returns what the bank owed at the end of each of the last days (at most 366) in Bogotá, including today, and what came in and went out. For administrators only. Reads at most the budget of each customer, the postings of the requested days, and the notes of the accounts that were closed on these days.';
grant execute on function public.sum_bank(integer) to authenticated;

create function public.read_holder_corrections(user_id uuid) returns setof public.holder_corrections
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_holder_corrections.user_id);
  return query
    select c.* from public.holder_corrections c
    where c.user_id = read_holder_corrections.user_id order by c.corrected_at desc limit 100;
end
$$;
comment on function public.read_holder_corrections(uuid) is
  'Returns the last 100 corrections of a person''s data, newest first. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 100 corrections of one person.';
grant execute on function public.read_holder_corrections(uuid) to authenticated;

-- supabase/schemas/staff/functions/audit.sql

-- Reading the audit.

create view public.audit_entries with (security_invoker = true) as
select
  a.id,
  a.recorded_at,
  a.origin,
  a.actor,
  (select p.full_name from public.profiles p where p.id = a.actor) as actor_name,
  a.session_id,
  a.request_id,
  a.action,
  a.target,
  (select p.full_name from public.profiles p where p.id = a.target) as target_name,
  a.before,
  a.after,
  encode(a.previous_hash, 'hex') as previous_hash,
  encode(a.hash, 'hex') as hash
from ledger.audit a
-- With the policy alone, a customer would get an empty result. This check raises an error instead, even if the audit is
-- empty.
where (select private.require_admin());

comment on view public.audit_entries is 'The audit log, for administrators only. Clients read the rows in pages, ordered by id, newest first. Raises 42501 for every other caller.';
comment on column public.audit_entries.id is '1, 2, 3, … without gaps.';
comment on column public.audit_entries.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column public.audit_entries.origin is 'request, service, operator or system.';
comment on column public.audit_entries.actor is 'Id of the person who acted.';
comment on column public.audit_entries.actor_name is 'The actor''s current name; null once the actor is deleted.';
comment on column public.audit_entries.session_id is 'The actor''s session.';
comment on column public.audit_entries.request_id is 'X-Request-Id of the answer; null if unknown.';
comment on column public.audit_entries.action is 'The action. docs/logging.md lists all actions.';
comment on column public.audit_entries.target is 'Id of the person affected by the action, who may have been deleted since; null if the action did not affect a single person.';
comment on column public.audit_entries.target_name is 'The target''s current name; null once the target is deleted.';
comment on column public.audit_entries.before is 'The previous value.';
comment on column public.audit_entries.after is 'The new value.';
comment on column public.audit_entries.previous_hash is 'The hash of the previous entry in hex; 64 zeros in the first entry.';
comment on column public.audit_entries.hash is 'The hash of this entry in hex, as ledger.audit_hash computes it.';

grant select on public.audit_entries to authenticated;

create function public.audit_of(
  user_id uuid default null, actor uuid default null, action text default null,
  since timestamptz default '-infinity', until timestamptz default 'infinity',
  before_entry bigint default 9223372036854775807, rows_max integer default 1000, kind text default null
) returns setof public.audit_entries
  language plpgsql stable security definer
  set search_path = ''
  -- A generic plan would scan the whole audit.
  set plan_cache_mode = force_custom_plan
as $$
declare
  found_max constant integer := greatest(least(rows_max, 1000), 0);
  first_entry bigint;
  end_entry bigint;
begin
  perform private.require_admin();
  -- The ids are in the same order as the times, because only one writer at a time appends to the chain.
  first_entry := coalesce((
    select a.id from ledger.audit a where a.recorded_at >= coalesce(since, '-infinity') order by a.recorded_at, a.id limit 1
  ), before_entry);
  -- If the argument `until` is null, the subquery finds no entry and returns null, and least() ignores nulls.
  end_entry := least(before_entry, (
    select a.id from ledger.audit a where a.recorded_at >= until order by a.recorded_at, a.id limit 1
  ));
  return query
    select entries.* from (
      (
        select a.* from public.audit_entries a
        where (audit_of.user_id is null or a.target = audit_of.user_id)
          and (audit_of.actor is null or a.actor = audit_of.actor)
          and (audit_of.action is null or a.action = audit_of.action)
          and (audit_of.kind is distinct from 'changes' or a.action !~ '^(read|list|search)_')
          and (audit_of.kind is distinct from 'reads' or a.action ~ '^(read|list|search)_')
          and a.id >= first_entry and a.id < end_entry
        order by a.id desc limit found_max
      )
      union all
      (
        select
          a.id, a.recorded_at, a.origin, a.actor, a.actor_name, a.session_id, a.request_id, a.action, t.target,
          (select p.full_name from public.profiles p where p.id = t.target), a.before,
          jsonb_strip_nulls(jsonb_build_object(
            'id', a.after ->> 'id', 'lines', t.lines, 'amount', to_char(t.amount, 'FM999999999999999990.00')
          )),
          a.previous_hash, a.hash
        from ledger.audit_targets t join public.audit_entries a on a.id = t.entry
        where t.target = audit_of.user_id
          and (audit_of.actor is null or a.actor = audit_of.actor)
          and (audit_of.action is null or a.action = audit_of.action)
          and (audit_of.kind is distinct from 'changes' or a.action !~ '^(read|list|search)_')
          and (audit_of.kind is distinct from 'reads' or a.action ~ '^(read|list|search)_')
          and t.entry >= first_entry and t.entry < end_entry
        order by t.entry desc limit found_max
      )
    ) entries
    order by entries.id desc
    limit found_max;
end
$$;
comment on function public.audit_of(uuid, uuid, text, timestamptz, timestamptz, bigint, integer, text) is
  'Returns up to 1,000 audit entries that are older than before_entry, newest first. Entries can be filtered by person, actor, action and time. An entry written at exactly the time `since` is included, and an entry written at exactly the time `until` is not. The kind `changes` leaves out the entries that record a reading, and the kind `reads` returns only these. A filter that is null matches every entry. An entry is about a person if the person is its target, if it orders or reverses a batch with deposits for the person, or if it records a search that found the person''s transactions. If the entries are filtered by person, the entry of a batch shows only this person''s deposits. For administrators only. Reads at most the entries of one of the filters.';
grant execute on function public.audit_of(uuid, uuid, text, timestamptz, timestamptz, bigint, integer, text) to authenticated;

-- supabase/schemas/staff/functions/find_people.sql

-- Finding people: the users that staff list and search for, page by page.

-- A list reads its pages in the order of an index. A search reads the first users in the order of the list, and if too few
-- of them match, it reads the users that the index of the words finds (docs/decisions/0119).

create type private.people_search as (
  patterns text[], customer_patterns text[], grams text[], exact uuid[], is_empty boolean
);
comment on type private.people_search is 'A search for people, read from a typed text (private.read_search).';
comment on column private.people_search.patterns is 'Patterns that the words of every user must match.';
comment on column private.people_search.customer_patterns is 'Patterns that the words of an administrator must match, and that every customer matches, because they are parts of the word *cliente*.';
comment on column private.people_search.grams is 'The parts of the searched words (private.grams); empty if the index cannot find the words.';
comment on column private.people_search.exact is 'Users that the text names by their id, account number, document or telephone, whether or not their words match.';
comment on column private.people_search.is_empty is 'Whether the text is empty, so that every user matches.';

create function private.read_search(search text) returns private.people_search
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  typed constant text[] := (regexp_split_to_array(btrim(private.folded(left(coalesce(search, ''), 100))), '\s+'))[1:8];
  -- People write an account number in groups of digits, and a document number with points.
  compact constant text := regexp_replace(lower(left(coalesce(search, ''), 100)), '[\s.]', '', 'g');
  telephone constant text := case when compact ~ '^[+(]?[0-9()-]+$' then regexp_replace(compact, '[^0-9]', '', 'g') end;
  id_form constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
  first_id constant text := typed[1] || substr('00000000-0000-0000-0000-000000000000', char_length(typed[1]) + 1);
  last_id constant text := typed[1] || substr('ffffffff-ffff-ffff-ffff-ffffffffffff', char_length(typed[1]) + 1);
  found private.people_search;
begin
  found.is_empty := typed = '{""}';
  select
    coalesce(array_agg(t.pattern) filter (where not t.is_of_customers), '{}'),
    coalesce(array_agg(t.pattern) filter (where t.is_of_customers), '{}')
  into found.patterns, found.customer_patterns
  from (
    select
      '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' as pattern, position(word in 'cliente') > 0 as is_of_customers
    from unnest(typed) word
  ) t;
  found.grams := array(
    -- The longer parts of a word contain its shorter parts.
    select distinct g.gram
    from unnest(typed) word cross join lateral unnest(private.grams(word)) g (gram)
    where position(word in 'cliente') = 0 and char_length(g.gram) = least(char_length(word), 3)
  );
  found.exact := array(
    select p.id from public.profiles p
    where cardinality(typed) = 1 and char_length(typed[1]) between 8 and 36
      and p.id between case when first_id ~ id_form then first_id::uuid end and case when last_id ~ id_form then last_id::uuid end
    union
    select h.user_id from public.account_holders h where char_length(compact) >= 5 and h.account_number = compact
    union
    select h.user_id from public.account_holders h
    where char_length(compact) >= 5
      and h.document_kind = any ('{CC,CE,NIT,PA,PPT,RC,TI}') and h.document_number = upper(compact)
    union
    -- A tax number without its check digit.
    select h.user_id from public.account_holders h
    where compact ~ '^[0-9]{5,15}$' and h.document_kind = 'NIT'
      and h.document_number = compact || '-' || private.nit_check_digit(case when compact ~ '^[0-9]{5,15}$' then compact end)
    union
    select h.user_id from public.account_holders h
    where char_length(telephone) >= 7 and h.phone in ('+' || telephone, '+57' || telephone)
    limit 100
  );
  return found;
end
$$;
comment on function private.read_search(text) is
  'Reads a search for people. Each of the first eight words must occur in the name, the e-mail address or the role of a user, in any order and ignoring case and accents. A search of a single word with at least eight characters also names the users whose id begins with it. A whole account number or document number, with or without spaces and points, names its holder. So does a whole telephone number, with or without the code of Colombia.';

create type private.found_people as (
  ids uuid[], keys text[], total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint
);
comment on type private.found_people is 'A page of the users that a search found. A number is at most 10,001.';
comment on column private.found_people.ids is 'The users, in the order of the list.';
comment on column private.found_people.keys is 'The value by which each of them is ordered.';
comment on column private.found_people.total is 'Number of users who match the search and the state; null if the search did not read all of them.';
comment on column private.found_people.overdrawn is 'Number of users who match the search and whose balance is negative according to the bank; null like the total.';
comment on column private.found_people.blocked is 'Number of users who match the search and are blocked; null like the total.';
comment on column private.found_people.unconfirmed is 'Number of users who match the search and have not confirmed their address; null like the total.';

create function private.find_people(
  search text, state text, sort text, is_descending boolean, after_key text, after_id uuid, rows_max integer,
  read_max integer default 5000
) returns private.found_people
  language plpgsql stable security definer
  set search_path = ''
  -- Without this setting, the planner would scan every user while the tables have no statistics.
  set enable_seqscan = off
as $$
declare
  wanted constant private.people_search := private.read_search(search);
  is_whole boolean := wanted.is_empty and coalesce(state, '') not in ('user', 'admin', 'overdrawn', 'blocked', 'unconfirmed');
  -- The users with the key of the order. The condition of a state stands here if an index has the order of this state.
  ordered constant text := case
    when sort = 'email' then
      'select l.*, s.id as place, s.email as key from public.user_safe s join private.listed_people l on l.user_id = s.id'
    when sort = 'role' then 'select l.*, l.user_id as place, l.role_and_name as key from private.listed_people l'
    when sort in ('balance', 'last_transaction') then format(
      $q$
        select l.*, o.user_id as place, o.%I as key
        from private.listed_accounts o join private.listed_people l on l.user_id = o.user_id
        where %s
      $q$,
      case sort when 'balance' then 'balance' else 'last_at' end,
      case when sort = 'balance' and state = 'overdrawn' then 'o.is_overdrawn' else 'true' end
    )
    when sort = 'last_sign_in' then $q$
      select l.*, s.id as place, coalesce(s.last_sign_in_at, '-infinity') as key
      from public.user_safe s join private.listed_people l on l.user_id = s.id
    $q$
    else 'select l.*, l.user_id as place, l.sorted_name as key from private.listed_people l'
  end;
  key_type constant text := case
    when sort = 'balance' then 'numeric' when sort in ('last_sign_in', 'last_transaction') then 'timestamptz' else 'text'
  end;
  direction constant text := case when is_descending then 'desc' else 'asc' end;
  after constant text := case
    when after_key is null or after_id is null then 'true'
    else format('(p.key, p.place) %s ($1::%s, $2)', case when is_descending then '<' else '>' end, key_type)
  end;
  of_search constant text := case when wanted.is_empty then 'true' else $q$(
    p.words like all ($5) and (p.role = 'user' or p.words like all ($6)) or p.user_id = any ($7)
  )$q$ end;
  of_state constant text := case state
    when 'user' then $q$p.role = 'user'$q$
    when 'admin' then $q$p.role = 'admin'$q$
    when 'overdrawn' then 'exists (select from private.listed_accounts a where a.user_id = p.user_id and a.is_overdrawn)'
    when 'blocked' then 'p.banned_until > now()'
    when 'unconfirmed' then 'not p.is_confirmed'
    else 'true'
  end;
  candidates text;
  is_of_state boolean := false;
  matching uuid[];
  found private.found_people;
begin
  if not is_whole and not exists (select from private.listed_people offset read_max) then
    -- A small bank: reads everyone.
    candidates := 'select l.user_id from private.listed_people l';
  elsif is_whole or cardinality(wanted.exact) = 0 and state <> 'admin' then
    execute format(
      $q$
        select coalesce(array_agg(f.place), '{}'), array_agg(f.key::text)
        from (
          select p.place, p.key
          from (select p.* from (%1$s) p where %2$s order by p.key %3$s, p.place %3$s limit $4) p
          where %4$s and %5$s
          limit $3
        ) f
      $q$, ordered, after, direction, of_search, of_state
    )
    into found.ids, found.keys
    using after_key, after_id, rows_max, case when is_whole then rows_max else read_max end,
      wanted.patterns, wanted.customer_patterns, wanted.exact;
    if is_whole or cardinality(found.ids) >= rows_max then
      return found;
    end if;
  end if;
  if candidates is null and cardinality(wanted.grams) > 0 then
    candidates := $q$
      select l.user_id from private.listed_people l where private.grams(l.words) @> $8
      union
      select unnest($7)
    $q$;
  elsif candidates is null then
    candidates := case state
      when 'admin' then $q$select r.id from public.profiles r where r.role = 'admin'$q$
      when 'blocked' then 'select l.user_id from private.listed_people l where l.banned_until > now()'
      when 'unconfirmed' then 'select l.user_id from private.listed_people l where not l.is_confirmed'
      when 'overdrawn' then 'select o.user_id from private.listed_accounts o where o.is_overdrawn'
      else 'select l.user_id from private.listed_people l'
    end;
    is_of_state := state in ('admin', 'blocked', 'unconfirmed', 'overdrawn');
  end if;
  execute format(
    'select array(select p.user_id from private.listed_people p where p.user_id = any (array(%s)) and %s)',
    candidates, of_search
  )
  into matching
  using after_key, after_id, rows_max, read_max, wanted.patterns, wanted.customer_patterns, wanted.exact, wanted.grams;
  execute format(
    $q$
      select coalesce(array_agg(f.place), '{}'), array_agg(f.key::text)
      from (
        select p.place, p.key from (%1$s) p
        -- The subquery hides the length of the array, for which the planner would read the whole order.
        where p.place = any (array(select unnest($4))) and %2$s and %4$s
        order by p.key %3$s, p.place %3$s
        limit $3
      ) f
    $q$, ordered, after, direction, of_state
  )
  into found.ids, found.keys
  using after_key, after_id, rows_max, matching;
  if after_id is null and not wanted.is_empty and not is_of_state then
    execute format(
      $q$
        select
          least(count(*) filter (where %s), 10001), least(count(*) filter (where a.is_overdrawn), 10001),
          least(count(*) filter (where p.banned_until > now()), 10001), least(count(*) filter (where not p.is_confirmed), 10001)
        from private.listed_people p join private.listed_accounts a on a.user_id = p.user_id
        where p.user_id = any (array(select unnest($1)))
      $q$, of_state
    )
    into found.total, found.overdrawn, found.blocked, found.unconfirmed
    using matching;
  end if;
  return found;
end
$$;
comment on function private.find_people(text, text, text, boolean, text, uuid, integer, integer) is
  'Returns up to rows_max of the users who match both a search (private.read_search) and a state, as public.list_customers describes them, and who come after a user in the order of the list. Reads read_max users in this order, and if too few of them match, all users that the index finds. In a bank with at most read_max users, reads all of them and counts exactly.';

create function private.counted(people text) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  set enable_seqscan = off
as $$
declare
  counted bigint;
begin
  execute format('select count(*) from (%s limit 10001) p', people) into counted;
  return counted;
end
$$;
comment on function private.counted(text) is 'Returns the number of rows of a query, or 10,001 if there are more than 10,000.';

-- supabase/schemas/staff/functions/lists.sql

-- Lists and searches.

-- The customer list and the bank-wide search, both for staff only. The list and the search show balances and
-- transactions of many customers. Each use therefore requires an audit entry (docs/decisions/0056).

create function private.record_listing(action text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  session constant text := (select auth.jwt()) ->> 'session_id';
begin
  if session is null or private.is_first_use('listing shown', session || ' ' || action) then
    perform private.record_audit(action, null, null, null);
  end if;
end
$$;
comment on function private.record_listing(text) is
  'Adds an audit entry with the given action, unless the session has added an entry with this action within the last 59 minutes. An entry is at most an hour old while the list is read. Call this function last, like private.record_audit.';

-- The list ------------------------------------------------------------------------------------------------------

create type public.listed_customer as (
  id uuid, full_name text, email text, role text, last_sign_in_at timestamptz, is_confirmed boolean, is_blocked boolean,
  balance numeric, last_date timestamptz, last_description text
);
comment on type public.listed_customer is 'A user in the customer list.';
comment on column public.listed_customer.id is 'Id of the user.';
comment on column public.listed_customer.full_name is 'The user''s name; null if the user has no name.';
comment on column public.listed_customer.email is 'The e-mail address.';
comment on column public.listed_customer.role is '"user" (a customer) or "admin".';
comment on column public.listed_customer.last_sign_in_at is 'Time of the last sign-in; null until the user signs in for the first time.';
comment on column public.listed_customer.is_confirmed is 'Whether the person has confirmed the e-mail address.';
comment on column public.listed_customer.is_blocked is 'Whether the account is currently blocked.';
comment on column public.listed_customer.balance is 'Units of currency.';
comment on column public.listed_customer.last_date is 'Date of the newest transaction; null if the user has no transactions.';
comment on column public.listed_customer.last_description is 'Description of the newest transaction; null if the user has no transactions.';

create type public.customer_list as (
  total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint, customers public.listed_customer[], end_key text,
  end_id uuid
);
comment on type public.customer_list is 'A page of the customer list. Each number is at most 10,001, which means more than 10,000.';
comment on column public.customer_list.total is 'Number of users who match both the search and the state; null if the search did not read all of them, and on a further page.';
comment on column public.customer_list.overdrawn is 'Number of users who match the search and whose balance is negative according to the bank, without their own notes; null like the total.';
comment on column public.customer_list.blocked is 'Number of users who match the search and are blocked; null like the total.';
comment on column public.customer_list.unconfirmed is 'Number of users who match the search and have not confirmed their e-mail address; null like the total.';
comment on column public.customer_list.customers is 'The users of this page.';
comment on column public.customer_list.end_key is 'The argument after_key for the next page; null on the last page.';
comment on column public.customer_list.end_id is 'The argument after_id for the next page; null on the last page.';

create function private.listed_customers(ids uuid[], has_newest boolean default true) returns public.listed_customer[]
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(array_agg(row(
    p.id, p.full_name, s.email, p.role, s.last_sign_in_at, l.is_confirmed, coalesce(l.banned_until > now(), false), b.balance,
    t.date, t.description
  )::public.listed_customer order by i.place), '{}')
  from unnest(ids) with ordinality i (id, place)
  join public.profiles p on p.id = i.id
  join public.user_safe s on s.id = i.id
  join private.listed_people l on l.user_id = i.id
  join public.budgets b on b.user_id = i.id
  left join lateral (
    select t.date, t.description from public.transactions t where has_newest and t.user_id = i.id order by t.date desc, t.id desc limit 1
  ) t on true
$$;
comment on function private.listed_customers(uuid[], boolean) is
  'Returns users as rows of the customer list, in the given order, with their newest transactions if has_newest is true.';

create function private.count_people(state text) returns public.customer_list
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  list public.customer_list;
begin
  list.overdrawn := private.counted('select from private.listed_accounts l where l.is_overdrawn');
  list.blocked := private.counted('select from private.listed_people l where l.banned_until > now()');
  list.unconfirmed := private.counted('select from private.listed_people l where not l.is_confirmed');
  list.total := case state
    when 'overdrawn' then list.overdrawn
    when 'blocked' then list.blocked
    when 'unconfirmed' then list.unconfirmed
    when 'admin' then private.counted($q$select from public.profiles p where p.role = 'admin'$q$)
    when 'user' then private.counted($q$select from private.listed_people l where l.role = 'user'$q$)
    else private.counted('select from private.listed_people l')
  end;
  return list;
end
$$;
comment on function private.count_people(text) is 'Counts the users of the whole bank. The total is the number of users in the state.';

create function public.list_customers(
  search text default '', state text default '', sort text default 'name', is_descending boolean default false,
  after_key text default null, after_id uuid default null, rows_max integer default 50
) returns public.customer_list
  language plpgsql security definer
  set search_path = ''
as $$
declare
  page_max constant integer := greatest(least(coalesce(rows_max, 100), 100), 0);
  found private.found_people;
  list public.customer_list;
begin
  perform private.require_admin();
  if page_max > 0 or search is distinct from '' then
    found := private.find_people(search, state, sort, is_descending, after_key, after_id, page_max + 1);
  end if;
  if after_id is null and search is distinct from '' then
    list.total := found.total;
    list.overdrawn := found.overdrawn;
    list.blocked := found.blocked;
    list.unconfirmed := found.unconfirmed;
  elsif after_id is null then
    list := private.count_people(state);
  end if;
  list.customers := private.listed_customers(found.ids[:page_max]);
  if cardinality(found.ids) > page_max then
    list.end_key := found.keys[page_max];
    list.end_id := found.ids[page_max];
  end if;
  -- The counts of the whole bank show nothing about one customer. With a search, they would.
  if search is distinct from '' or page_max > 0 then
    perform private.record_listing('list_customers');
  end if;
  return list;
end
$$;
comment on function public.list_customers(text, text, text, boolean, text, uuid, integer) is
  'Returns up to 100 of the users who match both a search (private.read_search) and a state. The state is "user", "admin", "overdrawn", "blocked" or "unconfirmed"; any other text matches all users. Sorts by "name", "email", "role", "balance", "last_sign_in" or "last_transaction". A user without a sign-in or a transaction comes before all others in these orders, or after them if the order is descending. The next page begins after the user that end_key and end_id of a page name. "overdrawn" means a negative balance according to the bank. For administrators only. Adds at most one audit entry per session and hour; a call without a search and without rows (rows_max 0) only counts, and adds none. Reads at most 10,000 entries of each index that it counts, 5,000 users in the order of the list, and the users that the index of the words or of the state finds.';
grant execute on function public.list_customers(text, text, text, boolean, text, uuid, integer) to authenticated;

-- The search ----------------------------------------------------------------------------------------------------

create type public.found_transaction as (
  user_id uuid, full_name text, email text, id uuid, type text, description text, amount numeric, date timestamptz
);
comment on type public.found_transaction is 'A transaction that the bank-wide search found.';
comment on column public.found_transaction.user_id is 'The customer.';
comment on column public.found_transaction.full_name is 'The customer''s name; null if the customer has no name.';
comment on column public.found_transaction.email is 'E-mail address of the customer.';
comment on column public.found_transaction.id is 'Unique for each customer.';
comment on column public.found_transaction.type is '"deposit" or "expense".';
comment on column public.found_transaction.description is 'One line of up to 200 characters.';
comment on column public.found_transaction.amount is 'Units of currency, positive.';
comment on column public.found_transaction.date is 'Date of the transaction.';

create type public.search_results as (customers public.listed_customer[], transactions public.found_transaction[]);
comment on type public.search_results is 'The results of the bank-wide search.';
comment on column public.search_results.customers is 'Up to 8 users, sorted by name. The users'' newest transactions are not filled in.';
comment on column public.search_results.transactions is 'Up to 8 transactions, newest first.';

create function private.find_transactions(beginning text, amount numeric, results_max integer)
  returns setof public.transactions
  language plpgsql stable
  set search_path = ''
  -- Without this setting, the planner would scan every transaction while the table has no statistics.
  set enable_seqscan = off
as $$
declare
  -- Limits the rows to be sorted by date, because many descriptions can begin with the same text.
  candidates_max constant integer := 1000;
begin
  return query
    select * from (
      (
        select m.* from public.transactions m
        where trunc(m.amount * 100) = find_transactions.amount * 100
        order by m.date desc limit results_max
      )
      union
      (
        select m.* from public.transactions m
        where char_length(beginning) >= 3
          -- Compares with a range, because LIKE with a parameter would not use the index.
          and translate(lower(left(m.description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--') operator(pg_catalog.~>=~) beginning
          and translate(lower(left(m.description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--') operator(pg_catalog.~<~) (beginning || U&'\+10FFFF')
        limit candidates_max
      )
    ) m
    order by m.date desc limit results_max;
end
$$;
comment on function private.find_transactions(text, numeric, integer) is
  'Returns the newest transactions of the whole bank with an amount, and those whose folded description begins with a text of at least three characters.';

create function public.search_bank(search text, amount numeric default null) returns public.search_results
  language plpgsql security definer
  set search_path = ''
as $$
declare
  results_max constant integer := 8;
  beginning constant text := translate(lower(left(btrim(search), 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--');
  session constant text := coalesce((select auth.jwt()) ->> 'session_id', (select auth.uid())::text);
  results public.search_results;
  entry bigint;
begin
  perform private.require_admin();
  perform private.consume('search', session, only_checks => true);
  if beginning <> '' then
    results.customers := private.listed_customers(
      (private.find_people(search, '', 'name', false, null, null, results_max)).ids, has_newest => false
    );
  end if;

  select array_agg(row(
    t.user_id, p.full_name, s.email, t.id, t.type, t.description, t.amount, t.date
  )::public.found_transaction order by t.date desc, t.id)
  into results.transactions
  from private.find_transactions(beginning, amount, results_max) t
  join public.profiles p on p.id = t.user_id
  join public.user_safe s on s.id = t.user_id;

  results.customers := coalesce(results.customers, '{}');
  results.transactions := coalesce(results.transactions, '{}');
  if results.transactions = '{}' then
    perform private.record_listing('list_customers');
  else
    perform private.consume('search', session);
    entry := private.record_audit('search_transactions', null, null, null);
    insert into ledger.audit_targets (entry, target, lines)
    select entry, t.user_id, count(*) from unnest(results.transactions) t group by t.user_id;
  end if;
  return results;
end
$$;
comment on function public.search_bank(text, numeric) is
  'Searches the whole bank for users, as public.list_customers does, and for transactions. A transaction matches if it has the given amount, or if its description begins with the search text, which must have at least 3 characters. If more than 1,000 descriptions match, only 1,000 are read. For administrators only. A search that finds transactions adds an audit entry that names their customers. Other searches are recorded like calls of public.list_customers. Raises PT429 if the session''s searches have added 600 audit entries within ten minutes. Reads at most 5,000 users in the order of their names, the users that the index of the words finds, and 1,000 transactions in the order of two indexes.';
grant execute on function public.search_bank(text, numeric) to authenticated;

-- The lists of requests, for staff only. The lists show transfers of many customers and the acts of other
-- administrators. Reading a list therefore requires an audit entry, as for the customer list (docs/decisions/0056).

create type public.recent_access_act as (act text, acted_at timestamptz);
comment on type public.recent_access_act is 'An act on a person''s access in the last 14 days.';
comment on column public.recent_access_act.act is 'The kind of the order in private.orders: block_user, unblock_user, reset_factor, reset_access, begin_email_change, send_link or correct_holder.';
comment on column public.recent_access_act.acted_at is 'Time of the last act of this kind.';

create type public.request_facts as (
  balance numeric, held numeric, available_after numeric, has_sent boolean, usual_max numeric, sent_recently bigint,
  transfers_today bigint, payee_since timestamptz, access_acts public.recent_access_act[]
);
comment on type public.request_facts is 'The facts on which the decision of a request rests. All amounts are in units of currency.';
comment on column public.request_facts.balance is 'Balance of the person that an administrator''s act affects; null for a transfer, for a batch, and once the account is deleted.';
comment on column public.request_facts.held is 'The same balance according to the bank, without the person''s own notes; null for a transfer, for a batch, and once the account is deleted.';
comment on column public.request_facts.available_after is 'The amount that the payer of a transfer can still transfer when this transfer and the payer''s other open transfers are done; null for an act, and once the account is deleted.';
comment on column public.request_facts.has_sent is 'Whether the payer has ever made a transfer; null for an act.';
comment on column public.request_facts.usual_max is 'The payer''s largest transfer of the last 90 days; null for an act, and if the payer made none in these days.';
comment on column public.request_facts.sent_recently is 'Number of the payer''s transfers of the last 90 days; null for an act.';
comment on column public.request_facts.transfers_today is 'Number of transfers that the payer requested today in Bogotá, with this one if it is of today; null for an act.';
comment on column public.request_facts.payee_since is 'Time at which the payer confirmed the beneficiary; null for an act, and if the payer has removed the beneficiary.';
comment on column public.request_facts.access_acts is 'The recent changes of access of the payer of a transfer, or of the person that an administrator''s act affects. The newest comes first.';

create type public.listed_request as (
  id uuid, kind text, status text, asked_by uuid, asked_by_name text, asked_at timestamptz, payer uuid, payer_name text,
  payer_document text, payee uuid, payee_name text, payee_document text, about uuid, about_name text, amount numeric, description text, due_on date,
  expires_at timestamptz, risk smallint, decided_by uuid, decided_by_name text, reason text, details jsonb,
  clearing_file integer, obstacle text, is_stuck boolean, first_approved_by_name text,
  facts public.request_facts
);
comment on type public.listed_request is 'A request in a list for administrators.';
comment on column public.listed_request.id is 'The value of the same column in public.requests.';
comment on column public.listed_request.kind is 'The value of the same column in public.requests.';
comment on column public.listed_request.status is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by_name is 'The name of the person who made the request, or the e-mail address if they have no name; null once the account is deleted.';
comment on column public.listed_request.asked_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.payer is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payer_name is 'The payer''s verified name, or the name that the payer had typed at the time of the request, which is also shown to the payee. If the payer had no name, the column contains the payer''s present name or e-mail address. It is null once the account is deleted.';
comment on column public.listed_request.payer_document is 'The payer''s identity document, such as "CC 1020304050"; null if the bank does not know it, and then the payer typed the name or staff corrected it.';
comment on column public.listed_request.payee is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payee_name is 'The payee''s own name, or the e-mail address if the payee has no name; null once the account is deleted. For an account at another bank, the column contains the holder''s name that the payer entered.';
comment on column public.listed_request.payee_document is 'The payee''s identity document, as for the payer; null for an account at another bank.';
comment on column public.listed_request.about is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.about_name is 'The name of the person affected by an administrator''s act, or the e-mail address if they have no name. For a promotion, a demotion, a block and the removal of second factors, the column contains both the name and the e-mail address. It is null for a transfer, for a batch, and once the account is deleted.';
comment on column public.listed_request.amount is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.description is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.due_on is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.expires_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.risk is 'The value of the same column in public.requests.';
comment on column public.listed_request.decided_by is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.decided_by_name is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.reason is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.details is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.clearing_file is 'Number of the clearing file that contains the transfer; null if the request is not in a clearing file.';

comment on column public.listed_request.obstacle is 'Why the caller cannot decide the request: "own", "keys" or "first" (private.obstacle_to); null if the caller can decide it.';
comment on column public.listed_request.is_stuck is 'Whether the request waits although no administrator can decide it at present (private.is_stuck).';
comment on column public.listed_request.first_approved_by_name is 'The name of the administrator who approved the transfer first, or the e-mail address if they have no name; null without a first approval.';
comment on column public.listed_request.facts is 'The facts on which the decision rests; null if the request does not wait for a decision.';

create type public.request_queue as (
  total bigint, amount numeric, first_expires_at timestamptz, requests public.listed_request[]
);
comment on type public.request_queue is 'The requests that wait for a decision.';
comment on column public.request_queue.total is 'Number of all waiting requests. Transfers do not count while the bank has not enabled them.';
comment on column public.request_queue.amount is 'Sum of the amounts of all waiting requests, in units of currency. Requests without an amount add nothing.';
comment on column public.request_queue.first_expires_at is 'Time at which the first of all waiting requests expires; null if none waits.';
comment on column public.request_queue.requests is 'The waiting requests: first the acts of administrators, then the transfers with the highest risk. Of several requests with the same risk, the oldest comes first.';

create function private.recent_access_acts(request public.requests) returns public.recent_access_act[]
  language sql stable security definer
  set search_path = ''
  return array(
    select row(o.kind, max(o.done_at))::public.recent_access_act
    from private.done_orders(
      coalesce(request.payer, request.about),
      '{block_user,unblock_user,reset_factor,reset_access,begin_email_change,send_link,correct_holder}'
    ) o
    where o.done_at > now() - interval '14 days'
      -- A correction without details changed nothing.
      and (o.kind <> 'correct_holder' or o.details is not null)
    group by o.kind order by max(o.done_at) desc, o.kind
  );
comment on function private.recent_access_acts(public.requests) is
  'Returns the acts of the last 14 days on the access of the person who pays, or of the person affected. The access of the payer may have passed to another person. Reads at most the person''s rows in the index orders_about_a_person.';

create function private.facts_of(request public.requests) returns public.request_facts
  language sql stable security definer
  set search_path = ''
  return case
    when request.status <> 'waiting' then null
    when request.kind <> 'transfer' then row(
      (select b.balance from public.budgets b where b.user_id = request.about),
      (select b.balance - b.noted from public.budgets b where b.user_id = request.about),
      null, null, null, null, null, null, private.recent_access_acts(request)
    )::public.request_facts
    else (
      select row(
        null, null,
        (select a.balance - a.reserved from private.transfer_account_of(request.payer) a),
        exists (select from public.requests r where r.payer = request.payer and r.status = 'done'),
        sent.largest, sent.transfers,
        (
          select count(*) from public.requests r
          where r.payer = request.payer and r.status in ('waiting', 'scheduled', 'done')
            and r.asked_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
        ),
        (
          select max(b.confirmed_at)
          from public.beneficiaries b left join private.payees p on p.user_id = b.user_id and p.beneficiary_id = b.id
          where b.user_id = request.payer and b.removed_at is null
            and case when request.payee is null then b.destination = request.details else p.payee = request.payee end
        ),
        private.recent_access_acts(request)
      )::public.request_facts
      from (
        select max(r.amount) as largest, count(*) as transfers from public.requests r
        where r.payer = request.payer and r.status = 'done' and r.asked_at > now() - interval '90 days'
      ) sent
    )
  end;
comment on function private.facts_of(public.requests) is
  'Returns the facts on which the decision of a waiting request rests; null for every other request. Reads at most the payer''s beneficiaries, open transfers and transfers of the last 90 days, one row of the index of the payer''s largest transfers, and the person''s recent changes of access.';

create function private.listed(request public.requests) returns public.listed_request
  language sql stable security definer
  set search_path = ''
  return row(
    request.id, request.kind, request.status, request.asked_by, private.name_of(request.asked_by), request.asked_at,
    request.payer, coalesce(private.verified_name_of(request.payer), request.payer_name, private.name_of(request.payer)),
    private.document_of(request.payer), request.payee,
    case when request.payee is null then request.payee_name else private.name_of(request.payee) end,
    private.document_of(request.payee),
    request.about, private.name_of(request.about) || coalesce(' · ' || (
      select s.email from public.user_safe s where s.id = request.about and request.kind in ('promotion', 'demotion', 'block', 'factor')
    ), ''), request.amount, request.description, request.due_on, request.expires_at, request.risk,
    request.decided_by, request.decided_by_name, request.reason, request.details,
    private.clearing_file_with(request.id), private.obstacle_to(request, (select auth.uid())), private.is_stuck(request),
    private.name_of(request.first_approved_by), private.facts_of(request)
  )::public.listed_request;
comment on function private.listed(public.requests) is 'Returns a request and the names of the users that it mentions.';

create function private.require_request_reader() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.requires_approvals() then
    perform private.require_feature('transferencias');
  end if;
  perform private.require_second_factor();
  perform private.require_admin();
end
$$;
comment on function private.require_request_reader() is
  'Refuses callers who are not administrators, and administrators who have a second factor but have not passed it. Raises PT404 if the bank has neither enabled transfers nor required a second administrator.';

create function public.list_waiting_requests(rows_max integer default 100) returns public.request_queue
  language plpgsql security definer
  set search_path = ''
as $$
declare
  has_transfers constant boolean := private.is_on('transferencias');
  queue public.request_queue;
begin
  perform private.require_request_reader();
  select count(*), coalesce(sum(r.amount), 0), min(r.expires_at)
  into queue.total, queue.amount, queue.first_expires_at
  from public.requests r where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer');
  queue.requests := array(
    select private.listed(w.request)
    from (
      select r as request, r.risk, r.asked_at from public.requests r
      where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer')
      order by (r.kind = 'transfer'), r.risk desc, r.asked_at limit greatest(least(rows_max, 100), 0)
    ) w
    order by ((w.request).kind = 'transfer'), w.risk desc, w.asked_at
  );
  perform private.record_listing('list_requests');
  return queue;
end
$$;
comment on function public.list_waiting_requests(integer) is
  'Returns up to 100 of the requests that wait for a decision, and the number, the sum and the first expiry of all waiting requests. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator. Reads at most all waiting requests, and one page of the index with the names and recent transfers of at most 200 people.';
grant execute on function public.list_waiting_requests(integer) to authenticated;

create function public.list_decided_requests(
  state text default '', before_asked_at timestamptz default 'infinity', before_id uuid default null,
  rows_max integer default 50
) returns setof public.listed_request
  language plpgsql security definer
  set search_path = ''
  -- A generic plan could not use the index of a single state.
  set plan_cache_mode = force_custom_plan
as $$
declare
  page_max constant integer := greatest(least(rows_max, 100), 0);
  last_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  perform private.require_request_reader();
  return query
    select l.*
    from (
      select r as request, r.asked_at, r.id from public.requests r
      where (state = '' or r.status = state) and r.status <> 'waiting' and (r.asked_at, r.id) < (before_asked_at, last_id)
      order by r.asked_at desc, r.id desc limit page_max
    ) d
    cross join lateral private.listed(d.request) l
    order by d.asked_at desc, d.id desc;
  perform private.record_listing('list_decided_requests');
end
$$;
comment on function public.list_decided_requests(text, timestamptz, uuid, integer) is
  'Returns up to 100 of the requests that no longer wait for a decision and are older than the given request, with the newest first. If a state is given, returns only the requests in this state. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator. Reads at most one page of the index, with the names of at most 200 people.';
grant execute on function public.list_decided_requests(text, timestamptz, uuid, integer) to authenticated;

-- supabase/schemas/staff/functions/today.sql

-- The section *Hoy* of staff: the acts of the calling administrator today, and the unanswered invitations.

create type public.acts_of_a_day as (deposits bigint, deposited numeric, expenses bigint, spent numeric, corrections bigint,
  batches bigint, batched numeric, decisions bigint, others bigint, left_alone numeric, unanswered bigint, unanswered_batch uuid
);
comment on type public.acts_of_a_day is 'The acts of an administrator today in Bogotá, and the unanswered invitations. All amounts are in units of currency.';
comment on column public.acts_of_a_day.deposits is 'Number of deposits, without those that replace a corrected one.';
comment on column public.acts_of_a_day.deposited is 'Sum of these deposits.';
comment on column public.acts_of_a_day.expenses is 'Number of expenses, without those that replace a corrected one.';
comment on column public.acts_of_a_day.spent is 'Sum of these expenses.';
comment on column public.acts_of_a_day.corrections is 'Number of corrected transactions.';
comment on column public.acts_of_a_day.batches is 'Number of registered batches.';
comment on column public.acts_of_a_day.batched is 'Sum of the lines of these batches.';
comment on column public.acts_of_a_day.decisions is 'Number of requests that the administrator approved or declined.';
comment on column public.acts_of_a_day.others is 'Number of the administrator''s other entries in the audit, without those about reading.';
comment on column public.acts_of_a_day.left_alone is 'Amount that the administrator can still move today without a second administrator; null if the bank has no such limit.';
comment on column public.acts_of_a_day.unanswered is 'Number of customers whose last invitation is older than three days and who have not followed it.';
comment on column public.acts_of_a_day.unanswered_batch is 'The batch of the newest of these invitations; null without one.';

create function public.read_day_of_staff() returns public.acts_of_a_day
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  above constant numeric := private.number('staff_approval_above');
  day public.acts_of_a_day;
begin
  perform private.require_second_factor();
  perform private.require_admin();
  select
    count(*) filter (where e.kind = 'deposit'), coalesce(sum(e.amount) filter (where e.kind = 'deposit'), 0),
    count(*) filter (where e.kind = 'expense'), coalesce(sum(e.amount) filter (where e.kind = 'expense'), 0),
    count(*) filter (where e.kind = 'correct_transaction'),
    count(*) filter (where e.kind = 'register_batch'), coalesce(sum(e.amount) filter (where e.kind = 'register_batch'), 0),
    count(*) filter (where e.kind = 'decide_request'),
    count(*) filter (where e.kind = 'other')
  into day.deposits, day.deposited, day.expenses, day.spent, day.corrections, day.batches, day.batched, day.decisions,
    day.others
  from (
    select
      case
        when a.action = 'register_transaction' and not a.after ? 'replaces' then a.after ->> 'type'
        -- The replacement belongs to its correction.
        when a.action = 'register_transaction' then 'replacement'
        when a.action in ('correct_transaction', 'register_batch', 'decide_request') then a.action
        else 'other'
      end as kind,
      (a.after ->> 'amount')::numeric as amount
    from (
      select d.action, d.after, d.recorded_at from ledger.audit d
      where d.actor = clerk and d.action !~ '^(read|list|search)_' order by d.id desc limit 10000
    ) a
    where a.recorded_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
  ) e;
  day.left_alone := case when above is not null then greatest(above - private.moved_today(clerk), 0) end;
  select count(*), (array_agg(i.batch_id order by i.invited_at desc))[1] into day.unanswered, day.unanswered_batch
  from (
    select l.batch_id, l.user_id, l.invited_at, l.invitation from public.batch_lines l
    where l.invited_at < now() - interval '3 days' order by l.invited_at desc limit 10000
  ) i
  join auth.users u on u.id = i.user_id
  where i.invitation = 'sent' and u.email_confirmed_at is null;
  return day;
end
$$;
comment on function public.read_day_of_staff() is
  'Returns the acts of the calling administrator today in Bogotá, the amount that is left for today without a second administrator, and the number of customers who have not answered their invitation for three days. For administrators only. Reads at most the caller''s newest 10,000 entries of the audit and the newest 10,000 invitations, each in the order of an index.';
grant execute on function public.read_day_of_staff() to authenticated;

-- supabase/schemas/operations/functions.sql

-- Functions of operations.

-- Exporting and erasing a customer's own data, and purging expired data (Ley 1581 de 2012).

create function private.rows_about(relation text, column_name text, person uuid, secrets text[]) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the reading session uses.
  set timezone = 'UTC'
as $$
declare
  found_rows jsonb;
begin
  -- A hosted project does not have some of our authentication service's tables.
  if to_regclass(relation) is null then
    return '[]';
  end if;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) - $2), ''[]'') from %s t where t.%I = $1', to_regclass(relation), column_name
  ) into found_rows using person, secrets;
  return found_rows;
end
$$;
comment on function private.rows_about(text, text, uuid, text[]) is
  'Returns a table''s rows about a person as JSON, without the columns that the argument `secrets` lists. Only public.export_my_data calls this function, with constant table names.';

create function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  set timezone = 'UTC'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  -- The object's field names are table names, because tests/database/own-data.test.ts compares these names with the
  -- catalogue. Omits only hashes and cryptographic keys, because they reveal nothing about a person.
  return jsonb_build_object('exported_at', now()) || (
    select jsonb_object_agg(t.relation, private.rows_about(t.relation, t.owner, me, t.secrets))
    from (
      values
        ('auth.users', 'id', '{
          encrypted_password, confirmation_token, recovery_token, email_change_token_new, email_change_token_current,
          phone_change_token, reauthentication_token
        }'::text[]),
        ('auth.identities', 'user_id', '{}'),
        ('auth.sessions', 'user_id', '{refresh_token_hmac_key}'),
        ('auth.one_time_tokens', 'user_id', '{token_hash, code_mac, code_challenge}'),
        ('auth.flow_state', 'user_id', '{
          auth_code, auth_code_hash, code_challenge, provider_access_token, provider_refresh_token
        }'),
        ('auth.mfa_factors', 'user_id', '{
          secret, web_authn_credential, last_webauthn_challenge_data, begun_in, undo_hash
        }'),
        ('auth.address_changes', 'user_id', '{confirm_hash, cancel_hash}'),
        ('auth.known_networks', 'user_id', '{}'),
        ('public.profiles', 'id', '{}'),
        ('public.user_safe', 'id', '{}'),
        ('public.account_holders', 'user_id', '{}'),
        ('public.holder_corrections', 'user_id', '{}'),
        ('public.budgets', 'user_id', '{}'),
        ('public.corrections', 'user_id', '{}'),
        ('public.imports', 'user_id', '{body_hash}'),
        ('public.batch_lines', 'user_id', '{}'),
        ('public.recurring_expenses', 'user_id', '{}'),
        ('public.recurring_occurrences', 'user_id', '{}'),
        ('public.categories', 'user_id', '{}'),
        ('public.category_budgets', 'user_id', '{}'),
        ('public.category_rules', 'user_id', '{}'),
        -- Exports a transfer request only to its payer. The payee reads the resulting transaction in their own list.
        ('public.requests', 'payer', '{payee, first_approved_by, decided_by, body_hash}'),
        ('public.beneficiaries', 'user_id', '{}'),
        ('private.transfer_limits', 'user_id', '{}'),
        ('private.aliases', 'user_id', '{}'),
        ('public.notification_preferences', 'user_id', '{}'),
        ('public.notifications', 'user_id', '{}'),
        ('private.notices', 'recipient', '{}'),
        ('private.notice_marks', 'recipient', '{seed}'),
        ('private.known_devices', 'user_id', '{device}'),
        ('private.access_acts', 'person', '{clerk}'),
        ('private.staff_passwords', 'user_id', '{}'),
        ('ledger.deleted_transactions', 'user_id', '{}'),
        ('private.orders', 'asked_by', '{about, thing, amount, request_id, body_hash, details}'),
        ('ledger.audit_targets', 'target', '{}')
    ) t (relation, owner, secrets)
  ) || jsonb_build_object(
    -- Includes the actions that affected the caller and the caller's own actions. Omits the other people involved and
    -- the details of actions that affected others, because these are other people's data.
    'ledger.audit', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'recorded_at', a.recorded_at, 'action', a.action,
        'before', case when a.target = me then a.before end,
        -- The person sees the reason for a block only if they requested the block themselves.
        'after', case when a.target = me then
          case when a.after ->> 'reason' <> 'customer_request' then a.after - 'reason' else a.after end
        end,
        'was_done_by_me', a.actor is not distinct from me
      ) order by a.id), '[]')
      from ledger.audit a where a.target = me or a.actor = me
    )
  );
end
$$;
comment on function public.export_my_data() is
  'Returns all rows that identify the caller, grouped by table, without hashes and keys. Omits the tables that callers can read in pages themselves: public.transactions, public.transaction_edits, public.import_lines and public.journal_entries.';
grant execute on function public.export_my_data() to authenticated;

-- Purges expired rows that no request would remove (docs/privacy.md). The server calls this function every ten minutes.

create function private.purge_expired(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  forgotten constant ledger.deleted_transactions[] := array(select d from ledger.purge_deleted_transactions(rows_max) d);
  removed integer := cardinality(forgotten);
  expired record;
  emptied integer;
begin
  perform private.forget_import_descriptions(forgotten);
  for expired in
    select * from (
      values
        -- Accounts whose address was never confirmed. Keeps accounts that have journal entries or a mailed link that may
        -- still be valid.
        ('auth.users'::regclass, $due$
          due.email_confirmed_at is null and due.created_at <= now() - interval '7 days'
          and due.last_sign_in_at is null
          and due.raw_app_meta_data ->> 'role' is distinct from 'admin'
          and not exists (
            select from auth.one_time_tokens t where t.user_id = due.id and t.created_at > now() - interval '24 hours'
          )
          and not exists (select from ledger.journal j where j.user_id = due.id)
          -- The bank opened these accounts. Their customers may not have been invited yet.
          and not exists (select from public.batch_lines l where l.user_id = due.id and l.invitation is not null)
        $due$),
        ('public.new_accounts', $due$
          exists (select from public.batches b where b.id = due.batch_id and b.finished_at < now() - interval '30 days')
        $due$),
        ('public.beneficiaries', $due$due.removed_at < now() - interval '24 hours'$due$),
        ('public.notifications', $due$due.happened_at < now() - interval '90 days'$due$),
        ('private.access_acts', $due$due.acted_at <= now() - interval '90 days'$due$),
        ('private.notices', $due$
          due.happened_at < now() - interval '24 hours'
          and (due.dedupe is null or due.happened_at < now() - interval '31 days')
        $due$),
        ('private.attempts', $due$due.ends_at <= now() - interval '1 hour'$due$),
        ('private.counters', $due$
          exists (
            select from private.limits l where l.name = due.limit_name
              and due.slot < floor(extract(epoch from now()) * l.slots / l.window_seconds) - l.slots
          )
        $due$),
        -- Keeps the newest device. Otherwise, the next sign-in after a long absence would count as the first one.
        ('private.known_devices', $due$
          due.last_seen_at < now() - interval '90 days'
          and exists (
            select from private.known_devices newer
            where newer.user_id = due.user_id and (newer.last_seen_at, newer.device) > (due.last_seen_at, due.device)
          )
        $due$)
    ) as rules (relation, condition)
  loop
    removed := removed + private.purge_rows(expired.relation, expired.condition, rows_max);
  end loop;
  -- The orders stay, without their keys.
  update private.orders o set call_key = null, body_hash = null
  where o.id in (
    select due.id from private.orders due where due.call_key is not null and due.asked_at <= now() - interval '48 hours'
    order by due.asked_at limit rows_max for no key update skip locked
  );
  get diagnostics emptied = row_count;
  return removed + emptied;
end
$$;
comment on function private.purge_expired(integer) is
  'Purges deleted transactions, removed beneficiaries and undelivered notices after 24 hours, the idempotency keys of orders after 48 hours, counters whose window has passed, and attempts an hour later. Purges unconfirmed accounts after 7 days, and after 30 days the data of accounts that could not be opened. Purges the notices of statements after 31 days. Purges notifications, acts on access and known devices after 90 days, except the newest device of each person. Removes up to rows_max rows of each kind and returns the total number.';
grant execute on function private.purge_expired(integer) to supabase_auth_admin;

-- Reports of the servers --------------------------------------------------------------------------------------------

create function private.report_server(report jsonb) returns timestamptz
  language plpgsql security definer
  set search_path = ''
as $$
declare
  own constant private.servers := jsonb_populate_record(null::private.servers, report);
  since timestamptz;
  known timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('finanzas.servers'));
  known := least(own.started_at, (select min(s.known_since) from private.servers s where s.name = own.name));
  select min(s.serving_since) into since from private.servers s
  where s.seen_at > now() - interval '3 minutes' or s.ended_at > now() - interval '3 minutes';
  -- If an earlier process with the same name last reported before this process started, the earlier process has
  -- crashed, and its row is deleted. The time of the start comes from the server's clock, which may be 30 seconds slow.
  -- A row that is older than a week is no longer needed.
  delete from private.servers s
  where s.process <> own.process and (
    (s.name = own.name and s.seen_at <= own.started_at + interval '30 seconds') or s.seen_at < now() - interval '7 days'
  );
  insert into private.servers as s (
    process, name, version, engine, started_at, known_since, serving_since, seen_at, disk_free_bytes,
    backup_interval_minutes, last_backup_at
  ) values (
    own.process, own.name, own.version, own.engine, own.started_at, known, coalesce(since, now()), now(),
    own.disk_free_bytes, own.backup_interval_minutes, own.last_backup_at
  )
  on conflict (process) do update set
    serving_since = excluded.serving_since, seen_at = excluded.seen_at, disk_free_bytes = excluded.disk_free_bytes,
    last_backup_at = excluded.last_backup_at;
  return known;
end
$$;
comment on function private.report_server(jsonb) is
  'Stores a server''s report, and returns the start of the first process with this name. The keys of the report are the names of the columns of private.servers.';

create function private.end_server(ended uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  update private.servers s set seen_at = now(), ended_at = now() where s.process = ended
$$;
comment on function private.end_server(uuid) is 'Records that a server shuts down in the regular way, so that the other servers do not report it as missing.';

create function private.report_alarms(process uuid, reports jsonb) returns text[]
  language plpgsql security definer
  set search_path = ''
as $$
declare
  report record;
  place uuid;
  until timestamptz;
  begun text[] := '{}';
begin
  -- If two servers report an alarm about the whole bank at the same time, only one of them must open the alarm.
  perform pg_advisory_xact_lock(hashtext('finanzas.alarms'));
  for report in
    select r.* from jsonb_to_recordset(reports) as r (
      code text, is_of_bank boolean, begun_seconds_ago double precision, lasts_seconds double precision
    ) limit 100
  loop
    place := case when not report.is_of_bank then report_alarms.process end;
    until := now() + make_interval(secs => report.lasts_seconds);
    -- An alarm that begins again within ten minutes counts as the same alarm. One server cannot end an alarm about the
    -- whole bank that another server still reports.
    update private.alarms a set open_until = case when place is null then greatest(a.open_until, until) else until end
    where a.id = (
      select o.id from private.alarms o
      where o.code = report.code and o.process is not distinct from place and o.open_until > now() - interval '10 minutes'
      order by o.open_until desc limit 1
    );
    if not found then
      insert into private.alarms (code, process, begun_at, open_until)
      values (report.code, place, now() - make_interval(secs => report.begun_seconds_ago), until);
      begun := begun || report.code;
    end if;
  end loop;
  if begun <> '{}' then
    delete from private.alarms a where a.open_until < now() - interval '30 days';
  end if;
  return begun;
end
$$;
comment on function private.report_alarms(uuid, jsonb) is
  'Stores a server''s alarms, and returns the codes of those that this call has opened. The alarm counts as over after lasts_seconds unless a server reports the alarm again; a negative value reports an alarm that is already over.';

create function private.watch_standby(has_standby boolean) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  since timestamptz;
begin
  if has_standby then
    insert into private.synchronous_standby as s (gone_since) values (null)
    on conflict (is_only) do update set gone_since = null where s.gone_since is not null;
  else
    update private.synchronous_standby s set gone_since = now() where s.gone_since is null;
    select s.gone_since into since from private.synchronous_standby s;
  end if;
  return extract(epoch from now() - since);
end
$$;
comment on function private.watch_standby(boolean) is
  'Remembers whether PostgreSQL has a synchronous standby. Returns the seconds for which the standby has been gone; null if there is one, or if there never was one.';

-- Mails to the operator -----------------------------------------------------------------------------------------------

create function private.note_mailed_alarm(code text, is_open boolean) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into private.mailed_alarms as t (code, is_open, mailed_at)
  values (note_mailed_alarm.code, note_mailed_alarm.is_open, now())
  on conflict on constraint mailed_alarms_pkey do update
    set is_open = excluded.is_open,
      mailed_at = case when excluded.is_open then excluded.mailed_at else t.mailed_at end
    where t.is_open <> excluded.is_open;
  return found;
end
$$;
comment on function private.note_mailed_alarm(text, boolean) is
  'Records that the operator gets a mail about the beginning or end of an alarm. Returns false if another server has already recorded this mail.';

create function private.tell_alarms(operator text, told_directly text[]) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  due record;
  mails integer := 0;
begin
  -- Two servers note the same alarms in the same order.
  for due in select told.code from unnest(told_directly) told (code) order by 1 loop
    perform private.note_mailed_alarm(due.code, true);
  end loop;
  for due in
    select o.code, true as is_open, o.begun_at as at
    from (
      select a.code, min(a.begun_at) as begun_at from private.alarms a where a.open_until > now() group by a.code
    ) o
    left join private.mailed_alarms t on t.code = o.code
    -- An alarm that repeatedly begins and ends is mailed only once an hour.
    where t.code is null or (not t.is_open and t.mailed_at < now() - interval '1 hour')
    union all
    select t.code, false, coalesce((select max(a.open_until) from private.alarms a where a.code = t.code), now())
    from private.mailed_alarms t
    where t.is_open and not exists (select from private.alarms a where a.code = t.code and a.open_until > now())
    order by 1
  loop
    if private.note_mailed_alarm(due.code, due.is_open) then
      perform private.mail(
        array[operator], 'alarm',
        jsonb_build_object('code', due.code, 'is_open', due.is_open, 'happened_at', due.at)
      );
      mails := mails + 1;
    end if;
  end loop;
  return mails;
end
$$;
comment on function private.tell_alarms(text, text[]) is
  'Mails the operator about each alarm whose beginning or end has not been mailed yet, and returns the number of mails. Each alarm is mailed at most once an hour. told_directly are the codes of the alarms that a server mailed itself while it could not reach the database.';

-- The state of the bank -------------------------------------------------------------------------------------------------

create type public.server_state as (
  name text, version text, engine text, started_at timestamptz, seen_at timestamptz, is_gone boolean,
  disk_free_bytes bigint, backup_interval_minutes integer, last_backup_at timestamptz
);
comment on type public.server_state is 'One server of the bank.';
comment on column public.server_state.name is 'The value of the same column in private.servers; null for administrators.';
comment on column public.server_state.version is 'The value of the same column in private.servers.';
comment on column public.server_state.engine is 'The value of the same column in private.servers.';
comment on column public.server_state.started_at is 'The value of the same column in private.servers.';
comment on column public.server_state.seen_at is 'The value of the same column in private.servers.';
comment on column public.server_state.is_gone is 'Whether the server has not reported for three minutes.';
comment on column public.server_state.disk_free_bytes is 'The value of the same column in private.servers; may be null.';
comment on column public.server_state.backup_interval_minutes is 'The value of the same column in private.servers; may be null.';
comment on column public.server_state.last_backup_at is 'The value of the same column in private.servers; may be null.';

create type public.alarm_state as (code text, server text, begun_at timestamptz, ended_at timestamptz);
comment on type public.alarm_state is 'An alarm that is open or that ended within the last day.';
comment on column public.alarm_state.code is 'The value of the same column in private.alarms.';
comment on column public.alarm_state.server is 'Name of the server that the alarm is about; null for an alarm of the whole bank, and for administrators.';
comment on column public.alarm_state.begun_at is 'Time at which the alarm began.';
comment on column public.alarm_state.ended_at is 'Time at which the alarm ended; null while it is open.';

create type public.bank_state as (
  read_at timestamptz, serving_since timestamptz, migration text, database_version text, database_bytes bigint,
  last_backup_at timestamptz, ledger_checked_at timestamptz, is_ledger_broken boolean, mails_waiting bigint,
  oldest_mail_at timestamptz, needs_administrator boolean, servers public.server_state[], alarms public.alarm_state[]
);
comment on type public.bank_state is 'The state of the bank, for its operator and its administrators.';
comment on column public.bank_state.read_at is 'Time at which the state was read.';
comment on column public.bank_state.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes; null if no server is running.';
comment on column public.bank_state.migration is 'Version and name of the newest applied migration; null on a hosted project that has no record of its migrations.';
comment on column public.bank_state.database_version is 'Version of PostgreSQL.';
comment on column public.bank_state.database_bytes is 'Size of the database.';
comment on column public.bank_state.last_backup_at is 'Time of the last backup; null if no server knows of a backup.';
comment on column public.bank_state.ledger_checked_at is 'Time at which the whole ledger was last verified; null before the first verification.';
comment on column public.bank_state.is_ledger_broken is 'Whether the last verification found an invalid entry.';
comment on column public.bank_state.mails_waiting is 'Number of mails that the mail server has not accepted yet; null on a hosted project.';
comment on column public.bank_state.oldest_mail_at is 'Time at which the oldest waiting mail began to wait; null if no mail is waiting.';
comment on column public.bank_state.needs_administrator is 'Whether the bank has enabled transfers, although fewer than two administrators can sign in.';
comment on column public.bank_state.servers is 'The running servers, and the servers that stopped reporting within the last day.';
comment on column public.bank_state.alarms is 'Up to 100 alarms: the open ones first, and then the newest.';

create function private.bank_state(has_names boolean) returns public.bank_state
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  state public.bank_state;
begin
  state.read_at := now();
  -- On a hosted project the table does not exist if the migrations ran in the SQL editor.
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    select m.version || '_' || m.name into state.migration
    from supabase_migrations.schema_migrations m order by m.version collate "C" desc limit 1;
  end if;
  state.database_version := current_setting('server_version');
  state.database_bytes := pg_database_size(current_database());
  state.last_backup_at := (select max(s.last_backup_at) from private.servers s);
  select max(c.ended_at), coalesce(bool_or(c.is_broken), false) into state.ledger_checked_at, state.is_ledger_broken
  from ledger.daily_check c;
  -- A hosted project sends its mails itself.
  if not private.is_hosted() then
    select w.count, w.oldest_at into state.mails_waiting, state.oldest_mail_at from auth.waiting_mails() w;
  end if;
  state.needs_administrator := private.is_on('transferencias')
    and cardinality(private.administrators()) < 2;
  select coalesce(array_agg(row(
    case when has_names then s.name end, s.version, s.engine, s.started_at, s.seen_at, s.is_gone, s.disk_free_bytes,
    s.backup_interval_minutes, s.last_backup_at
  )::public.server_state order by s.started_at), '{}'), min(s.serving_since) filter (where not s.is_gone)
  into state.servers, state.serving_since
  from (
    select r.*, r.seen_at < now() - interval '3 minutes' as is_gone from private.servers r
    where r.ended_at is null and r.seen_at > now() - interval '1 day'
    order by r.seen_at desc limit 50
  ) s;
  -- In the order of this query, the open alarms come first. The query reads at most 100 alarms; its cost therefore does
  -- not grow with the number of alarms.
  state.alarms := array(
    select row(
      a.code, case when has_names then (select s.name from private.servers s where s.process = a.process) end,
      a.begun_at, case when a.open_until <= now() then a.open_until end
    )::public.alarm_state
    from (
      select r.* from private.alarms r where r.open_until > now() - interval '1 day'
      order by r.open_until desc limit 100
    ) a
    order by (a.open_until > now()) desc, a.begun_at desc
  );
  return state;
end
$$;
comment on function private.bank_state(boolean) is
  'Returns the state of the bank, with the names of the servers if has_names is true.';
grant execute on function
  private.report_server(jsonb), private.end_server(uuid), private.report_alarms(uuid, jsonb),
  private.watch_standby(boolean), private.tell_alarms(text, text[]), private.bank_state(boolean)
  to supabase_auth_admin;

create function public.read_bank_state() returns public.bank_state
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  perform private.require_admin();
  return private.bank_state(false);
end
$$;
comment on function public.read_bank_state() is
  'Returns the state of the bank without the names of its servers. For administrators only, with their second factor if they have one. Reads at most 50 servers, the 100 newest alarms of the last day, the mails that wait, and the size of the database.';
grant execute on function public.read_bank_state() to authenticated;

-- The periodic work. A database transaction handles a limited number of rows, so that it does not hold locks for long.

insert into private.jobs (name, every, call, full_at, is_exclusive, lease)
select j.* from (
  values
    ('forget', interval '10 minutes', 'private.purge_expired(500)', 500, true, null::interval),
    ('record', interval '10 minutes', 'private.record_due_expenses(200)', 200, true, null),
    ('end requests', interval '1 minute', 'private.run_due_requests(50)', 50, true, null),
    ('return', interval '1 minute', 'private.return_pieces(50)', 1, true, null),
    -- Several servers post at once, each of them another batch. A piece locks the accounts of the customers in its lines.
    ('post', interval '10 seconds', 'private.post_batch_piece(100)', 1, false, null),
    ('tell', interval '15 seconds', 'private.tell_customers(1000)', 1000, true, null)
) as j (name, every, call, full_at, is_exclusive, lease)
union all
-- A hosted project sends no mails, purges its own accounts and has no server that could verify the ledger.
select j.* from (
  values
    ('forget sign-ins', interval '10 minutes', 'auth.purge_expired(500)', 500, true, null::interval),
    ('tell staff', interval '1 minute', 'private.tell_deciders()', null, true, null),
    -- The mails of a payroll are spread over several minutes, so that a mail with a sign-in link does not wait for them.
    ('mail news', interval '15 seconds', 'private.mail_notices(100)', null, true, null),
    ('invite', interval '15 seconds', null, null, true, interval '1 minute'),
    ('verify', interval '1 day', null, null, true, interval '2 minutes')
) as j (name, every, call, full_at, is_exclusive, lease)
where not private.is_hosted();

-- On a hosted project, the database itself begins the turns. Our own server calls private.run_job.

-- Neither a security definer nor a search path, because PostgreSQL would then refuse the commits.
create procedure private.run_jobs()
  language plpgsql
as $$
declare
  job text;
  is_full boolean;
begin
  for job in select j.name from private.jobs j where j.call is not null order by j.name loop
    loop
      begin
        is_full := private.run_job(job) = 0;
      exception when others then
        -- The other jobs do not wait for a job that fails.
        raise warning 'The job "%" failed: %', job, sqlerrm;
        is_full := false;
      end;
      commit;
      exit when not is_full;
    end loop;
  end loop;
end
$$;
comment on procedure private.run_jobs() is
  'Carries out every job of a hosted project that is due. The extension pg_cron calls this procedure once a minute.';

create function private.schedule_jobs() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- A line with a second statement would run as one database transaction, and the commits would be refused.
  perform cron.schedule('finanzas', '* * * * *', 'call private.run_jobs()');
end
$$;
comment on function private.schedule_jobs() is
  'Schedules the periodic work with the extension pg_cron (docs/hosted.md). The operator calls this function if they enable the extension after the migrations.';

do $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is not null
    and has_function_privilege('cron.schedule(text,text,text)', 'execute')
  then
    perform private.schedule_jobs();
  end if;
end
$$;

-- supabase/schemas/audit/triggers.sql

-- Triggers on the audit.

-- Triggers of ledger.audit, in the order in which they fire:
--   Before the statement: audit_is_append_only.

create trigger audit_is_append_only
  before update or delete or truncate on ledger.audit
  for each statement execute function ledger.refuse_change();

-- Triggers of ledger.audit_targets, in the order in which they fire:
--   Before the statement: audit_targets_are_append_only.

create trigger audit_targets_are_append_only
  before update or delete or truncate on ledger.audit_targets
  for each statement execute function ledger.refuse_change();

-- supabase/schemas/notices/triggers.sql

-- Triggers on the tables of notices, and on the sessions of the platform, because notices report a new device.

-- Triggers of auth.sessions, in the order in which they fire:
--   After each row: note_session.

-- On a hosted project, the platform might refuse a trigger on this table.
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    execute 'create trigger note_session after insert on auth.sessions
      for each row execute function private.note_session()';
  end if;
end
$$;

-- supabase/schemas/people/triggers.sql

-- Triggers on the tables of people. The triggers on the users of the platform are in acts/triggers.sql.

-- Triggers of public.profiles, in the order in which they fire:
--   Before the statement: refuse_customers_request.
--   Before each row: role_is_ordered.

create trigger refuse_customers_request before update on public.profiles
  for each statement execute function private.refuse_customers_request();

create trigger role_is_ordered before update of role on public.profiles
  for each row when (old.role is distinct from new.role) execute function private.role_is_ordered();

-- Triggers of public.account_holders, in the order in which they fire:
--   Before each row: keep_account_number.

create trigger keep_account_number before update of user_id, account_number on public.account_holders
  for each row when ((old.user_id, old.account_number) is distinct from (new.user_id, new.account_number))
  execute function private.keep_account_number();

-- supabase/schemas/orders/triggers.sql

-- Triggers on orders.

-- Triggers of private.orders, in the order in which they fire:
--   At commit: audit_order.

-- If the entry were added earlier, the audit chain would stay locked while the statement waits for other rows.
create constraint trigger audit_order
  after insert on private.orders deferrable initially deferred
  for each row execute function private.audit_order();

-- supabase/schemas/money/triggers.sql

-- Triggers on the tables of money.

-- Triggers of public.budgets, in the order in which they fire:
--   Before the statement: begin_write.

-- A customer can change only the limit in their own row. The balance changes with each posting, which has limits of its
-- own.
create trigger begin_write before update on public.budgets
  for each statement when (current_user = 'authenticated') execute function private.begin_change_of_limit();

-- Triggers of ledger.journal, in the order in which they fire:
--   Before the statement: journal_is_append_only.

create trigger journal_is_append_only
  before update or delete or truncate on ledger.journal
  for each statement execute function ledger.refuse_change();

-- Triggers of public.transactions, in the order in which they fire:
--   Before the statement: lock_account_first, transactions_are_not_emptied.
--   Before each row: transactions_do_not_change.
--   After the statement: post_added_transactions, post_changed_transactions, post_removed_transactions.

create trigger lock_account_first before update or delete on public.transactions
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger transactions_are_not_emptied before truncate on public.transactions
  for each statement execute function ledger.refuse_change();

create trigger transactions_do_not_change before update on public.transactions
  for each row execute function private.refuse_transaction_change();

create trigger post_added_transactions after insert on public.transactions
  referencing new table as added
  for each statement execute function private.post_added_transactions();

create trigger post_changed_transactions after update on public.transactions
  referencing old table as before new table as after
  for each statement execute function private.post_changed_transactions();

create trigger post_removed_transactions after delete on public.transactions
  referencing old table as removed
  for each statement execute function private.post_removed_transactions();

-- Triggers of public.transaction_edits, in the order in which they fire:
--   Before the statement: transaction_edits_are_append_only.
--   After the statement: transaction_edits_stay.

create trigger transaction_edits_are_append_only before update or truncate on public.transaction_edits
  for each statement execute function ledger.refuse_change();

-- This is a statement trigger, because closing an account can delete years of edits at once.
create trigger transaction_edits_stay after delete on public.transaction_edits
  referencing old table as removed
  for each statement execute function ledger.refuse_to_forget_edits();

-- Triggers of public.corrections, in the order in which they fire:
--   Before the statement: corrections_are_append_only.
--   Before each row: corrections_stay.

create trigger corrections_are_append_only before update or truncate on public.corrections
  for each statement execute function ledger.refuse_change();

create trigger corrections_stay before delete on public.corrections
  for each row execute function private.keep_correction();

-- supabase/schemas/planning/triggers.sql

-- Triggers on the tables of planning. Customers write only categories and rules themselves. The functions that write the
-- other tables count their rows toward the limit "rows written".

-- Triggers of public.categories, in the order in which they fire:
--   Before the statement: begin_write.
--   After each row: forget_category, rename_category.
--   After the statement: count_added_rows.

-- The rows are counted under the account's lock, so that concurrent inserts are counted one after another.
create trigger begin_write before insert or update or delete on public.categories
  for each statement when (current_user = 'authenticated') execute function private.begin_write();

create trigger forget_category after delete on public.categories
  for each row execute function private.forget_category();

create trigger rename_category after update on public.categories
  for each row execute function private.rename_category();

create trigger count_added_rows after insert on public.categories
  referencing new table as added for each statement execute function private.count_added_rows('categories');

-- Triggers of public.category_rules, in the order in which they fire:
--   Before the statement: begin_write.
--   Before each row: place_rule.
--   After the statement: count_added_rows, count_updated_rows.

create trigger begin_write before insert or update or delete on public.category_rules
  for each statement when (current_user = 'authenticated') execute function private.begin_write();

create trigger place_rule before insert on public.category_rules
  for each row execute function private.place_rule();

create trigger count_added_rows after insert on public.category_rules
  referencing new table as added for each statement execute function private.count_added_rows('category rules');

-- Deleted rules are not counted, because a customer can delete only the few rules that exist.
create trigger count_updated_rows after update on public.category_rules
  referencing new table as written
  for each statement when (current_user = 'authenticated') execute function private.count_written_rows();

-- supabase/schemas/transfers/triggers.sql

-- Triggers on the tables of transfers.

-- Triggers of private.clearing_files, in the order in which they fire:
--   Before the statement: clearing_files_are_append_only.

create trigger clearing_files_are_append_only before update or delete or truncate on private.clearing_files
  for each statement execute function ledger.refuse_change();

-- Triggers of private.clearing_transfers, in the order in which they fire:
--   Before the statement: clearing_transfers_stay.
--   Before each row: clearing_transfers_do_not_change.

create trigger clearing_transfers_stay before delete or truncate on private.clearing_transfers
  for each statement execute function ledger.refuse_change();

-- The only permitted change puts a transfer into a file, once.
create trigger clearing_transfers_do_not_change before update on private.clearing_transfers
  for each row when (old.file is not null or to_jsonb(new) - 'file' is distinct from to_jsonb(old) - 'file')
  execute function ledger.refuse_change();

-- supabase/schemas/acts/triggers.sql

-- Triggers on the users of the platform. They stand here, because a user is opened, changed and deleted by acts of
-- many subjects.

-- Triggers of auth.users, in the order in which they fire:
--   Before each row: new_person, person_leaves.
--   After each row: access_changed, mirror_person, open_person, role_changed.
--   At commit: audit_user_authority, audit_user_deletion.
-- The triggers at commit lock the audit chain after all other locks, so that administrators cannot deadlock with each
-- other. The lock of the audit chain therefore lasts only during the commit.

create trigger new_person before insert on auth.users
  for each row execute function private.check_new_person();

create trigger person_leaves before delete on auth.users
  for each row execute function private.person_leaves();

create trigger access_changed after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null)
  execute function private.access_changed();

create trigger mirror_person
  after update of email, last_sign_in_at, raw_user_meta_data, raw_app_meta_data, email_confirmed_at, banned_until
  on auth.users
  for each row execute function private.mirror_person();

create trigger open_person after insert on auth.users
  for each row execute function private.open_person();

create trigger role_changed after update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.role_changed();

create constraint trigger audit_user_authority
  after update of raw_app_meta_data, banned_until on auth.users
  deferrable initially deferred
  for each row
  when (
    old.raw_app_meta_data ->> 'role' is distinct from new.raw_app_meta_data ->> 'role'
    or old.banned_until is distinct from new.banned_until
  )
  execute function private.audit_authority();

create constraint trigger audit_user_deletion
  after delete on auth.users
  deferrable initially deferred
  for each row execute function private.audit_deletion();

-- On a hosted project, the authentication service stores the password. The trigger runs at commit, after the service has
-- ended the other sessions.
do $$
begin
  if private.is_hosted() then
    execute $trigger$
      create constraint trigger note_hosted_password after update of encrypted_password on auth.users
        deferrable initially deferred
        for each row when (new.encrypted_password <> '' and old.encrypted_password is distinct from new.encrypted_password)
        execute function private.note_hosted_password()
    $trigger$;
  end if;
end
$$;

-- supabase/schemas/ground/end.sql

-- Gives back the default privileges that ground/begin.sql took away, and enables row-level security on every table, also
-- for the owner.

do $$
declare
  unprotected regclass;
begin
  execute current_setting('finanzas.default_privileges');
  for unprotected in
    select c.oid from pg_catalog.pg_class c
    where c.relkind in ('r', 'p') and c.relowner = current_user::regrole
      and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'ledger'::regnamespace)
      and not (c.relrowsecurity and c.relforcerowsecurity)
  loop
    execute format('alter table %s enable row level security, force row level security', unprotected);
  end loop;
end
$$;
