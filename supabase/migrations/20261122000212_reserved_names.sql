-- Reserved names: a customer must not have a name or an alias with which they could pretend to be the bank. Texts that
-- look alike count as the same text (docs/decisions/0083).

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

create table private.reserved_words (
  word text primary key,
  words text not null,
  is_brand boolean not null default false
);
comment on table private.reserved_words is 'The words with which a customer could pretend to be the bank, and the name of the bank. A name must not contain one of them as a whole word, and an alias must not contain one at all.';
comment on column private.reserved_words.word is 'The word, or the name of the bank.';
comment on column private.reserved_words.words is 'The result of private.words_of for the word.';
comment on column private.reserved_words.is_brand is 'Whether the row is the name of the bank, which private.set_brand writes.';
create unique index reserved_words_have_one_brand on private.reserved_words (is_brand) where is_brand;
alter table private.reserved_words enable row level security, force row level security;
insert into private.reserved_words (word, words)
select w.word, private.words_of(w.word)
from unnest(array[
  'admin', 'ayuda', 'banco', 'cajero', 'finanzas', 'gerente', 'oficial', 'seguridad', 'sistema', 'soporte',
  -- An alias such as anita.gmail.com looks like an e-mail address.
  'gmail', 'hotmail', 'outlook'
]) as w (word);

create function private.set_brand(name text) returns void
  language sql security definer
  set search_path = ''
as $$
  -- Changes the row only if the name changed, so that servers that start with the same name do not wait for each other.
  delete from private.reserved_words r where r.is_brand and r.word is distinct from set_brand.name;
  insert into private.reserved_words (word, words, is_brand)
  select set_brand.name, private.words_of(set_brand.name), true
  -- A name without letters of the skeleton would reserve every name.
  where btrim(private.words_of(set_brand.name)) <> ''
  on conflict do nothing
$$;
comment on function private.set_brand(text) is 'Reserves the name of the bank. Called by private.set_clearing_rules.';

create function private.is_reserved_name(name text) returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  of_name constant text := private.words_of(name);
begin
  return exists (
    select from private.reserved_words r
    where position(r.words in of_name) > 0
      -- The letters of a long name may be apart, as in "B a n c o F i n a n z a s".
      or (
        r.is_brand and char_length(replace(r.words, ' ', '')) >= 8
        and position(replace(r.words, ' ', '') in replace(of_name, ' ', '')) > 0
      )
  );
end
$$;
comment on function private.is_reserved_name(text) is
  'Returns whether a name contains a reserved word as a whole word, or the name of the bank, or a text that looks like one of them.';

create function private.refuse_reserved_name() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  name constant text := new.raw_user_meta_data ->> 'full_name';
begin
  if tg_op = 'UPDATE' then
    if name is not distinct from old.raw_user_meta_data ->> 'full_name' then
      return new;
    end if;
  end if;
  -- Administrators act for the bank. A verified name hides the name that the person types.
  if new.raw_app_meta_data ->> 'role' = 'admin' or private.verified_name_of(new.id) is not null then
    return new;
  end if;
  if private.is_reserved_name(name) then
    raise exception 'Este nombre está reservado para el banco. Escribe otro.' using errcode = 'PT422', hint = 'reserved_name';
  end if;
  return new;
end
$$;
comment on function private.refuse_reserved_name() is
  'Refuses (PT422 with the hint reserved_name) a name with which a customer could pretend to be the bank, whichever program writes to auth.users.';

create trigger refuse_reserved_name before insert or update of raw_user_meta_data on auth.users
  for each row execute function private.refuse_reserved_name();

revoke execute on all functions in schema private from public;
