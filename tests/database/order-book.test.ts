// The order book: each act of an administrator is a row that commits with its effect (docs/decisions/0099).
import { beforeEach, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { becomeAuthenticationService } from '#server/functions/local-access.ts'
import { createUserStatements } from '#server/people/users.ts'
import { settings } from './bank-settings.ts'
import { postAll } from './batches.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, correct, deposit, record, run, setRole } from './people.ts'
import { enableTransfers, request, returnTransfer } from './transfers.ts'
import { decide } from './decisions.ts'
import { closeFile, returnFile } from './clearing.ts'
import { addHolder, befriendElsewhere } from './beneficiaries.ts'

const bank = useBank((opened) => enableTransfers(opened))

let clerk: Person
let colleague: Person
let customer: Person
beforeEach(async () => {
  clerk = await addPerson(bank.database, 'admin')
  colleague = await addPerson(bank.database, 'admin')
  customer = await bank.addCustomer()
  await bank.asService(settings({ staff_approval_above: null, staff_self_dealing: 'allow' }))
})

type Order = { kind: string; about: string | null; amount: string | null; counts: boolean; waits: boolean }
const ordersOf = ({ id }: Person) =>
  bank.owner.query(sql<Order>`
    select kind, about, trim_scale(amount)::text as amount, counts, request_id is not null as waits
    from private.orders where asked_by = ${id} order by asked_at`)
const entriesOf = async ({ id }: Person) =>
  (
    await bank.owner.query(
      sql<{ action: string }>`select action from ledger.audit where actor = ${id} order by id`,
    )
  ).map(({ action }) => action)
const movedToday = async ({ id }: Person) =>
  (
    await bank.owner.query(
      sql<{ moved: string }>`select trim_scale(private.moved_today(${id}))::text as moved`,
    )
  )[0]?.moved
const batchOf = (person: Person, amount: number, id: string = crypto.randomUUID()) => sql`
  select from public.create_batch(${id}, 'nomina.csv', ${JSON.stringify([
    { line: 1, user_id: person.id, amount, description: 'Nómina' },
  ])}::json)`

/** A transfer of 900 to another bank, which an administrator approved, in a closed clearing file. */
async function transferInFile(): Promise<{ id: string; file: number }> {
  const payer = await addHolder(bank)
  const { id } = await request(payer, await befriendElsewhere(payer), '900')
  await decide(colleague, [id], true)
  return { id, file: (await closeFile(colleague)).number }
}

const acts: Readonly<
  Record<string, [expected: string, act: () => Promise<unknown>, ...entries: readonly string[]]>
> = {
  'a deposit': ['10', () => run(clerk, deposit(customer, '10')), 'register_transaction'],
  'a correction with the right amount': [
    '13',
    async () => {
      const mistake = await record(colleague, deposit(customer, '10'))
      await run(clerk, correct(customer, mistake, 'Era menos', '3'))
    },
    'correct_transaction',
    'register_transaction',
  ],
  'a batch': ['10', () => run(clerk, batchOf(customer, 10)), 'register_batch'],
  'the reversal of a batch': [
    '10',
    async () => {
      const id = crypto.randomUUID()
      await run(colleague, batchOf(customer, 10, id))
      await postAll(bank)
      await run(clerk, sql`select from public.reverse_batch(${id}, 'Error')`)
    },
    'reverse_batch',
  ],
  'the deletion of an account with money': [
    '10',
    async () => {
      await run(colleague, deposit(customer, '10'))
      await run(clerk, sql`select private.delete_user(${customer.id})`)
    },
    'delete_user',
  ],
  'the approval of a transfer': [
    '900',
    async () => {
      const payer = await addHolder(bank)
      const { id } = await request(payer, await befriendElsewhere(payer), '900')
      await decide(clerk, [id], true)
    },
    'decide_request',
  ],
  'the return of a transfer to another bank': [
    '900',
    async () => returnTransfer(clerk, (await transferInFile()).id),
    'return_transfer',
  ],
  'the return of a clearing file': [
    '900',
    async () => returnFile(clerk, (await transferInFile()).file),
    'return_clearing_file',
  ],
}
test.for(Object.entries(acts))('%s counts toward the administrator’s day', async ([, [expected, act]]) => {
  await act()

  expect(await movedToday(clerk)).toBe(expected)
})

test.for(Object.entries(acts))('%s has its audit entry once', async ([, [, act, ...entries]]) => {
  await act()

  expect(await entriesOf(clerk)).toEqual(entries)
})

test('a deposit that waits has its entry when it is approved, and the author of the order is its actor', async () => {
  await bank.asService(settings({ staff_approval_above: 5 }))
  await run(clerk, deposit(customer, '10'))
  const asked = await bank.owner.query(
    sql<{ id: string }>`select id from public.requests where asked_by = ${clerk.id}`,
  )
  await decide(
    colleague,
    asked.map(({ id }) => id),
    true,
  )

  expect(await entriesOf(clerk)).toEqual(['request_approval', 'register_transaction'])
  expect(await entriesOf(colleague)).toEqual(['decide_request'])
})

test('a deposit that waits counts neither for its author nor for the approver, but is in both books', async () => {
  await bank.asService(settings({ staff_approval_above: 5 }))
  const [row] = await run(
    clerk,
    sql<{ id: string }>`
      select private.register_transaction(${customer.id}, 'deposit', 10, 'Nómina', now(), 'Deposito') ->> 'id' as id`,
  )
  await decide(colleague, [row?.id ?? ''], true)

  const about = { about: customer.id, amount: '10', counts: false }
  expect(await ordersOf(clerk)).toEqual([{ kind: 'register_transaction', ...about, waits: true }])
  expect(await ordersOf(colleague)).toEqual([{ kind: 'approve_request', ...about, waits: false }])
  expect([await movedToday(clerk), await movedToday(colleague)]).toEqual(['0', '0'])
})

test('the decline of a request is not an order', async () => {
  await bank.asService(settings({ staff_approval_above: 5 }))
  await run(clerk, deposit(customer, '10'))
  const [asked] = await bank.owner.query(
    sql<{ id: string }>`select id from public.requests where asked_by = ${clerk.id}`,
  )

  await decide(colleague, [asked?.id ?? ''], false)

  expect(await ordersOf(colleague)).toEqual([])
})

/** The acts whose audit entry has another name. */
const actions: Readonly<Record<string, string>> = {
  promotion: 'change_role',
  demotion: 'change_role',
  block_user: 'ban_user',
  unblock_user: 'unban_user',
  end_sessions: 'revoke_sessions',
}
const powers: Readonly<Record<string, (person: Person) => SqlStatement>> = {
  promotion: (person) => setRole(person, 'admin'),
  demotion: () => setRole(colleague, 'user'),
  block_user: ({ id }) => sql`select public.block_user(${id}, 'other', 24)`,
  unblock_user: ({ id }) => sql`select public.unblock_user(${id})`,
  end_sessions: ({ id }) => sql`select public.end_sessions(${id})`,
  reset_factor: ({ id }) => sql`select public.reset_factor(${id})`,
  begin_email_change: ({ id }) => sql`select private.begin_email_change(${id})`,
  send_link: ({ id }) => sql`select private.begin_link_mail(${id})`,
  correct_holder: ({ id }) => sql`select public.correct_holder(${id}, 'Ana Ruiz')`,
}
test.for(Object.entries(powers))('the act %s is one order about the person', async ([kind, act]) => {
  await run(clerk, act(customer))

  const about = kind === 'demotion' ? colleague.id : customer.id
  expect(await ordersOf(clerk)).toEqual([{ kind, about, amount: null, counts: false, waits: false }])
})

test.for(Object.entries(powers))('the act %s has its audit entry once', async ([kind, act]) => {
  if (kind === 'unblock_user')
    await bank.asService(sql`select private.block_user(${customer.id}, 24, 'other')`)

  await run(clerk, act(customer))

  expect(await entriesOf(clerk)).toEqual([actions[kind] ?? kind])
})

const programs: Readonly<Record<string, [kind: string, statement: (person: Person) => SqlStatement]>> = {
  'a demotion': [
    'demotion',
    ({ id }) => sql`update auth.users set raw_app_meta_data = '{}' where id = ${id}`,
  ],
  'a ban': [
    'block_user',
    ({ id }) => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`,
  ],
}
test.for(Object.entries(programs))(
  '%s by another program is an order without an author',
  async ([, [kind, change]]) => {
    await bank.owner.query(change(colleague))

    expect(
      await bank.owner.query(
        sql`select kind, asked_by from private.orders where about = ${colleague.id} and kind <> 'create_user'`,
      ),
    ).toEqual([{ kind, asked_by: '00000000-0000-0000-0000-000000000000' }])
  },
)

test('an act that is refused leaves no order', async () => {
  await expect(run(clerk, deposit(customer, '0.001'))).rejects.toMatchObject({ sqlState: '23514' })

  expect(await ordersOf(clerk)).toEqual([])
})

test('the creation of a user that repeats an earlier call creates no second user', async () => {
  const [key, hash] = [crypto.randomUUID(), '11'.repeat(32)]
  const create = async () => {
    const [id, orderId] = [crypto.randomUUID(), crypto.randomUUID()]
    const user = {
      id,
      email: `${id}@banco.example`,
      passwordHash: 'x',
      fullName: 'Eva',
      role: 'user' as const,
      orderId,
    }
    const [[row]] = await bank.database.transaction(clerk.as('write'), [
      sql<{ answer: { id: string } }>`
        select private.order_user(${id}, 'user', ${key}, ${hash}, ${orderId}) as answer`,
      becomeAuthenticationService,
      ...createUserStatements(user),
    ])
    return { id, answered: row?.answer.id }
  }
  const [first, second] = [await create(), await create()]

  expect(second.answered).toBe(first.id)
  expect(
    await bank.owner.query(sql`select id from auth.users where id in (${first.id}, ${second.id})`),
  ).toEqual([{ id: first.id }])
})
