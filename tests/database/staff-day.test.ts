// The section *Hoy* of staff: the acts of the calling administrator today, and the unanswered invitations.
import { afterEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { createBatch, postAll } from './batches.ts'
import { useBank } from './database.ts'
import { addPerson, call, charge, correct, deposit, record, run, type Person } from './people.ts'

const bank = useBank()

const dayOf = (clerk: Person) =>
  call<Record<string, number | string | null>>(clerk, sql`public.read_day_of_staff()`)

const approvalAbove = (sum: number | null) =>
  bank.asService(settings({ staff_approval_above: sum, staff_proof_above: 10_000_000 }))

afterEach(() => approvalAbove(null))

const nothing = {
  deposits: 0,
  deposited: 0,
  expenses: 0,
  spent: 0,
  corrections: 0,
  batches: 0,
  batched: 0,
  decisions: 0,
  others: 0,
  left_alone: null,
}

test('an administrator sees their own acts of today without those of others and without readings', async () => {
  const [clerk, other] = [await addPerson(bank.database, 'admin'), await addPerson(bank.database, 'admin')]
  const customer = await bank.addCustomer()
  const mistake = await record(clerk, deposit(customer, '20.50'))
  await run(clerk, deposit(customer, '30'))
  await run(clerk, charge(customer, '4.25'))
  await run(clerk, correct(customer, mistake, 'Monto equivocado', '25'))
  await createBatch(clerk, [{ line: 1, user_id: customer.id, amount: 100, description: 'Nómina' }])
  await postAll(bank)
  await run(clerk, sql`select public.open_customer(${customer.id})`)
  await run(other, deposit(customer, '7'))

  expect(await dayOf(clerk)).toMatchObject({
    deposits: 2,
    deposited: 50.5,
    expenses: 1,
    spent: 4.25,
    corrections: 1,
    batches: 1,
    batched: 100,
    decisions: 0,
    others: 0,
    left_alone: null,
  })
})

test('an act of yesterday does not count, and an act of another kind counts among the others', async () => {
  const clerk = await addPerson(bank.database, 'admin')
  const act = (action: string, ago: string) =>
    bank.owner.query(sql`
      insert into ledger.audit (id, recorded_at, origin, actor, action, after, previous_hash, hash)
      select max(id) + 1, now() - ${ago}::interval, 'request', ${clerk.id}, ${action}, '{"type": "deposit", "amount": "1.00"}',
        sha256(''), sha256('') from ledger.audit`)
  await act('register_transaction', '1 day')
  await act('ban_user', '1 day')
  expect(await dayOf(clerk)).toMatchObject(nothing)
  await act('ban_user', '0 seconds')

  expect(await dayOf(clerk)).toMatchObject({ ...nothing, others: 1 })
})

test('the amount that is left without a second administrator falls with each act', async () => {
  await approvalAbove(100)
  const [clerk, customer] = [await addPerson(bank.database, 'admin'), await bank.addCustomer()]
  expect(await dayOf(clerk)).toMatchObject({ left_alone: 100 })
  await run(clerk, deposit(customer, '60.50'))
  expect(await dayOf(clerk)).toMatchObject({ left_alone: 39.5 })
  await approvalAbove(50)

  expect(await dayOf(clerk)).toMatchObject({ left_alone: 0 })
})

test('an invitation that was not followed for three days is counted until its customer confirms the address', async () => {
  const id = crypto.randomUUID()
  const lines = [1, 2, 3].map((line) => ({
    line,
    full_name: 'Ana',
    email: `invitada${line}@correo.example`,
    amount: 5,
  }))
  await run(
    bank.administrator,
    sql`select public.create_customers(${id}, 'clientes.csv', ${JSON.stringify(lines)}::json)`,
  )
  await postAll(bank)
  const invited = (line: number, ago: string) =>
    bank.owner.query(sql`
      update public.batch_lines set invitation = 'sent', invited_at = now() - ${ago}::interval
      where batch_id = ${id} and line = ${line}`)
  await invited(1, '4 days')
  await invited(2, '80 hours')
  await invited(3, '2 days')
  const waiting = async () => {
    const { unanswered, unanswered_batch: batch } = await dayOf(bank.administrator)
    return [unanswered, batch]
  }

  expect(await waiting()).toEqual([2, id])
  await bank.owner.query(sql`
    update auth.users set email_confirmed_at = now() where email like 'invitada%@correo.example'`)
  expect(await waiting()).toEqual([0, null])
})
