// A correction is a transaction of the bank that reverses a mistaken transaction and refers to it. The authorization matrix
// tests the rights of all roles.
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { type Person, balanceOf, charge, correct, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const open = (customer: Person) =>
  sql<{ opened: Record<string, unknown> }>`select public.open_customer(${customer.id}) as opened`
const explain = (customer: Person): SqlStatement =>
  sql`select * from public.read_customer_balance(${customer.id})`
const correctionsOf = (person: Person) =>
  run(
    person,
    sql`select id, corrected_id, reason, corrected_by from public.corrections order by corrected_at`,
  )

test('a correction reverses a bank deposit with an expense, and the customer can read both', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))

  const id = await record(bank.administrator, correct(customer, mistake))

  expect(await balanceOf(customer)).toBe('0')
  expect(
    await run(
      customer,
      sql`select type, amount::text, description, category, recorded_by from public.transactions where id = ${id}`,
    ),
  ).toEqual([
    {
      type: 'expense',
      amount: '100',
      description: 'Corrección: Nómina',
      category: 'Corrección',
      recorded_by: 'bank',
    },
  ])
  expect(await correctionsOf(customer)).toEqual([
    { id, corrected_id: mistake, reason: 'Se registró dos veces', corrected_by: 'Marta Ríos' },
  ])
  expect(await correctionsOf(await bank.addCustomer())).toEqual([])
})

test('a correction adds one audit entry with the ids and the amount but without the reason', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))

  const id = await record(bank.administrator, correct(customer, mistake))

  const entries = await bank.owner.query<{ after: unknown }>(
    sql`select action, after from ledger.audit where target = ${customer.id} order by id`,
  )
  expect(entries).toEqual([
    expect.objectContaining({ action: 'register_transaction' }),
    {
      action: 'correct_transaction',
      after: {
        id,
        corrects: mistake,
        type: 'expense',
        amount: '100.00',
        date: expect.any(String) as string,
      },
    },
  ])
})

test('the explanation of the balance counts neither a mistake nor its correction until the correction is corrected', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '1450000'))
  await run(bank.administrator, deposit(customer, '100'))
  await run(customer, expense(customer, '30'))
  await run(bank.administrator, open(customer))
  const explained = async () => {
    const [own] = await run(
      customer,
      sql`select deposits, expenses, corrections, void_ids from public.explain_balance()`,
    )
    const [staffs] = await run(bank.administrator, explain(customer))
    expect(staffs).toMatchObject(own ?? {})
    return own
  }

  const first = await record(bank.administrator, correct(customer, mistake))
  expect(await explained()).toEqual({
    deposits: '100',
    expenses: '-30',
    corrections: '0',
    void_ids: `{${first},${mistake}}`,
  })

  await run(bank.administrator, correct(customer, first, 'Estaba bien'))
  expect(await explained()).toMatchObject({ deposits: '1450100', expenses: '-30', corrections: '0' })
})

test('an administrator can correct a transaction only once, but can correct the correction', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const first = await record(bank.administrator, correct(customer, mistake))

  await expect(run(bank.administrator, correct(customer, mistake))).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'Este movimiento ya se corrigió.',
  })
  const second = await record(bank.administrator, correct(customer, first, 'Estaba bien'))

  expect(await balanceOf(customer)).toBe('100')
  expect(await correctionsOf(customer)).toMatchObject([
    { id: first, corrected_id: mistake },
    { id: second, corrected_id: first },
  ])
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a correction can include the right amount, which is then recorded with the date of the mistake', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '1450000'))

  const id = await record(bank.administrator, correct(customer, mistake, 'Monto equivocado', '1450.50'))

  expect(await balanceOf(customer)).toBe('1450.50')
  const [pair] = await run(
    customer,
    sql<{ replacement_id: string }>`select id, corrected_id, replacement_id from public.corrections`,
  )
  expect(pair).toMatchObject({ id, corrected_id: mistake })
  expect(
    await run(
      customer,
      sql`select t.type, t.amount::text, t.description, t.category, t.is_void, t.date = m.date as is_same_day
          from public.transactions t join public.transactions m on m.id = ${mistake}
          where t.id = ${pair?.replacement_id ?? null}`,
    ),
  ).toEqual([
    {
      type: 'deposit',
      amount: '1450.50',
      description: 'Nómina',
      category: 'Deposito',
      is_void: false,
      is_same_day: true,
    },
  ])
  const audited = await bank.owner.query(
    sql`select action, after ->> 'amount' as amount, after ->> 'replaces' as replaces
        from ledger.audit where target = ${customer.id} order by id`,
  )
  expect(audited.slice(1)).toEqual([
    { action: 'correct_transaction', amount: '1450000.00', replaces: null },
    { action: 'register_transaction', amount: '1450.50', replaces: mistake },
  ])
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a correction is refused if the right amount is not a valid amount of money', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))

  for (const amount of ['0', '-5', '0.001', 'NaN'])
    await expect(run(bank.administrator, correct(customer, mistake, 'Monto', amount))).rejects.toMatchObject({
      constraint: 'transactions_amount_is_money',
    })
  expect(await balanceOf(customer)).toBe('100')
  expect(await correctionsOf(customer)).toEqual([])
})

