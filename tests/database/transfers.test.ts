// A customer requests transfers within their limits and funds. A small transfer is carried out at once. A transfer for
// a later day is carried out on that day, and a large transfer waits for a decision.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { letPass, use } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, ageProof, balanceOf, expense, record, run } from './people.ts'
import {
  account,
  accountAfter,
  cancel,
  day,
  enableTransfers,
  request,
  returnTransfer,
  runDue,
  stored,
  sumOf,
} from './transfers.ts'
import { decide } from './decisions.ts'
import { add, addHolder, addPair, befriend, removeBeneficiary } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

const listed = (person: Parameters<typeof run>[0]) =>
  run(
    person,
    sql<{ type: string; amount: string; description: string; category: string; recorded_by: string }>`
      select type, amount::text, description, category, recorded_by from public.transactions order by date desc limit 1`,
  )

test('a small transfer moves the money at once', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const sum = await sumOf(bank)

  const done = await request(payer, beneficiary, '99.50', { description: 'Almuerzo' })

  expect(done).toMatchObject({
    status: 'done',
    payer: payer.id,
    payee_name: 'Luis',
    amount: 99.5,
  })
  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['4900.50', '99.50'])
  expect(await sumOf(bank)).toBe(sum)
  expect(await listed(payer)).toEqual([
    {
      type: 'expense',
      amount: '99.50',
      description: 'Transferencia enviada a «Luis»: «Almuerzo»',
      category: 'Transferencia',
      recorded_by: 'bank',
    },
  ])
  expect(await listed(payee)).toEqual([
    {
      type: 'deposit',
      amount: '99.50',
      description: 'Transferencia recibida de «Ana Pérez»: «Almuerzo»',
      category: 'Transferencia',
      recorded_by: 'bank',
    },
  ])
})

test('the longest name and the longest description of a transfer fit into the descriptions of both postings', async () => {
  const [payer, payee] = [await addHolder(bank), await addHolder(bank)]
  const beneficiary = await befriend(payer, payee, '\u0301'.padStart(80, 'x'))

  await request(payer, beneficiary, '1', { description: 'ñ'.repeat(140) })

  expect((await listed(payer))[0]?.description).toHaveLength(200)
  expect((await listed(payee))[0]?.description).toBe(
    `Transferencia recibida de «Ana Pérez»: «${'ñ'.repeat(140)}»`,
  )
})

test('the payee sees at most 80 characters of the payer’s name', async () => {
  const [payer, payee] = [await addHolder(bank), await addHolder(bank)]
  await bank.owner.query(sql`
    update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: 'x'.repeat(120) })} where id = ${payer.id}`)

  await request(payer, await befriend(payer, payee), '1', { description: 'Pan' })

  expect((await listed(payee))[0]?.description).toBe(`Transferencia recibida de «${'x'.repeat(80)}»: «Pan»`)
})

test('a large transfer waits for a decision and reserves its amount', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)

  expect(await request(payer, beneficiary, '100.01')).toMatchObject({ status: 'waiting', ended_at: null })

  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['5000', '0'])
  expect(await account(payer)).toMatchObject({
    balance: 5000,
    reserved: 100.01,
    available: 4899.99,
    day_left: 1899.99,
  })
})

test('the available balance is never shown below zero', async () => {
  const { payer, beneficiary } = await addPair(bank, '200')
  await request(payer, beneficiary, '150')
  await run(payer, expense(payer, '100'))

  expect(await account(payer)).toMatchObject({ balance: 100, reserved: 150, available: 0 })
})

test.for(['0', '-1', '1.001', 'NaN', 'Infinity', '1000000000000'])(
  'the amount %s is refused',
  async (amount) => {
    const { payer, beneficiary } = await addPair(bank)

    await expect(request(payer, beneficiary, amount)).rejects.toMatchObject({
      sqlState: 'PT422',
      message: 'El monto debe ser mayor que cero, con dos decimales como máximo.',
    })
  },
)

test.for([
  ['1000.01', 'El monto supera tu límite por transferencia.'],
  ['600', 'El monto supera tu saldo disponible.'],
] as const)('a transfer of %s is refused: %s', async ([amount, message]) => {
  const { payer, beneficiary } = await addPair(bank, '599.99')

  await expect(request(payer, beneficiary, amount)).rejects.toMatchObject({ sqlState: 'PT422', message })
  expect(await account(payer)).toMatchObject({ reserved: 0, day_left: 2000 })
})

