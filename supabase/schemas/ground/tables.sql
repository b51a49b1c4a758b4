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

create table private.lookalikes (
  letter text primary key,
  characters text not null
);
comment on table private.lookalikes is 'The characters that look like a letter from a to z or a digit. Derived by tools/lookalikes.ts from the confusables of Unicode Technical Standard 39, version 10.0 (Unicode License v3).';
comment on column private.lookalikes.letter is 'A letter from a to z or a digit.';
comment on column private.lookalikes.characters is 'The other characters that look like it. Characters that compatibility normalization or the removal of accents turns into the letter are left out.';
alter table private.lookalikes enable row level security, force row level security;
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

-- The rate limiter: counts uses of a limit, such as the rows that a customer writes, for each subject in a time window.

create table private.limits (
  name text primary key,
  uses_max integer not null check (uses_max > 0),
  window_seconds integer not null check (window_seconds > 0),
  slots integer not null check (slots between 1 and 100),
  is_counted_afterwards boolean not null default false,
  sentence text not null
);
comment on table private.limits is 'The limits that private.consume enforces.';
comment on column private.limits.uses_max is 'Maximum number of uses of one subject in the window.';
comment on column private.limits.window_seconds is 'Length of the window.';
comment on column private.limits.slots is 'Number of equal parts into which the window is divided. A use counts until the end of the window, and for at most one part longer.';
comment on column private.limits.is_counted_afterwards is 'Whether the number of uses is known only after the work is done. The limit then refuses a database transaction only if the limit was used up before that transaction began. The last transaction may therefore exceed the limit.';
comment on column private.limits.sentence is 'The refusal that the client shows.';
alter table private.limits enable row level security, force row level security;

-- Rows that customers write ----------------------------------------------------------------------------------------

insert into private.limits (name, uses_max, window_seconds, slots, is_counted_afterwards, sentence) values
  -- Enough to put 200 rules in order fifteen times. Transactions have limits of their own (ledger.require_quota).
  ('rows written', 3000, 600, 10, true, 'Hiciste muchos cambios seguidos. Espera unos minutos.');

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
alter table private.counters enable row level security, force row level security;

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

-- The checks at the start of every guarded staff action. The administrator must have entered the password or a mailed
-- code recently (a proof), and the bank's own rules must allow the action.

create table private.staff_rules (
  is_only boolean primary key default true,
  proof_above numeric not null,
  self_dealing text not null,
  approval_above numeric,
  asks_proof boolean not null default true,
  constraint staff_rules_is_only_one check (is_only),
  constraint staff_rules_proof_above_is_an_amount check (proof_above >= 0),
  constraint staff_rules_self_dealing_known check (self_dealing in ('allow', 'refuse')),
  constraint staff_rules_approval_above_is_an_amount check (approval_above >= 0)
);
comment on table private.staff_rules is 'A single row with this bank''s rules for its administrators. Our own server writes the row at each start. On a hosted project, the operator calls private.set_staff_rules.';
comment on column private.staff_rules.is_only is 'Always true, so that the table cannot have a second row.';
comment on column private.staff_rules.proof_above is 'The total amount, in units of currency, that an administrator may order in a session before they must enter the password or a mailed code again (private.require_proof_of).';
comment on column private.staff_rules.self_dealing is 'Whether administrators may record transactions in their own accounts: "allow" or "refuse".';
comment on column private.staff_rules.approval_above is 'The total amount, in units of currency, that an administrator may move on one day in Bogotá without a second administrator (private.needs_approval); null if the bank needs no second administrator.';
comment on column private.staff_rules.asks_proof is 'Whether the actions of administrators that the specification names require a recent entry of the password or a mailed code (private.requires_proof). If false, proof_above has no effect on them.';
alter table private.staff_rules enable row level security, force row level security;
insert into private.staff_rules (proof_above, self_dealing) values (10000000, 'allow');

-- Features that a bank may enable. They are disabled by default. The database refuses every call of a disabled feature.

create table private.features (
  name text primary key,
  constraint features_name_known check (name in ('transferencias', 'notificaciones'))
);
comment on table private.features is 'The enabled features. Our own server writes the table at each start. On a hosted project, the operator calls private.set_features.';
comment on column private.features.name is 'Name of the feature, as in the setting FEATURES.';
alter table private.features enable row level security, force row level security;

create table private.transfer_rules (
  is_only boolean primary key default true,
  automatic_max numeric not null,
  transfer_max numeric not null,
  day_max numeric not null,
  expires_hours integer not null,
  constraint transfer_rules_is_only_one check (is_only),
  constraint transfer_rules_amounts check (automatic_max >= 0 and transfer_max > 0 and day_max > 0),
  constraint transfer_rules_expires_in_a_month check (expires_hours between 1 and 720)
);
comment on table private.transfer_rules is 'A single row with the limits of this bank for transfers. Our own server writes the row at each start. On a hosted project, the operator calls private.set_transfer_rules.';
comment on column private.transfer_rules.is_only is 'Always true, so that the table cannot have a second row.';
comment on column private.transfer_rules.automatic_max is 'The largest sum, in units of currency, of the transfers that one customer may make on one day in Bogotá without the decision of an administrator.';
comment on column private.transfer_rules.transfer_max is 'The largest amount of a single transfer, in units of currency.';
comment on column private.transfer_rules.day_max is 'The largest sum, in units of currency, of the transfers that one customer may request on one day in Bogotá.';
comment on column private.transfer_rules.expires_hours is 'Hours after which an undecided request expires.';
alter table private.transfer_rules enable row level security, force row level security;
insert into private.transfer_rules (automatic_max, transfer_max, day_max, expires_hours) values (125, 1250, 2500, 72);

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
comment on column private.jobs.name is 'The name that server/jobs/jobs.ts uses.';
comment on column private.jobs.every is 'Pause between two turns.';
comment on column private.jobs.call is 'Expression that carries out one portion and returns how many things it handled.';
comment on column private.jobs.full_at is 'If the call handled this many things, the next portion follows at once. Null for a call whose turn has a single portion.';
comment on column private.jobs.is_exclusive is 'Whether only one server at a time carries out the job. Otherwise, each server carries it out in every interval.';
comment on column private.jobs.lease is 'Time after which another server takes over a leased job if its server stops renewing the lease.';
comment on column private.jobs.next_at is 'Time from which the next turn may begin.';
comment on column private.jobs.ended_at is 'Time at which the last turn ended; null before the first turn, and for a job that is not exclusive.';
comment on column private.jobs.leased_by is 'Random id of the server that carries out the job now.';
comment on column private.jobs.leased_until is 'End of the lease, which this server extends while it works.';
alter table private.jobs enable row level security, force row level security;

revoke execute on all functions in schema private from public;
