// Administrators approve, decline and return transfers, but not their own. The audit log contains each decision.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import {
  type Person,
  addPerson,
  ageProof,
  balanceOf,
  closeAccount,
  correct,
  expense,
  remove,
  run,
} from './people.ts'
import {
  account,
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
import { addPair } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

/** Adds a payer, a payee, and a transfer between them. */
async function addTransfer(amount = '500', wanted: Parameters<typeof request>[3] = {}) {
  const { payer, payee, beneficiary } = await addPair(bank)
  return { payer, payee, id: (await request(payer, beneficiary, amount, wanted)).id }
}

const approve = (ids: readonly string[], administrator: Person = bank.administrator) =>
  decide(administrator, ids, true)

const audit = (person: Person, action: string) =>
  run(
    bank.administrator,
    sql<{ action: string; actor: string; target: string; after: Record<string, unknown> }>`
      select action, actor, target, after from public.audit_of(${person.id}, action => ${action})`,
  )

test('an approved transfer moves the money once', async () => {
  const { payer, payee, id } = await addTransfer()
  const sum = await sumOf(bank)

  const [approved] = await approve([id])

  expect(approved).toMatchObject({ status: 'done', decided_by: bank.administrator.id, reason: null })
  expect(await approve([id])).toEqual([approved])
  expect(await decide(bank.administrator, [id], false)).toEqual([approved])
  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['4500', '500'])
  expect(await sumOf(bank)).toBe(sum)
})

test('an approved transfer for a later day is carried out on that day', async () => {
  const { payee, id } = await addTransfer('500', { due_on: await day(bank, 2) })

  expect(await approve([id])).toMatchObject([{ status: 'scheduled' }])
  expect(await balanceOf(payee)).toBe('0')
  await runDue(bank, 2)

  expect(await stored(bank, id)).toMatchObject({ status: 'done', decided_by: bank.administrator.id })
})

test('a declined transfer frees its amount and shows the payer the reason', async () => {
  const { payer, payee, id } = await addTransfer()

  await decide(bank.administrator, [id], false, 'Pídela en la sucursal')

  expect(await run(payer, sql`select status, reason from public.requests where id = ${id}`)).toEqual([
    { status: 'declined', reason: 'Pídela en la sucursal' },
  ])
  expect(await account(payer)).toMatchObject({ reserved: 0, available: 5000, day_left: 2000 })
  expect(await balanceOf(payee)).toBe('0')
})

test('an administrator can stop a scheduled transfer and must give a reason', async () => {
  const { payer, payee, id } = await addTransfer('50', { due_on: await day(bank, 1) })
  expect(await stored(bank, id)).toMatchObject({ status: 'scheduled' })

  await expect(decide(bank.administrator, [id], false, null)).rejects.toMatchObject({ sqlState: 'PT422' })
  expect(await approve([id])).toMatchObject([{ status: 'scheduled', decided_by: null }])
  const stopped = await decide(bank.administrator, [id], false, 'No la reconoces')
  await runDue(bank, 1)

  expect(await stored(bank, id)).toEqual(stopped[0])
  expect(stopped).toMatchObject([
    { status: 'declined', reason: 'No la reconoces', decided_by: bank.administrator.id },
  ])
  expect(await account(payer)).toMatchObject({ reserved: 0, available: 5000, day_left: 2000 })
  expect(await balanceOf(payee)).toBe('0')
  expect(await audit(payer, 'decide_request')).toMatchObject([
    { after: { id, decision: 'declined', amount: '50.00' } },
  ])
})

test('another administrator can stop a scheduled transfer that an administrator approved', async () => {
  const { payee, id } = await addTransfer('500', { due_on: await day(bank, 1) })
  await approve([id])
  const clerk = await addPerson(bank.database, 'admin')

  await decide(clerk, [id], false)
  await runDue(bank, 1)

  expect(await stored(bank, id)).toMatchObject({ status: 'declined', decided_by: clerk.id })
  expect(await balanceOf(payee)).toBe('0')
})

test.for([[null], [''], [' '], ['a\nb'], ['x'.repeat(201)]])(
  'an administrator cannot decline a transfer with the reason %j',
  async ([reason]) => {
    const { id } = await addTransfer()

    await expect(decide(bank.administrator, [id], false, reason ?? null)).rejects.toMatchObject({
      sqlState: 'PT422',
    })
    expect(await stored(bank, id)).toMatchObject({ status: 'waiting' })
  },
)