test('reserved money cannot be transferred a second time', async () => {
  const { payer, beneficiary } = await addPair(bank, '300')
  await request(payer, beneficiary, '250')

  await expect(request(payer, beneficiary, '51')).rejects.toMatchObject({
    sqlState: 'PT422',
    message: 'El monto supera tu saldo disponible.',
  })
  expect(await request(payer, beneficiary, '50')).toMatchObject({ status: 'done' })
})

test('a customer cannot avoid the decision by splitting a transfer', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  expect(await request(payer, beneficiary, '60')).toMatchObject({ status: 'done' })

  const rest = await request(payer, beneficiary, '40.01')
  expect(rest).toMatchObject({ status: 'waiting' })
  // A transfer that waits for a decision does not count.
  expect(await request(payer, beneficiary, '40')).toMatchObject({ status: 'done' })
  expect([await account(payer), await balanceOf(payee)]).toMatchObject([
    { automatic_max: 0, automatic_day_max: 100 },
    '100',
  ])
})

test('a transfer for a later day counts toward the sum that needs no decision', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const due_on = await day(bank, 1)
  expect(await request(payer, beneficiary, '60', { due_on })).toMatchObject({ status: 'scheduled' })

  expect(await request(payer, beneficiary, '40.01')).toMatchObject({ status: 'waiting' })
})

test('the open transfers of an earlier day still reserve their amounts', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await request(payer, beneficiary, '500')
  await request(payer, beneficiary, '50', { due_on: await day(bank, 2) })
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at - interval '24 hours' where payer = ${payer.id}`,
  )

  expect(await account(payer)).toMatchObject({ reserved: 550, available: 4450, day_left: 2000 })
})

test('a transfer to a blocked customer is not carried out', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 day' where id = ${payee.id}`,
  )

  expect(await request(payer, beneficiary, '10')).toMatchObject({
    status: 'failed',
    reason: 'La cuenta de destino no puede recibir transferencias.',
  })
})

