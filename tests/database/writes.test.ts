// Tries every write that a customer can cause with the largest accepted call, and writes docs/writes.md. A new function
// or grant therefore needs a limit of the rows that it can write.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '#supabase/authorization/permissions.ts'
import { type Owner, type SqlStatement, sql } from '#server/database/database.ts'
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { settings } from './bank-settings.ts'
import { use } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, ageAccount, deposit, run } from './people.ts'
import { clearingRules } from './clearing.ts'
import { addHolder, addressOf, add, befriend } from './beneficiaries.ts'

const bank = useBank()
let superuser: Owner
let payee: Person

beforeAll(async () => {
  await bank.asService(
    settings({ transferencias: 'on', notificaciones: 'on', ...withoutTransferLimits }),
    clearingRules,
  )
  superuser = await bank.connectSuperuser()
  payee = await addHolder(bank, '0')
})
afterAll(() => superuser.close())

/** A limit: its name in the document, its row in `private.limits`, and the factor for its number. */
type Limit = {
  readonly name: string
  readonly row?: string
  readonly times?: number
  /** The number of uses and the window, where `private.limits` does not have them. */
  readonly usesMax?: number
  readonly window?: string
}

const limits: Readonly<Record<string, Limit>> = {
  rows: { name: 'rows written', row: 'rows written' },
  postings: { name: 'own postings', row: 'own posting' },
  restorations: { name: 'restorations and amendments', row: 'own posting', times: 2 },
  edits: { name: 'edits', row: 'edit' },
  imported: { name: 'imported lines', row: 'imported line' },
  // A customer can delete only rows that exist.
  deletions: { name: 'deletions of imported lines', row: 'imported line' },
  ruleDeletions: { name: 'additions of rules', row: 'rows written' },
  transfers: { name: 'transfers', row: 'transfer' },
  beneficiaries: { name: 'beneficiaries', row: 'beneficiary' },
  aliases: { name: 'aliases', row: 'aliases in a year', window: '365 days' },
  sessions: { name: 'sign-ins', row: 'sign-in to an account' },
  once: { name: 'once', usesMax: 1, window: 'ever' },
}

type LimitRow = {
  name: string
  uses_max: number
  new_account_max: number | null
  window_seconds: number | null
}

const limitRows = () =>
  bank.owner.query(sql<LimitRow>`
    select name, uses_max, new_account_max, window_seconds from private.limits order by window_seconds is null, name`)

