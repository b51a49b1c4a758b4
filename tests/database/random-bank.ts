/** Fills a bank with random data. The same seed always produces the same data. */
import { type Owner, sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'

/** Returns a random number generator (mulberry32). The numbers are at least 0 and less than 1. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// Strings that are difficult to encode in text formats: they contain quotes, backslashes, line breaks, the word null or
// other scripts.
const awkward = [
  '',
  `O'Hara "x"`,
  String.raw`C:\new\t`,
  'a\nb\r\n\tc',
  'null',
  String.raw`\N`,
  '{"k":[1]}',
  'ñandú 日本 🏦',
  '​ﬀ',
  '%s $1 ${x}',
]
const lines = [
  'Café',
  `Panadería "El Sol"`,
  String.raw`50\50`,
  'Nómina; abril',
  'ﬁ日本🏦',
  `d'accord`,
  '{}',
  'null',
]

/** Adds between three and `most` + 2 customers to an empty bank, with their transactions and other rows. */
export async function fillRandomly(owner: Owner, seed: number, most = 12): Promise<void> {
  const random = seeded(seed)
  // Older schemas do not have these tables.
  const [schema] = await owner.query(
    sql<{ corrections: boolean; plans: boolean; transfers: boolean; notifications: boolean }>`
      select to_regclass('public.corrections') is not null as corrections,
        to_regclass('public.recurring_occurrences') is not null as plans,
        to_regclass('private.payees') is not null as transfers,
        to_regclass('public.notifications') is not null as notifications`,
  )
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const uuid = () => {
    const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const amount = () =>
    pick(['0.01', '1', '0.10', '12.5', '999999999999.99', (random() * 1e5 + 0.01).toFixed(2)])
  for (let count = 3 + Math.floor(random() * most); count > 0; count -= 1) {
    const id = uuid()
    const metadata = JSON.stringify({ full_name: pick(awkward), [pick(awkward)]: pick(awkward) })
    await owner.query(sql`
      insert into auth.users (id, email, encrypted_password, raw_user_meta_data, raw_app_meta_data, email_confirmed_at)
      values (${id}, ${`${id}@banco.example`}, ${pick([null, '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA'])},
        ${metadata}, ${random() < 0.3 ? '{"role": "admin"}' : '{}'}, ${pick([null, '2026-11-21 04:59:59.999999+00'])})`)
    await owner.query(sql`
      insert into auth.sessions (id, user_id, user_agent, ip) values (${uuid()}, ${id}, ${pick(awkward)}, ${pick([null, '::1'])})`)
    await owner.query(sql`
      insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
      values (${uuid()}, ${id}, 'recovery', ${pick(awkward)}, now() + interval '1 hour')`)
    for (let entries = Math.floor(random() * 12); entries > 0; entries -= 1) {
      const transaction = uuid()
      const recorder = pick(['bank', 'customer'])
      const origin = pick(
        recorder === 'bank' ? ['clerk', 'batch', 'correction'] : ['own', 'import', 'recurring'],
      )
      await owner.query(sql`
        insert into public.transactions (user_id, id, type, description, amount, category, recorded_by, origin, origin_id)
        values (${id}, ${transaction}, ${pick(['deposit', 'expense'])}, ${pick(lines)}, ${amount()},
          ${pick([null, 'Comida', 'Otra cosa'])}, ${recorder}, ${origin}, ${origin === 'own' ? null : uuid()})`)
      if (random() < 0.3)
        await owner.query(sql`
          update public.transactions
          set category = ${pick([null, 'Viajes'])},
            description = case recorded_by when 'bank' then description else ${pick(lines)} end
          where user_id = ${id} and id = ${transaction}`)
      if (random() < 0.15 && schema?.corrections === true)
        await owner.query(sql`
          insert into public.corrections (user_id, id, corrected_id, mistake_id, makes_void, dated_at, reason, corrected_by)
          values (${id}, ${uuid()}, ${transaction}, ${transaction}, true, now(), ${pick(lines)}, ${pick([null, ...awkward])})`)
      if (random() < 0.25)
        await owner.query(sql`delete from public.transactions where user_id = ${id} and id = ${transaction}`)
    }
    if (schema?.plans === true) await addPlans(owner, id, { random, pick, uuid, amount })
    if (schema?.transfers === true) await addTransfers(owner, id, { random, pick, uuid, amount })
    if (schema?.notifications === true) await addNotifications(owner, id, { random, pick, uuid, amount })
    // Deletes some accounts, so that the journal also contains chains of deleted customers.
    if (random() < 0.15)
      await owner.query(sql`delete from auth.users where id = ${id} and raw_app_meta_data ->> 'role' is null`)
  }
}

type Choices = {
  random: () => number
  pick: <T>(items: readonly T[]) => T
  uuid: () => string
  amount: () => string
}

/** Adds an import, a category with a rule and a limit, a recurring expense and a batch for a user. */
async function addPlans(owner: Owner, id: string, { random, pick, uuid, amount }: Choices): Promise<void> {
  await owner.query(sql`
    insert into public.imports (user_id, id, entries, amount, first_seq, body_hash, undone_at)
    values (${id}, ${uuid()}, 2, ${amount()}, 1, sha256('x'), ${pick([null, '2026-11-21 04:59:59.999999+00'])})`)
  await owner.query(sql`
    insert into public.import_lines (user_id, transaction_id, date, amount, description, reference)
    values (${id}, ${uuid()}, '2026-11-20', ${amount()}, ${pick([null, ...awkward])}, ${pick([null, ...lines])})`)
  await owner.query(sql`insert into public.categories (user_id, name) values (${id}, ${pick(lines)})`)
  await owner.query(sql`
    insert into public.category_rules (user_id, id, contains, category)
    values (${id}, ${uuid()}, ${pick(lines)}, ${pick(lines)})`)
  await owner.query(sql`
    insert into public.category_budgets (user_id, category, month, monthly_limit, carries_over)
    values (${id}, ${pick(lines)}, '2026-11-01', ${pick([null, amount()])}, ${random() < 0.5})`)
  const recurring = uuid()
  await owner.query(sql`
    insert into public.recurring_expenses (user_id, id, description, amount, category, rhythm, due_day, next_due_on, expected_from,
      is_automatic, status)
    values (${id}, ${recurring}, ${pick(lines)}, ${amount()}, ${pick([null, 'Comida'])}, 'monthly', 31, '2027-02-28',
      '2026-12-31', ${random() < 0.5}, ${pick(['active', 'paused'])})`)
  await owner.query(sql`
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount, transaction_id)
    values (${id}, ${recurring}, '2027-01-31', ${amount()}, ${pick([null, uuid()])})`)
  const batch = uuid()
  await owner.query(sql`
    insert into public.batches (id, title, sent_by, sent_by_name, posted_by, lines, amount, body_hash)
    values (${batch}, ${pick(lines)}, ${id}, ${pick([null, ...awkward])}, ${id}, 1, ${amount()}, sha256('x'))`)
  await owner.query(sql`
    insert into public.batch_lines (batch_id, line, user_id, amount, description, transaction_id, status)
    values (${batch}, 1, ${id}, ${amount()}, ${pick([null, ...lines])}, ${uuid()}, ${pick(['waiting', 'failed'])})`)
}

/** Adds limits, a beneficiary with an account, and requests in several states for a person, and enables transfers. */
async function addTransfers(owner: Owner, id: string, { pick, uuid, amount }: Choices): Promise<void> {
  const [beneficiary, time] = [uuid(), '2026-11-21 04:59:59.999999+00']
  await owner.query(settings({ transferencias: 'on' }))
  await owner.query(sql`
    insert into private.transfer_limits (user_id, transfer_max, day_max)
    values (${id}, ${pick([null, amount()])}, ${pick([null, amount()])})`)
  await owner.query(sql`
    insert into public.beneficiaries (user_id, id, name, address, confirmed_at, payee_name, removed_at)
    values (${id}, ${beneficiary}, ${pick(lines)}, 'otra@banco.example', ${pick([null, time])}, ${pick([null, 'L•••'])},
      ${pick([null, time])})`)
  await owner.query(sql`
    insert into private.payees (user_id, beneficiary_id, payee)
    select ${id}, ${beneficiary}, u.id from auth.users u order by u.id limit 1`)
  const [other] = await owner.query(
    sql<{ id: string }>`select id from auth.users where id <> ${id} order by id limit 1`,
  )
  const payee = other?.id ?? uuid()
  const filed = amount()
  await owner.query(sql`
    insert into private.clearing_files (number, closed_at, closed_by, closed_by_name, transfers, amount, csv, xml)
    select coalesce(max(number), 0) + 1, ${time}, ${id}, ${pick([null, ...awkward])}, 1, ${filed}, ${pick(lines)}, ${pick(lines)}
    from private.clearing_files`)
  // The verification of the ledger compares each file with its audit entry.
  await owner.query(sql`
    select private.record_audit('close_clearing_file', null, null, jsonb_build_object(
      'number', f.number, 'csv_sha256', encode(sha256(convert_to(f.csv, 'UTF8')), 'hex'),
      'xml_sha256', encode(sha256(convert_to(f.xml, 'UTF8')), 'hex')))
    from private.clearing_files f order by f.number desc limit 1`)
  await owner.query(sql`
    insert into private.clearing_transfers (transfer_id, payer_name, payee_name, destination, amount, concept, file)
    select ${uuid()}, ${pick([null, ...awkward])}, ${pick(lines)}, '{"bank": "1007"}', ${filed}, ${pick([null, ...lines])}, max(number)
    from private.clearing_files`)
  // A completed transfer has a posting in the payee's account, so this account must exist.
  for (const status of ['waiting', 'scheduled', 'declined', ...(other === undefined ? [] : ['done'])]) {
    const request = uuid()
    await owner.query(sql`
      insert into public.requests (id, status, asked_by, payer, payer_name, payee, payee_name, amount, description, due_on, expires_at,
        risk, decided_by_name, reason, ended_at, body_hash)
      values (${request}, ${status}, ${id}, ${id}, ${pick([null, ...awkward])}, ${payee}, ${pick([null, ...awkward])}, ${amount()},
        ${pick([null, ...lines])}, ${pick([null, '2027-02-28'])}, now(), 7, ${pick([null, ...awkward])}, ${pick([null, ...lines])},
        ${['waiting', 'scheduled'].includes(status) ? null : time}, sha256('x'))`)
    await owner.query(sql`
      insert into public.transactions (user_id, id, type, description, amount, recorded_by, origin, origin_id)
      select s.user_id, r.id, s.type, 'Transferencia', r.amount, 'bank', 'transfer', r.id
      from public.requests r
      cross join lateral (values (r.payer, 'expense'), (r.payee, 'deposit')) s (user_id, type)
      where r.id = ${request} and r.status = 'done'`)
  }
}

/** Adds a preference, a notification, an event, a mail and a device of a person. */
async function addNotifications(owner: Owner, id: string, { pick, amount }: Choices): Promise<void> {
  const time = '2026-11-21 04:59:59.999999+00'
  await owner.query(sql`
    insert into public.notification_preferences (user_id, kind, amount)
    values (${id}, 'large_expense', ${amount()}), (${id}, 'deposit', null)
    on conflict do nothing`)
  await owner.query(sql`
    insert into public.notifications (user_id, kind, detail, events, happened_at, read_at)
    values (${id}, 'category_limit', ${pick(lines)}, 1, ${time}, ${pick([null, time])})`)
  await owner.query(sql`
    insert into private.notices (recipient, topic, facts, happened_at, dedupe, listed_at)
    values (
      ${id}, 'new_device', jsonb_build_object('detail', ${pick([null, ...awkward])}::text, 'amount', ${amount()}::text),
      ${time}, ${pick([null, '2026-10'])}, ${pick([null, time])}
    )`)
  await owner.query(sql`
    insert into private.notice_marks (recipient, topic, mailed_at, stopped_until)
    values (${id}, 'deposit', ${time}, ${pick([null, time])})`)
  await owner.query(sql`insert into private.known_devices (user_id, device) values (${id}, sha256('x'))`)
}