test('a transfer that has expired cannot be approved any more', async () => {
  const { payee, id } = await addTransfer()
  await bank.owner.query(sql`update public.requests set expires_at = now() where id = ${id}`)

  expect(await approve([id])).toMatchObject([{ status: 'expired', decided_by: null }])
  expect(await balanceOf(payee)).toBe('0')
})

test('a cancelled transfer stays cancelled even if an administrator approves it', async () => {
  const { payer, payee, id } = await addTransfer()
  await cancel(payer, id)

  expect(await approve([id])).toMatchObject([{ status: 'cancelled' }])
  expect(await balanceOf(payee)).toBe('0')
})

test('several transfers are decided in the order in which they were requested', async () => {
  const { payer, beneficiary } = await addPair(bank, '900')
  const first = await request(payer, beneficiary, '500')
  const second = await request(payer, beneficiary, '400')
  await run(payer, expense(payer, '1'))

  const decided = await approve([second.id, first.id, first.id])

  expect(decided.map(({ id, status }) => [id, status])).toEqual([
    [first.id, 'done'],
    [second.id, 'failed'],
  ])
})

const refused = { sqlState: 'PT403', message: 'No puedes decidir sobre tu propia transferencia.' }
const makeAdministrator = (person: Person) =>
  bank.asService(
    sql`update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "admin"}' where id = ${person.id}`,
  )

test.for(['payer', 'payee'] as const)('the %s of a transfer cannot decide it', async (side) => {
  const { payer, payee, id } = await addTransfer()
  const clerk = { payer, payee }[side]
  const other = await addTransfer()
  await makeAdministrator(clerk)

  for (const approves of [true, false])
    await expect(decide(clerk, [other.id, id], approves)).rejects.toMatchObject(refused)
  expect([(await stored(bank, id))?.status, (await stored(bank, other.id))?.status]).toEqual([
    'waiting',
    'waiting',
  ])
  await approve([id])
  await expect(returnTransfer(clerk, id)).rejects.toMatchObject(refused)
})

test('a decision is refused unless it covers between 1 and 100 existing requests', async () => {
  const { id } = await addTransfer()

  for (const ids of [[], Array.from({ length: 101 }, () => id)])
    await expect(approve(ids)).rejects.toMatchObject({ sqlState: 'PT422' })
  await expect(approve([id, crypto.randomUUID()])).rejects.toMatchObject({ sqlState: 'PT404' })
  expect(await stored(bank, id)).toMatchObject({ status: 'waiting' })
})

test('approvals and returns above the bank’s limit require re-authentication, but declined requests do not count', async () => {
  const clerk = await addPerson(bank.database, 'admin')
  const [one, two, three] = [await addTransfer('500'), await addTransfer('400'), await addTransfer('101')]
  const done = await addTransfer('50')
  await bank.asService(settings({ staff_proof_above: 1000 }))
  await ageProof(clerk, 11)
  const refused = { sqlState: '42501', hint: 'reauthentication_needed' }
  try {
    await expect(approve([one.id, two.id, three.id], clerk)).rejects.toMatchObject(refused)
    await decide(clerk, [two.id], false)
    await approve([one.id], clerk)
    await returnTransfer(clerk, one.id)
    await expect(approve([three.id], clerk)).rejects.toMatchObject(refused)
    await expect(returnTransfer(clerk, done.id)).rejects.toMatchObject(refused)
    await ageProof(clerk, 1)
    expect(await approve([three.id], clerk)).toMatchObject([{ status: 'done' }])
  } finally {
    await bank.asService(settings({ staff_proof_above: 10_000_000 }))
  }
})

test('each decision adds one audit entry about the payer and one about the payee', async () => {
  const { payer, payee, id } = await addTransfer('500', { description: 'Terapia' })
  await approve([id])
  await approve([id])

  const after = { id, decision: 'approved', amount: '500.00' }
  const entry = { action: 'decide_request', actor: bank.administrator.id }
  expect(await audit(payer, 'decide_request')).toEqual([{ ...entry, target: payer.id, after }])
  expect(await audit(payee, 'decide_request')).toEqual([
    { ...entry, target: payee.id, after: { id, lines: 1, amount: '500.00' } },
  ])
  for (const person of [payer, payee])
    expect(
      (await audit(person, 'register_transaction')).filter(({ after: { id: of } }) => of === id),
    ).toEqual([])
})

test('the audit does not record the transfers that a customer makes', async () => {
  const { payer, payee } = await addTransfer('50')

  const entries = await run(
    bank.administrator,
    sql<{ action: string }>`
      select action from public.audit_of(${payee.id}) union all select action from public.audit_of(${payer.id})`,
  )
  expect(entries.map(({ action }) => action)).toEqual(['register_transaction'])
})