function windowOf(seconds: number | null): string {
  if (seconds === null) return 'at a time'
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

type Write = {
  readonly limit: string
  /** Number of uses of the limit; for `rows`, the database counts them. */
  readonly uses?: number
  readonly prepare?: (person: Person) => Promise<unknown>
  readonly call: (person: Person) => SqlStatement | Promise<SqlStatement>
}

/** Four bytes for each character, as long as a description or a category may be. */
const long = (length: number) => '🦆'.repeat(length)
const category = (n: number) => `${long(47)}${String(n).padStart(3, '0')}`
const rulesMax = 200
const measured = 100

const insertRules = (count: number) => sql`
  insert into public.category_rules (contains, category)
  select repeat('🦆', 97) || lpad(n::text, 3, '0'), ${category(1)} from generate_series(1, ${count}::integer) n`
const insertExpenses = (count: number) => sql`
  insert into public.transactions (type, description, amount, category)
  select 'expense', ${long(200)}, 999999.99, ${category(1)} from generate_series(1, ${count}::integer)`
const addExpenses = (person: Person) => run(person, insertExpenses(measured))
const importId = '00000000-0000-4000-8000-000000000001'
const ruleId = '00000000-0000-4000-8000-000000000002'
const planId = '00000000-0000-4000-8000-000000000003'
const lines = JSON.stringify(
  Array.from({ length: measured }, () => ({
    date: '2026-01-15',
    description: long(200),
    amount: 999_999.99,
    category: category(1),
    reference: long(100),
  })),
)
const importing = sql`select public.import_transactions(${importId}, ${lines})`
const addRule = (person: Person) =>
  run(
    person,
    sql`insert into public.category_rules (id, contains, category) values (${ruleId}, '🦆🦆', 'Otro')`,
  )
const plan = (description: string) => sql`
  select public.save_recurring_expense(${planId}, ${description}, 999999.99, 'monthly', current_date + 30, ${category(1)})`
const pair = async (person: Person) => {
  await bank.asService(sql`update auth.users set email_confirmed_at = now() where id = ${person.id}`)
  await run(bank.administrator, deposit(person, '5000'))
  return befriend(person, payee, long(40))
}

const writes: Readonly<Record<string, Write>> = {
  'insert transactions': { limit: 'postings', uses: measured, call: () => insertExpenses(measured) },
  'update transactions, with a change': {
    limit: 'edits',
    uses: measured,
    prepare: addExpenses,
    call: () => sql`update public.transactions set category = ${category(2)}`,
  },
  'update transactions, without a change': {
    limit: 'rows',
    prepare: addExpenses,
    call: () => sql`update public.transactions set category = category`,
  },
  'delete transactions': {
    limit: 'deletions',
    uses: measured,
    prepare: addExpenses,
    call: () => sql`delete from public.transactions`,
  },
  'call restore_transaction': {
    limit: 'restorations',
    uses: 1,
    prepare: (person) => run(person, insertExpenses(1)),
    call: async (person) => {
      const [deleted] = await run(person, sql<{ id: string }>`delete from public.transactions returning id`)
      return sql`select public.restore_transaction(${deleted?.id ?? ''})`
    },
  },
  'call amend_expense': {
    limit: 'restorations',
    uses: 1,
    prepare: (person) => run(person, insertExpenses(1)),
    call: () => sql`select public.amend_expense(t.id, '{"amount": 5}') from public.transactions t`,
  },
  'call import_transactions': { limit: 'imported', uses: measured, call: () => importing },
  'call undo_import': {
    limit: 'imported',
    uses: measured,
    prepare: (person) => run(person, importing),
    call: () => sql`select public.undo_import(${importId})`,
  },
  'update budgets': {
    limit: 'rows',
    call: () => sql`update public.budgets set monthly_limit = 999999999999.99`,
  },
  'insert categories': {
    limit: 'rows',
    call: () => sql`
      insert into public.categories (name)
      select repeat('🦆', 47) || lpad(n::text, 3, '0') from generate_series(1, 100) n`,
  },
  'update categories': {
    limit: 'rows',
    prepare: async (person) => {
      await run(person, sql`insert into public.categories (name) values (${category(1)})`)
      await run(person, insertRules(rulesMax))
    },
    call: () => sql`update public.categories set name = ${category(2)}`,
  },
  'delete categories': {
    limit: 'rows',
    prepare: async (person) => {
      await run(person, sql`insert into public.categories (name) values (${category(1)})`)
      await run(person, insertRules(rulesMax))
    },
    call: () => sql`delete from public.categories`,
  },
  'insert category_rules': { limit: 'rows', call: () => insertRules(rulesMax) },
  'update category_rules': {
    limit: 'rows',
    prepare: (person) => run(person, insertRules(rulesMax)),
    call: () => sql`update public.category_rules set category = ${category(2)}`,
  },
  'delete category_rules': {
    limit: 'ruleDeletions',
    uses: rulesMax,
    prepare: (person) => run(person, insertRules(rulesMax)),
    call: () => sql`delete from public.category_rules`,
  },
  'call order_category_rules': {
    limit: 'rows',
    prepare: (person) => run(person, insertRules(rulesMax)),
    call: () =>
      sql`select public.order_category_rules((select array_agg(id order by contains) from public.category_rules))`,
  },
  'call apply_category_rule': {
    limit: 'edits',
    uses: measured,
    prepare: async (person) => {
      await addExpenses(person)
      await addRule(person)
    },
    call: () => sql`select public.apply_category_rule(${ruleId})`,
  },
  'call undo_category_rule': {
    limit: 'edits',
    uses: measured,
    prepare: async (person) => {
      await addExpenses(person)
      await addRule(person)
      await run(person, sql`select public.apply_category_rule(${ruleId})`)
    },
    call: () => sql`select public.undo_category_rule(${ruleId})`,
  },
  'call set_category_budget': {
    limit: 'rows',
    call: () => sql`select public.set_category_budget(${category(1)}, 5)`,
  },
  'call save_recurring_expense': { limit: 'rows', call: () => plan(long(200)) },
  'call set_alias': {
    limit: 'aliases',
    uses: 1,
    call: ({ id }) => sql`select public.set_alias(${`a${id.slice(0, 8)}`})`,
  },
  'call add_beneficiary': {
    limit: 'beneficiaries',
    uses: 1,
    call: () => sql`select public.add_beneficiary(gen_random_uuid(), ${long(40)}, ${addressOf(payee)})`,
  },
  'call add_account_beneficiary': {
    limit: 'beneficiaries',
    uses: 1,
    call: () =>
      sql`select public.add_account_beneficiary(gen_random_uuid(), ${'ñ'.repeat(40)}, '1007', 'savings', '123456', 'CC', '12345')`,
  },
  'call confirm_beneficiary': {
    limit: 'beneficiaries',
    uses: 1,
    prepare: (person) => add(person, addressOf(payee), { name: long(40) }),
    call: () => sql`select public.confirm_beneficiary((select b.id from public.beneficiaries b limit 1))`,
  },
  'call remove_beneficiary': {
    limit: 'rows',
    prepare: (person) => add(person, addressOf(payee), { name: long(40) }),
    call: () => sql`select public.remove_beneficiary((select b.id from public.beneficiaries b limit 1))`,
  },
  'call set_transfer_limits': { limit: 'rows', call: () => sql`select public.set_transfer_limits(5, 5)` },
  'call set_transfer_reception': {
    limit: 'rows',
    call: () => sql`select public.set_transfer_reception(5, true)`,
  },
  'call request_transfer': {
    limit: 'transfers',
    uses: 1,
    prepare: pair,
    call: () =>
      sql`select public.request_transfer(gen_random_uuid(), (select b.id from public.beneficiaries b limit 1), 5, ${long(140)})`,
  },
  'call cancel_transfer': {
    limit: 'transfers',
    uses: 1,
    prepare: async (person) => {
      await pair(person)
      await run(
        person,
        sql`select public.request_transfer(
          ${planId}, (select b.id from public.beneficiaries b limit 1), 5, ${long(140)}, current_date + 5)`,
      )
    },
    call: () => sql`select public.cancel_transfer(${planId})`,
  },
  'call set_notifications': {
    limit: 'rows',
    call: () =>
      sql`select public.set_notifications(
        '{deposit,correction,transfer,large_expense,category_limit,low_balance,statement}', 5, 5)`,
  },
  'call read_notifications': {
    limit: 'rows',
    prepare: ({ id }) =>
      bank.owner.query(sql`
        insert into public.notifications (user_id, kind, detail, events, happened_at)
        select ${id}, 'new_device', ${long(256)}, 1, now() from generate_series(1, 100)`),
    call: () => sql`select public.read_notifications()`,
  },
  'call end_session': {
    limit: 'sessions',
    uses: 1,
    call: ({ sessionId }) => sql`select public.end_session(${sessionId})`,
  },
  'call private.delete_own_account': {
    limit: 'once',
    uses: 1,
    call: () => sql`select private.delete_own_account()`,
  },
}
const names = Object.keys(writes)

const kept = { outbox: 'realtime.outbox', journal: 'ledger.journal', audit: 'ledger.audit' } as const
type Size = { readonly rows: number; readonly bytes: number }
type Measured = Record<keyof typeof kept | 'other', Size> & { readonly uses: number }

async function measure({ limit, uses, prepare, call }: Write): Promise<Measured> {
  const person = await bank.addCustomer()
  await ageAccount(bank.owner, person)
  await prepare?.(person)
  const statement = await call(person)
  const before = await countedRows(person)
  const { rows: written } = await rowsWrittenBy(person, statement)
  const sizes = new Map(
    await Promise.all(
      written.map(
        async ({ relation, rows }) =>
          [relation, { rows, bytes: rows * (await rowBytes(relation, rows)) }] as const,
      ),
    ),
  )
  const counters = new Set<string>([...Object.values(kept), 'private.counters'])
  const others = [...sizes].filter(([relation]) => !counters.has(relation)).map(([, size]) => size)
  const sizeOf = (relation: string) => sizes.get(relation) ?? { rows: 0, bytes: 0 }
  return {
    uses: limit === 'rows' ? (await countedRows(person)) - before : (uses ?? 1),
    outbox: sizeOf(kept.outbox),
    journal: sizeOf(kept.journal),
    audit: sizeOf(kept.audit),
    other: others.reduce((sum, each) => ({ rows: sum.rows + each.rows, bytes: sum.bytes + each.bytes }), {
      rows: 0,
      bytes: 0,
    }),
  }
}

/** Runs the statement, and returns its answer and the number of rows that it wrote to each table. */
async function rowsWrittenBy(person: Person, statement: SqlStatement, ...first: readonly SqlStatement[]) {
  // The statistics of a connection may still contain earlier database transactions.
  const counts = sql<{ relation: string; rows: number }>`
    select schemaname || '.' || relname as relation, (n_tup_ins + n_tup_upd)::integer as rows
    from pg_stat_xact_user_tables where schemaname in ('public', 'private', 'ledger', 'realtime', 'auth')`
  const answers = await person.database.transaction(person.as('write'), [...first, counts, statement, counts])
  const [before, answer, after] = answers.slice(first.length) as { relation: string; rows: number }[][]
  const earlier = new Map(before?.map(({ relation, rows }) => [relation, rows]))
  const rows = (after ?? [])
    .map((each) => ({ ...each, rows: each.rows - (earlier.get(each.relation) ?? 0) }))
    .filter((each) => each.rows > 0)
  return { answer, rows }
}

/** Returns the statement's text with its values, so that the statement can run inside a function. */
function inlined({ text, values }: SqlStatement): string {
  return text.replaceAll(
    /\$(\d+)/g,
    (_, place) => `'${String(values[Number(place) - 1]).replaceAll("'", "''")}'`,
  )
}

/** Returns the size of the longest row. Of the outbox, reads only the rows that the call added. */
async function rowBytes(relation: string, rows: number): Promise<number> {
  const [schema = '', table = ''] = relation.split('.')
  const [row] = await superuser.query<{ bytes: number }>({
    text:
      relation === kept.outbox
        ? `select max(pg_column_size(t.*))::integer as bytes
           from (select * from realtime.outbox order by seq desc limit $1) t`
        : `select coalesce(max(pg_column_size(t.*)), 0)::integer as bytes from "${schema}"."${table}" t where $1 > 0`,
    values: [rows],
  })
  return row?.bytes ?? 0
}

async function countedRows({ id }: Person): Promise<number> {
  const [row] = await superuser.query(sql<{ uses: number }>`
    select coalesce(sum(private.total_uses(used)), 0)::integer as uses from private.counters
    where subject = ${id} and limit_name = 'rows written'`)
  return row?.uses ?? 0
}

test('every write that people may make is tried here', async () => {
  const volatile = await bank.owner.query(sql<{ name: string }>`
    select distinct case p.pronamespace::regnamespace::text when 'public' then p.proname::text
      else p.pronamespace::regnamespace || '.' || p.proname end as name
    from pg_proc p where p.provolatile = 'v' and p.pronamespace::regnamespace::text in ('public', 'private')`)
  const isVolatile = new Set(volatile.map(({ name }) => name))
  // These functions lock or check, and write no rows. Only the papers that administrators make are audited.
  const writesNothing = new Set([
    'private.lock_account',
    'private.require_edits',
    'receipt',
    'balance_certificate',
  ])
  const isWrite = (verb: string, what: string) =>
    verb === 'call'
      ? isVolatile.has(what) && !writesNothing.has(what)
      : /^(?:insert|update|delete)$/.test(verb)
  const written = permissions
    .map((sentence) => /^people may (\w+) ([\w.]+)/.exec(sentence))
    .flatMap((found) => (found === null ? [] : [{ verb: found[1] ?? '', what: found[2] ?? '' }]))
    .filter(({ verb, what }) => isWrite(verb, what))
    .map(({ verb, what }) => `${verb} ${what}`)

  expect(new Set(names.map((name) => name.split(',')[0]))).toEqual(new Set(written))
})

test.for(names.filter((name) => writes[name]?.limit === 'rows'))(
  'a customer who has written too many rows is refused before the call “%s” writes',
  async (name) => {
    const write = writes[name]
    const person = await bank.addCustomer()
    await write?.prepare?.(person)
    const statement = await write?.call(person)
    const row = (await limitRows()).find(({ name: each }) => each === 'rows written')
    await use(bank, 'rows written', person.id, row?.uses_max ?? 0)

    const written = await rowsWrittenBy(
      person,
      sql`select pg_temp.error_of(${inlined(statement ?? sql`select`)})`,
      sql`
        create or replace function pg_temp.error_of(statement text) returns text language plpgsql as $$
        declare hint text;
        begin
          execute statement;
          return null;
        exception when others then
          get stacked diagnostics hint = pg_exception_detail;
          return sqlstate || ' ' || hint;
        end $$`,
    )

    expect(written).toEqual({
      answer: [{ error_of: expect.stringMatching(/^PT429 Retry-After: \d+$/) }],
      rows: [],
    })
  },
)

test('docs/writes.md lists what each write costs at its limit', async () => {
  const rows: string[] = []
  const stored = await limitRows()
  for (const name of names) {
    const write = writes[name]
    if (write === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- The measured bytes are those of the longest row in a table.
    rows.push(rowOf(name, allowedBy(limits[write.limit], stored), await measure(write)))
  }

  await expect(page(rows, stored)).toMatchFileSnapshot('../../docs/writes.md')
})

type Allowed = { readonly name: string; readonly usesMax: number; readonly window: string }

/** Reads the numbers of a limit from the table, so that the document cannot differ from it. */
function allowedBy(limit: Limit | undefined, stored: readonly LimitRow[]): Allowed {
  const row = stored.find(({ name }) => name === limit?.row)
  return {
    name: limit?.name ?? '',
    usesMax: (limit?.usesMax ?? row?.uses_max ?? Number.NaN) * (limit?.times ?? 1),
    window: limit?.window ?? windowOf(row?.window_seconds ?? null),
  }
}

function rowOf(name: string, { name: limit, usesMax, window }: Allowed, size: Measured): string {
  expect(size.uses, name).toBeGreaterThan(0)
  const times = usesMax / size.uses
  const cell = ({ rows, bytes }: Size) =>
    rows === 0 ? '' : `${grouped(Math.ceil(rows * times))} (${atMost(bytes * times)})`
  const [verb = '', ...what] = name.split(' ')
  const call = verb === 'call' ? `\`${what.join(' ')}\`` : `${verb} \`${what.join(' ').replace(',', '`,')}`
  const named = call.split('`').length % 2 === 0 ? `${call}\`` : call
  const allowed = usesMax === 1 ? limit : `${grouped(usesMax)} ${limit} in ${window}`
  return `| ${named} | ${allowed} | ${cell(size.outbox)} | ${cell(size.journal)} | ${cell(size.audit)} | ${cell(size.other)} |`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** Rounds up to a power of two, because the length of a stored row varies by some bytes. */
function atMost(bytes: number): string {
  const kilobytes = Math.max(1, 2 ** Math.ceil(Math.log2(bytes / 1000)))
  return kilobytes >= 1000 ? `${Math.ceil(kilobytes / 1024)} MB` : `${kilobytes} kB`
}

function page(rows: readonly string[], stored: readonly LimitRow[]): string {
  return [
    '# Rows that customers can write',
    '',
    'This table lists each write that a customer can cause in the database. `npx vitest run tests/database/writes.test.ts -u`',
    'writes this page: the test makes the largest accepted call with the longest texts, counts the rows, and multiplies them',
    'up to the limit. Sizes are rounded up to a power of two. A new row in the outbox is deleted after ten minutes; the',
    'journal and the audit are kept. *Other* are new rows and new versions of rows in all other tables.',
    '',
    '| write | limit | outbox | journal | audit | other |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'The limit *rows written* counts the rows of all writes in the table that name it together. The last call may exceed',
    'the limit, because the number of its rows is known only afterwards. Two writes have no limit in time: a customer can',
    'delete only rows that exist, and can close the account only once. [overload.md](overload.md) lists what each call reads.',
    '',
    '## All limits in the database',
    '',
    '`private.limits` contains these numbers, and `private.consume` enforces them',
    '([0092](decisions/0092-settings-and-limits-are-rows.md)). A window is divided into parts, and a use counts for at most one',
    'part longer than the window.',
    '',
    '| limit | number | in a new account | window |',
    '| --- | --- | --- | --- |',
    ...stored.map(
      (limit) =>
        `| ${limit.name} | ${grouped(limit.uses_max)} | ${
          limit.new_account_max === null ? '' : grouped(limit.new_account_max)
        } | ${windowOf(limit.window_seconds)} |`,
    ),
    '',
  ].join('\n')
}