test('a day’s transfers stay within the limit of the day', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const tomorrow = await day(bank, 1)
  await request(payer, beneficiary, '1000')
  const { id } = await request(payer, beneficiary, '900', { due_on: tomorrow })
  const refused = { sqlState: 'PT422', message: 'El monto supera lo que te queda de tu límite de hoy.' }

  await expect(request(payer, beneficiary, '100.01')).rejects.toMatchObject(refused)
  await request(payer, beneficiary, '100')
  await expect(request(payer, beneficiary, '0.01')).rejects.toMatchObject(refused)
  // A cancelled transfer moved no money.
  await cancel(payer, id)
  await request(payer, beneficiary, '900')
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at - interval '24 hours' where payer = ${payer.id}`,
  )
  expect(await account(payer)).toMatchObject({ day_left: 2000 })
})

test('a customer can pay only confirmed beneficiaries from their own list', async () => {
  const [{ payer }, other] = [await addPair(bank), await addPair(bank)]
  const { id } = await add(payer, 'alguien@banco.example')

  await expect(request(payer, crypto.randomUUID(), '1')).rejects.toMatchObject({ sqlState: 'PT404' })
  await expect(request(payer, other.beneficiary, '1')).rejects.toMatchObject({ sqlState: 'PT404' })
  await expect(request(payer, id, '1')).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a transfer of a closed account to someone who is not a customer is refused because of the beneficiary', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await bank.owner.query(sql`delete from private.payees where user_id = ${payer.id}`)
  await bank.owner.query(sql`delete from public.budgets where user_id = ${payer.id}`)

  await expect(request(payer, beneficiary, '1')).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a request that is sent twice with one id transfers the money once', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const id = crypto.randomUUID()
  const first = await request(payer, beneficiary, '10', { id, description: 'Pan' })

  expect(await request(payer, beneficiary, '10.00', { id, description: 'Pan' })).toEqual(first)
  expect(await balanceOf(payee)).toBe('10')
})

test('a payer cannot reuse an id for a different transfer, or use the id of another payer’s transfer', async () => {
  const [{ payer, beneficiary }, other] = [await addPair(bank), await addPair(bank)]
  const id = crypto.randomUUID()
  await request(payer, beneficiary, '10', { id })
  const refused = { sqlState: 'PT409', message: 'Este identificador ya se usó con otra transferencia.' }

  await expect(request(payer, beneficiary, '11', { id })).rejects.toMatchObject(refused)
  await expect(request(payer, beneficiary, '10', { id, description: 'Pan' })).rejects.toMatchObject(refused)
  await expect(request(other.payer, other.beneficiary, '10', { id })).rejects.toMatchObject(refused)
})

test('a transfer cannot have the id of a transaction of the payer or the payee', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)

  for (const person of [payer, payee]) {
    const id = await record(person, expense(person, '1'))
    await expect(request(payer, beneficiary, '1', { id })).rejects.toMatchObject({ sqlState: 'PT409' })
  }
})

test('a repeated request still returns the transfer after its beneficiary was removed', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const id = crypto.randomUUID()
  const done = await request(payer, beneficiary, '10', { id })
  await removeBeneficiary(payer, beneficiary)

  expect(await request(payer, beneficiary, '10', { id })).toEqual(done)
})

test('a transfer for a later day is carried out on that day in Bogotá', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const due_on = await day(bank, 2)
  const { id, status } = await request(payer, beneficiary, '10', { due_on })
  expect(status).toBe('scheduled')

  await runDue(bank, 1)
  expect(await stored(bank, id)).toMatchObject({ status: 'scheduled' })
  await runDue(bank, 2)
  await runDue(bank, 3)

  expect(await stored(bank, id)).toMatchObject({ status: 'done' })
  expect(await balanceOf(payee)).toBe('10')
})

test('a transfer for today is carried out at once', async () => {
  const { payer, beneficiary } = await addPair(bank)

  expect(await request(payer, beneficiary, '10', { due_on: await day(bank, 0) })).toMatchObject({
    status: 'done',
  })
})

test.for([-1, 366])('a transfer is refused for a day that is %i days from now', async (days) => {
  const { payer, beneficiary } = await addPair(bank)

  await expect(request(payer, beneficiary, '10', { due_on: await day(bank, days) })).rejects.toMatchObject({
    sqlState: 'PT422',
    message: 'La fecha debe estar entre hoy y dentro de un año.',
  })
})

test('a transfer for a later day fails with a reason if the payer no longer has the money', async () => {
  const { payer, payee, beneficiary } = await addPair(bank, '50')
  const { id } = await request(payer, beneficiary, '50', { due_on: await day(bank, 1) })
  await run(payer, expense(payer, '0.01'))

  await runDue(bank, 1)

  expect(await stored(bank, id)).toMatchObject({ status: 'failed', reason: 'El saldo no alcanzó.' })
  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['49.99', '0'])
  expect(await account(payer)).toMatchObject({ reserved: 0 })
})

test('a transfer for a later day fails if the bank has blocked the payer', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '50', { due_on: await day(bank, 1) })
  await run(bank.administrator, sql`select public.block_user(${payer.id}, 'suspected_fraud')`)

  await runDue(bank, 1)

  expect(await stored(bank, id)).toMatchObject({ status: 'failed', reason: 'La cuenta estaba bloqueada.' })
  expect(await balanceOf(payee)).toBe('0')
})

test('a due transfer that cannot be posted does not stop other due transfers', async () => {
  const [one, two] = [await addPair(bank), await addPair(bank)]
  const due_on = await day(bank, 1)
  const bad = await request(one.payer, one.beneficiary, '10', { due_on })
  const good = await request(two.payer, two.beneficiary, '10', { due_on })
  await run(
    one.payer,
    sql`insert into public.transactions (id, type, description, amount) values (${bad.id}, 'expense', 'Café', 1)`,
  )

  await runDue(bank, 1)

  expect(await stored(bank, bad.id)).toMatchObject({ status: 'failed' })
  expect(await stored(bank, good.id)).toMatchObject({ status: 'done' })
  expect(await balanceOf(one.payer)).toBe('4999')
})

test('a request without a decision expires and frees its amount', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')

  await runDue(bank, 2)
  expect(await stored(bank, id)).toMatchObject({ status: 'waiting' })
  await runDue(bank, 3)

  expect(await stored(bank, id)).toMatchObject({ status: 'expired', ended_at: expect.any(String) })
  expect(await account(payer)).toMatchObject({ reserved: 0, available: 5000, day_left: 2000 })
})

test.for([
  ['waiting', '500', 0],
  ['scheduled', '50', 1],
] as const)('a payer can cancel a %s transfer', async ([status, amount, days]) => {
  const { payer, beneficiary } = await addPair(bank)
  const asked = await request(payer, beneficiary, amount, { due_on: await day(bank, days) })
  expect(asked.status).toBe(status)

  const cancelled = await cancel(payer, asked.id)

  expect(cancelled).toMatchObject({ status: 'cancelled', ended_at: expect.any(String) })
  expect(await cancel(payer, asked.id)).toEqual(cancelled)
  expect(await account(payer)).toMatchObject({ reserved: 0 })
  await runDue(bank, 5)
  expect(await stored(bank, asked.id)).toMatchObject({ status: 'cancelled' })
})

test('the cancellation of a completed transfer changes nothing', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const done = await request(payer, beneficiary, '10')

  expect(await cancel(payer, done.id)).toEqual(done)
})

test('payers can cancel only their own transfers', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')

  for (const person of [payee, await addHolder(bank), bank.administrator])
    await expect(cancel(person, id)).rejects.toMatchObject({ sqlState: 'PT404' })
})

test('only the payer can read a request', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  const read = async (person: Parameters<typeof run>[0]) =>
    (await run(person, sql`select id from public.requests where id = ${id}`)).length

  expect(await read(payer)).toBe(1)
  for (const person of [payee, await addHolder(bank), bank.administrator]) expect(await read(person)).toBe(0)
})

test('a request does not show the payer the payee’s account or the risk or the administrator', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const id = crypto.randomUUID()
  const ask = () => request(payer, beneficiary, '500', { id })
  const hidden = { payee: null, risk: null, decided_by: null, body_hash: null }

  expect([await ask(), await ask()]).toMatchObject([hidden, hidden])
  await decide(bank.administrator, [id], false)
  expect([await ask(), await cancel(payer, id)]).toMatchObject([hidden, hidden])
  const other = await request(payer, beneficiary, '500')
  expect(await cancel(payer, other.id)).toMatchObject({ ...hidden, status: 'cancelled' })
})

const newAccountMax = 100
const expenses = (person: Person, count: number) =>
  run(
    person,
    sql`
      insert into public.transactions (user_id, type, description, amount)
      select ${person.id}, 'expense', 'Café', 0.01 from generate_series(1, ${count}::integer)`,
  )

test('transfers that a customer pays or receives do not use up the limit of own expenses', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  for (let sent = 0; sent < 3; sent += 1) await request(payer, beneficiary, '1')

  for (const person of [payer, payee]) {
    await expenses(person, newAccountMax)
    await expect(expenses(person, 1)).rejects.toMatchObject({ sqlState: 'PT429' })
  }
})

test('transfers that a customer removed from the list do not use up the limit of own expenses', async () => {
  const { payer, beneficiary } = await addPair(bank)
  for (let sent = 0; sent < 3; sent += 1) await request(payer, beneficiary, '1')
  await run(payer, sql`delete from public.transactions where user_id = ${payer.id} and recorded_by = 'bank'`)

  await expenses(payer, newAccountMax)
  await expect(expenses(payer, 1)).rejects.toMatchObject({ sqlState: 'PT429' })
})

test('a customer who has used up the limit of own expenses can still pay and receive transfers', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  for (const person of [payer, payee]) await expenses(person, newAccountMax)

  expect(await request(payer, beneficiary, '1')).toMatchObject({ status: 'done' })
})

test('a payer can request a hundred transfers in 24 hours', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await use(bank, 'transfer', payer.id, 99)
  await letPass(bank, 'transfer', payer.id, 23)
  await request(payer, beneficiary, '0.01')

  await expect(request(payer, beneficiary, '0.01')).rejects.toMatchObject({
    sqlState: 'PT429',
    detail: expect.stringMatching(/^Retry-After: (?:[3-6]\d{3}|7[01]\d\d|7200)$/),
  })
})

test('a payer can have twenty open requests', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const due_on = await day(bank, 1)
  for (let place = 0; place < 10; place += 1) {
    expect(await request(payer, beneficiary, '1', { due_on })).toMatchObject({ status: 'scheduled' })
    expect(await request(payer, beneficiary, '100')).toMatchObject({ status: 'waiting' })
  }

  await expect(request(payer, beneficiary, '1')).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a new beneficiary, an unusual amount and a late hour raise the risk of a transfer', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const [clock] = await bank.owner.query(sql<{ night: number }>`
    select (extract(hour from now() at time zone 'America/Bogota') not between 6 and 21)::integer as night`)
  const night = clock?.night ?? 0
  const riskOf = async (amount: string) =>
    (await stored(bank, (await request(payer, beneficiary, amount)).id))?.risk

  expect(await riskOf('3')).toBe(6 + night)
  expect(await riskOf('8.99')).toBe(4 + night)
  expect(await riskOf('26.97')).toBe(6 + night)
  expect(await balanceOf(payee)).toBe('38.96')
})

test.for([
  ['05:59:59', 1],
  ['06:00:00', 0],
  ['21:59:59', 0],
  ['22:00:00', 1],
] as const)('at %s in Bogotá, the hour adds %i to the risk of a transfer', async ([time, added]) => {
  const { payer, beneficiary } = await addPair(bank)
  const riskAt = async (moment: string) => {
    const [row] = await bank.owner.query(sql<{ risk: number }>`
      select private.risk_of(b.user_id, b, 1, ${`2026-11-20T${moment}-05:00`}::timestamptz) as risk
      from public.beneficiaries b where b.user_id = ${payer.id} and b.id = ${beneficiary}`)
    return row?.risk ?? 0
  }

  expect((await riskAt(time)) - (await riskAt('12:00:00'))).toBe(added)
})

test('a transfer that was returned does not make a larger amount usual', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const returned = await request(payer, beneficiary, '90')
  await request(payer, beneficiary, '1')
  await returnTransfer(bank.administrator, returned.id)
  const { id } = await request(payer, beneficiary, '3')

  expect(((await stored(bank, id))?.risk ?? 0) & 2).toBe(2)
})

test('a beneficiary counts as new for the risk of a transfer for 24 hours', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await request(payer, beneficiary, '100')
  const hasNewBeneficiary = async (age: string) => {
    await bank.owner.query(
      sql`update public.beneficiaries set confirmed_at = now() - ${age}::interval where user_id = ${payer.id}`,
    )
    const { id } = await request(payer, beneficiary, '1')
    return ((await stored(bank, id))?.risk ?? 0) >= 4
  }

  expect(await hasNewBeneficiary('23 hours 59 minutes')).toBe(true)
  expect(await hasNewBeneficiary('24 hours 1 second')).toBe(false)
})

const set = (person: Parameters<typeof run>[0], transfer: string | null, ofDay: string | null) =>
  accountAfter(person, sql`public.set_transfer_limits(${transfer}, ${ofDay})`)

test.for([
  ['1000000000000', null],
  [null, '1000000000000'],
  ['0.001', null],
  [null, '0.001'],
  ['-1', null],
  [null, '-1'],
] as const)('a customer cannot set their own limits to %s and %s', async ([transfer, ofDay]) => {
  await expect(set(await addHolder(bank, '0'), transfer, ofDay)).rejects.toMatchObject({
    sqlState: 'PT422',
    message: 'Escribe un límite de cero o más, con dos decimales como máximo.',
  })
})

test('a customer’s own limits apply in addition to the bank’s limits', async () => {
  const { payer, beneficiary } = await addPair(bank)

  expect(await set(payer, '50', '60')).toMatchObject({
    transfer_left: 50,
    day_left: 60,
    own_transfer_max: 50,
    own_day_max: 60,
    bank_transfer_max: 1000,
    bank_day_max: 2000,
  })
  await expect(request(payer, beneficiary, '50.01')).rejects.toMatchObject({ sqlState: 'PT422' })
  await request(payer, beneficiary, '50')
  await expect(request(payer, beneficiary, '10.01')).rejects.toMatchObject({ sqlState: 'PT422' })
  expect(await set(payer, '5000', null)).toMatchObject({
    transfer_left: 1000,
    day_left: 1950,
    own_transfer_max: 5000,
    own_day_max: null,
  })
})

test('a customer can lower their own limits without re-authentication, but cannot raise or remove the limits without it', async () => {
  const { payer } = await addPair(bank)
  await ageProof(payer, 11)
  const refused = { sqlState: '42501', hint: 'reauthentication_needed' }

  await set(payer, '50', '60')
  await set(payer, '50', '59')
  await set(payer, '0', '0')
  for (const [transfer, ofDay] of [
    ['0.01', '0'],
    ['0', '0.01'],
    [null, '0'],
    ['0', null],
  ] as const)
    await expect(set(payer, transfer, ofDay)).rejects.toMatchObject(refused)
  await ageProof(payer, 1)
  expect(await set(payer, null, null)).toMatchObject({ transfer_left: 1000, own_transfer_max: null })
})

test.for([
  ['-1', null],
  [null, '1.001'],
  ['NaN', null],
  [null, 'Infinity'],
])('a customer cannot set the own limits %s and %s', async ([transfer, ofDay]) => {
  const { payer } = await addPair(bank)

  await expect(set(payer, transfer ?? null, ofDay ?? null)).rejects.toMatchObject({ sqlState: 'PT422' })
})