test('a correction that includes the right amount cannot be corrected, but its replacement can be corrected', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const id = await record(bank.administrator, correct(customer, mistake, 'Monto equivocado', '10'))
  const [pair] = await run(
    customer,
    sql<{ replacement_id: string }>`select replacement_id from public.corrections`,
  )

  await expect(run(bank.administrator, correct(customer, id))).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'Esta corrección dejó otro movimiento en su lugar: corrige ese.',
  })
  const again = await record(
    bank.administrator,
    correct(customer, pair?.replacement_id ?? '', 'Monto equivocado', '20'),
  )

  expect(await balanceOf(customer)).toBe('20')
  await expect(run(bank.administrator, correct(customer, again))).rejects.toMatchObject({
    sqlState: 'PT409',
  })
  const cancelled = await record(bank.administrator, deposit(customer, '5'))
  const reversal = await record(bank.administrator, correct(customer, cancelled))
  await expect(
    run(bank.administrator, correct(customer, reversal, 'Monto equivocado', '6')),
  ).rejects.toMatchObject({ sqlState: 'PT409', message: 'Una corrección solo se puede anular.' })
})

test('a correction that is requested three times at the same time is made only once', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))

  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => run(bank.administrator, correct(customer, mistake))),
  )

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await balanceOf(customer)).toBe('0')
})

test('a correction can reverse a transaction that the customer removed from their list', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  await run(customer, remove(mistake))

  const id = await record(bank.administrator, correct(customer, mistake, 'Monto equivocado', '7'))

  expect(await balanceOf(customer)).toBe('7')
  expect(
    await run(
      customer,
      sql`select type, amount::text, description, category from public.transactions
          order by id <> ${id}`,
    ),
  ).toEqual([
    { type: 'expense', amount: '100', description: 'Corrección', category: 'Corrección' },
    { type: 'deposit', amount: '7', description: 'Movimiento corregido', category: 'Deposito' },
  ])
  await expect(run(bank.administrator, correct(customer, mistake))).rejects.toMatchObject({
    message: 'Este movimiento ya se corrigió.',
  })
  const own = await record(customer, expense(customer, '5'))
  await run(customer, remove(own))
  await expect(run(bank.administrator, correct(customer, own))).rejects.toMatchObject({ sqlState: 'PT404' })
})

test('a correction is refused for another customer’s transaction, for a customer’s own expense or for a reason of several lines', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const own = await record(customer, expense(customer, '5'))
  const mistake = await record(bank.administrator, deposit(customer, '100'))

  await expect(run(bank.administrator, correct(customer, own))).rejects.toMatchObject({ sqlState: 'PT409' })
  await expect(run(bank.administrator, correct(other, mistake))).rejects.toMatchObject({
    sqlState: 'PT404',
  })
  for (const reason of ['', ' ', 'uno\ndos', 'a'.repeat(201)])
    await expect(run(bank.administrator, correct(customer, mistake, reason))).rejects.toMatchObject({
      sqlState: '23514',
    })
  expect(await balanceOf(customer)).toBe('95')
})

test('a correction still counts after the customer removes it from their list', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const id = await record(bank.administrator, correct(customer, mistake))

  await run(customer, remove(id))

  expect(await balanceOf(customer)).toBe('0')
  expect(await correctionsOf(customer)).toHaveLength(1)
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a correction and its mistake are void until an administrator corrects the correction', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const kept = await record(bank.administrator, deposit(customer, '100'))
  const voidOnes = async () =>
    (
      await run(customer, sql<{ id: string }>`select id from public.transactions where is_void order by date`)
    ).map(({ id }) => id)

  await run(customer, remove(mistake))
  const first = await record(bank.administrator, correct(customer, mistake))
  await run(customer, sql`select public.restore_transaction(${mistake})`)
  expect(await voidOnes()).toEqual([mistake, first])

  const second = await record(bank.administrator, correct(customer, first))
  expect(await voidOnes()).toEqual([first, second])
  expect(await voidOnes()).not.toContain(kept)
})

test('a correction does not count as spending, and a reversed charge no longer counts as spending', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expense(customer, '5'))
  for (const recorded of [deposit(customer, '100'), charge(customer, '70')])
    await run(bank.administrator, correct(customer, await record(bank.administrator, recorded)))

  expect((await run(bank.administrator, open(customer)))[0]?.opened).toMatchObject({ month_spent: 5 })
  const [sums] = await run(
    customer,
    sql<{ sums: { days: { spent: number }[] } }>`
      select public.sum_transactions(daily_since => current_date - 2) as sums`,
  )
  expect(sums?.sums.days.map(({ spent }) => spent)).toEqual([5])
})