test('each return adds one audit entry about the payer and one about the payee', async () => {
  const { payer, payee, id } = await addTransfer('50')
  await returnTransfer(bank.administrator, id)

  expect(await audit(payer, 'return_transfer')).toMatchObject([{ after: { id, amount: '50.00' } }])
  expect(await audit(payee, 'return_transfer')).toMatchObject([{ after: { id, amount: '50.00' } }])
  expect([await audit(payer, 'correct_transaction'), await audit(payee, 'correct_transaction')]).toEqual([
    [],
    [],
  ])
})

test('a return gives the money back by correcting both postings with the same id', async () => {
  const { payer, payee, id } = await addTransfer('50')
  const sum = await sumOf(bank)

  const returned = await returnTransfer(bank.administrator, id)

  expect(returned).toMatchObject({ status: 'returned', reason: 'Se pidió por error' })
  expect(await returnTransfer(bank.administrator, id)).toEqual(returned)
  expect([await balanceOf(payer), await balanceOf(payee), await sumOf(bank)]).toEqual(['5000', '0', sum])
  const corrections = await bank.owner.query(
    sql<{
      id: string
      user_id: string
    }>`select id, user_id from public.corrections where corrected_id = ${id}`,
  )
  expect(new Set(corrections.map((each) => each.id)).size).toBe(1)
  expect(corrections.map((each) => each.user_id).toSorted()).toEqual([payer.id, payee.id].toSorted())
})

test('a transfer can be returned even after both people have removed it from their lists', async () => {
  const { payer, payee, id } = await addTransfer('50')
  await run(payer, remove(id))
  await run(payee, remove(id))

  await returnTransfer(bank.administrator, id)

  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['5000', '0'])
})

test('a return takes the balance of the payee below zero if the payee has spent the money', async () => {
  const { payer, payee, id } = await addTransfer('50')
  await run(payee, expense(payee, '0.01'))
  const sum = await sumOf(bank)

  await returnTransfer(bank.administrator, id)

  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['5000', '-0.01'])
  expect(await sumOf(bank)).toBe(sum)
})

test('a return needs a reason of at most 200 characters', async () => {
  const { id } = await addTransfer('50')
  for (const reason of [' ', 'x'.repeat(201)])
    await expect(returnTransfer(bank.administrator, id, reason)).rejects.toMatchObject({
      sqlState: 'PT422',
      message: 'Escribe un motivo de 200 caracteres como máximo.',
    })

  expect(await returnTransfer(bank.administrator, id, 'x'.repeat(200))).toMatchObject({ status: 'returned' })
})

test('a return is refused if its reason has changed or if the transfer is not done', async () => {
  const { id } = await addTransfer('50')
  await returnTransfer(bank.administrator, id)
  const undone = { sqlState: 'PT409', message: 'Solo se devuelve una transferencia hecha.' }

  await expect(returnTransfer(bank.administrator, id, 'Otro')).rejects.toMatchObject(undone)
  await expect(returnTransfer(bank.administrator, (await addTransfer()).id)).rejects.toMatchObject(undone)
  await expect(returnTransfer(bank.administrator, crypto.randomUUID())).rejects.toMatchObject({
    sqlState: 'PT404',
  })
})

test.for(['payer', 'payee'] as const)('a return is refused if the %s’s account is closed', async (side) => {
  const { payer, payee, id } = await addTransfer('50')
  await closeAccount({ payer, payee }[side])

  await expect(returnTransfer(bank.administrator, id)).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'Una de las cuentas de la transferencia está cerrada.',
  })
})

test('a return is the only way to correct a transfer', async () => {
  const { payer, payee, id } = await addTransfer('50')
  const refused = { sqlState: 'PT409', message: 'Una transferencia se devuelve entera.' }

  for (const person of [payer, payee])
    await expect(run(bank.administrator, correct(person, id))).rejects.toMatchObject(refused)
  await returnTransfer(bank.administrator, id)
  const [correction] = await bank.owner.query(
    sql<{ id: string }>`select id from public.corrections where corrected_id = ${id}`,
  )
  for (const person of [payer, payee])
    for (const each of [id, correction?.id ?? ''])
      await expect(run(bank.administrator, correct(person, each))).rejects.toMatchObject(refused)
  expect([await balanceOf(payer), await balanceOf(payee)]).toEqual(['5000', '0'])
})
