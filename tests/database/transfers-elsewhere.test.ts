// Transfers to accounts at other banks use the same requests, limits and decisions as transfers between customers. Only
// the payer has a posting, and the amount is in the clearing.
import { beforeAll, describe, expect, test } from 'vitest'
import { isIdentityDocument } from '@finanzas/contract/format/identity-document.ts'
import { sql } from '#server/database/database.ts'
import { withOwnersRights } from '#server/backup/restore.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { addPerson, ageProof, balanceOf, run } from './people.ts'
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
import { decide, decidedRequests, waitingRequests } from './decisions.ts'
import { clearing, closeFile, readFile } from './clearing.ts'
import {
  accountElsewhere,
  addElsewhere,
  addHolder,
  befriend,
  confirm,
  payerElsewhere,
  removeBeneficiary,
} from './beneficiaries.ts'

const bank = useBank()
beforeAll(() => enableTransfers(bank))

const expectSoundLedger = async () =>
  expect(await verifyLedger(withOwnersRights(bank.owner))).toMatchObject({ broken: null })

describe('an account at another bank', () => {
  test('an account number is stored without spaces and hyphens and shown with the bank and last digits', async () => {
    const ana = await addHolder(bank)

    const added = await addElsewhere(ana, {
      number: '123 456-78901',
      document_kind: 'NIT',
      document: '890.903.938-8',
    })

    expect(added).toMatchObject({
      name: 'Lucía Ñañez',
      address: null,
      destination: { ...accountElsewhere, document_kind: 'NIT', document: '8909039388' },
      payee_name: 'Bancolombia ••••8901',
      confirmed_at: null,
    })
    expect(await confirm(ana, added.id)).toMatchObject({
      payee_name: 'Bancolombia ••••8901',
      confirmed_at: expect.any(String),
    })
  })

  test.for([
    ['an unknown bank', { bank: '9999' }],
    ['an unknown kind', { kind: 'gold' }],
    ['letters in the number', { number: '1234567a' }],
    ['a short number', { number: '12345' }],
    ['a long number', { number: '1'.repeat(18) }],
    ['a short number of a deposit', { kind: 'deposit', number: '123456789' }],
    ['a long number of a deposit', { kind: 'deposit', number: '1'.repeat(18) }],
    ['an unknown document', { document_kind: 'XX' }],
    ['a CC with letters', { document: '12A4' }],
    ['a NIT with another check digit', { document_kind: 'NIT', document: '890903938-7' }],
    ['a NIT without its check digit', { document_kind: 'NIT', document: '890903938' }],
    ['a passport with signs', { document_kind: 'PA', document: 'AB/1234' }],
    ['a kind of document that the page does not offer', { document_kind: 'RC', document: '12345678' }],
  ] as const)('with %s is refused', async ([, wrong]) => {
    await expect(addElsewhere(await addHolder(bank), wrong)).rejects.toMatchObject({ sqlState: 'PT422' })
  })

  test.for(['8909039388', '8999990681', '8600029644', '8001972684', '8600030201'])(
    'can belong to the company %s',
    async (document) => {
      expect(await addElsewhere(await addHolder(bank), { document_kind: 'NIT', document })).toMatchObject({
        destination: { document },
      })
    },
  )

  test.for([
    ['savings', 6],
    ['checking', 6],
    ['checking', 17],
    ['deposit', 10],
    ['deposit', 17],
  ] as const)('of the kind %s can have a number of %i digits', async ([kind, digits]) => {
    const number = '1'.repeat(digits)
    expect(await addElsewhere(await addHolder(bank), { kind, number })).toMatchObject({
      destination: { kind, number },
    })
  })

  test('an account is refused if the clearing accepts none of the characters in the holder’s name', async () => {
    await expect(addElsewhere(await addHolder(bank), {}, { name: '李小龍' })).rejects.toMatchObject({
      sqlState: 'PT422',
    })
  })

  test('a customer cannot add two accounts with the same id or the same number', async () => {
    const ana = await addHolder(bank)
    const { id } = await addElsewhere(ana)

    expect(await addElsewhere(ana, {}, { id })).toMatchObject({ id })
    await expect(addElsewhere(ana, { number: '99999999' }, { id })).rejects.toMatchObject({
      sqlState: 'PT409',
    })
    await expect(addElsewhere(ana)).rejects.toMatchObject({
      sqlState: 'PT409',
      message: 'Ya tienes un beneficiario con esta cuenta.',
    })
    await removeBeneficiary(ana, id)
    expect((await addElsewhere(ana)).id).not.toBe(id)
  })

  test('an account at another bank counts towards the limit of five new beneficiaries in 24 hours', async () => {
    const ana = await addHolder(bank)
    for (let place = 0; place < 5; place += 1) await addElsewhere(ana, { number: `10000${place}` })

    await expect(addElsewhere(ana, { number: '200000' })).rejects.toMatchObject({ sqlState: 'PT429' })
  })

  test('an account cannot be confirmed without recent re-authentication, or paid before the confirmation', async () => {
    const ana = await addHolder(bank)
    const { id } = await addElsewhere(ana)
    await ageProof(ana, 11)

    await expect(confirm(ana, id)).rejects.toMatchObject({ hint: 'reauthentication_needed' })
    await expect(request(ana, id, '1')).rejects.toMatchObject({
      sqlState: 'PT409',
      message: 'Confirma primero este beneficiario.',
    })
  })

  test('the page and the database accept the same identity documents', async () => {
    const numbers = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 15, 16, 20, 21].flatMap((length) => [
      '1'.repeat(length),
      `0${'1'.repeat(length - 1)}`,
      'A'.repeat(length),
      'a'.repeat(length),
      `${'1'.repeat(length)}-8`,
    ])
    numbers.push('8909039388', '8909039387', '890903938-8', '890903938-7', '12345678-8', '1234567890-1', '')
    const kinds = ['CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI', 'XX']

    const inDatabase = await bank.owner.query(sql<{ kind: string; number: string; isAccepted: boolean }>`
      select k as kind, n as number, coalesce(private.is_document(k, n), false) as "isAccepted"
      from unnest(${`{${kinds.join()}}`}::text[]) k, unnest(${`{${numbers.map((each) => `"${each}"`).join()}}`}::text[]) n`)

    expect(inDatabase.filter(({ isAccepted }) => isAccepted).length).toBeGreaterThan(20)
    expect(
      inDatabase.map(({ kind, number }) => ({ kind, number, isAccepted: isIdentityDocument(kind, number) })),
    ).toEqual(inDatabase)
  })
})

describe('a transfer to another bank', () => {
  test('a small transfer takes the amount from the payer at once and adds it to the clearing', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const [sum, before] = [Number(await sumOf(bank)), await clearing(bank.administrator)]

    const done = await request(payer, beneficiary, '10.01', { description: 'Arriendo' })

    expect(done).toMatchObject({ status: 'done', payee: null, payee_masked: 'Bancolombia ••••8901' })
    expect(await balanceOf(payer)).toBe('4989.99')
    expect(
      await run(
        payer,
        sql`select description, category, recorded_by from public.transactions where type = 'expense'`,
      ),
    ).toEqual([
      {
        description: 'Transferencia enviada a «Lucía Ñañez»: «Arriendo»',
        category: 'Transferencia',
        recorded_by: 'bank',
      },
    ])
    const after = await clearing(bank.administrator)
    expect(after.waiting).toBe(before.waiting + 1)
    // The customers' balances fell by the amount that the bank now owes to the clearing.
    expect(Math.round((sum - Number(await sumOf(bank))) * 100)).toBe(1001)
    expect(Math.round((after.waiting_amount - before.waiting_amount) * 100)).toBe(1001)
    await expectSoundLedger()
  })

  test('a large transfer to another bank waits for a decision and reserves its amount', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const asked = await request(payer, beneficiary, '500')
    expect(asked.status).toBe('waiting')
    expect(await account(payer)).toMatchObject({ balance: 5000, reserved: 500, available: 4500 })
    // The administrator must see the whole destination account.
    expect(
      (await waitingRequests(bank.administrator)).requests.find(({ id }) => id === asked.id),
    ).toMatchObject({ payee: null, payee_name: 'Lucía Ñañez', details: accountElsewhere })

    expect(await decide(bank.administrator, [asked.id], true)).toMatchObject([{ status: 'done' }])

    expect(await account(payer)).toMatchObject({ balance: 4500, reserved: 0 })
    expect((await decidedRequests(bank.administrator)).find(({ id }) => id === asked.id)).toMatchObject({
      payee_name: 'Lucía Ñañez',
      details: accountElsewhere,
    })
  })

  test('a declined or cancelled or expired transfer frees its amount and never reaches the clearing', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const before = await clearing(bank.administrator)
    const ids = []
    for (let place = 0; place < 3; place += 1) ids.push((await request(payer, beneficiary, '500')).id)
    const [declined = '', cancelled = '', expired = ''] = ids

    await decide(bank.administrator, [declined], false)
    await cancel(payer, cancelled)
    await runDue(bank, 4)

    expect((await stored(bank, expired))?.status).toBe('expired')
    expect(await account(payer)).toMatchObject({ balance: 5000, reserved: 0 })
    expect(await clearing(bank.administrator)).toEqual(before)
    await expectSoundLedger()
  })

  test('a transfer to another bank for a later day is carried out on that day', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const { id } = await request(payer, beneficiary, '50', { due_on: await day(bank, 1) })
    expect(await balanceOf(payer)).toBe('5000')

    await runDue(bank, 1)

    expect(await stored(bank, id)).toMatchObject({ status: 'done' })
    expect(await balanceOf(payer)).toBe('4950')
  })

  test('a transfer to another bank counts toward the same limits as a transfer between customers', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const inside = await befriend(payer, await addHolder(bank, '0'))
    await request(payer, beneficiary, '60')

    expect((await request(payer, inside, '60')).status).toBe('waiting')
    await expect(request(payer, beneficiary, '1000.01')).rejects.toMatchObject({ sqlState: 'PT422' })
    await request(payer, beneficiary, '1000')
    await expect(request(payer, beneficiary, '881')).rejects.toMatchObject({
      message: 'El monto supera lo que te queda de tu límite de hoy.',
    })
  })

  test('a transfer to another bank is sent only once if the request is repeated', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const once = await request(payer, beneficiary, '10')

    expect(await request(payer, beneficiary, '10', { id: once.id })).toEqual(once)
    expect(await balanceOf(payer)).toBe('4990')
  })

  test('the return of a transfer after the other bank sent the money back is a reversal that names the transfer', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const { id } = await request(payer, beneficiary, '50')
    const listed = async () => (await decidedRequests(bank.administrator)).find((each) => each.id === id)
    expect(await listed()).toMatchObject({ clearing_file: null })
    const { number } = await closeFile(bank.administrator)
    // The administrator must know whether the bank has sent the money.
    expect(await listed()).toMatchObject({ clearing_file: number })
    const before = await clearing(bank.administrator)

    const returned = await returnTransfer(bank.administrator, id, 'Cuenta inexistente')

    expect(returned).toMatchObject({ status: 'returned', reason: 'Cuenta inexistente' })
    expect(await returnTransfer(bank.administrator, id, 'Cuenta inexistente')).toEqual(returned)
    expect(await balanceOf(payer)).toBe('5000')
    expect(await run(payer, sql`select corrected_id, reason from public.corrections`)).toEqual([
      { corrected_id: id, reason: 'Cuenta inexistente' },
    ])
    expect(Math.round(before.handed_amount - (await clearing(bank.administrator)).handed_amount)).toBe(50)
    await expectSoundLedger()
  })

  test('the payer can neither decide nor return a transfer to another bank', async () => {
    const clerk = await addPerson(bank.database, 'admin')
    const { payer, beneficiary } = await payerElsewhere(bank)
    const { id } = await request(payer, beneficiary, '500')
    const payBy = (person: { id: string }) =>
      bank.owner.query(
        sql`update public.requests set payer = ${person.id}, asked_by = ${person.id} where id = ${id}`,
      )
    await payBy(clerk)

    await expect(decide(clerk, [id], true)).rejects.toMatchObject({ sqlState: 'PT403' })
    await payBy(payer)
  })

  test('a transfer is still sent after the payer closes the account, but the request no longer has a destination', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const { id } = await request(payer, beneficiary, '50', { description: 'Terapia' })
    const open = await request(payer, beneficiary, '500')

    await run(payer, sql`select private.delete_own_account()`)

    expect(await stored(bank, open.id)).toMatchObject({ status: 'cancelled' })
    for (const each of [open.id, id]) expect((await stored(bank, each))?.details).toEqual({})
    expect(await stored(bank, id)).toMatchObject({
      status: 'done',
      payee_name: null,
      payee_masked: null,
    })
    const { number } = await closeFile(bank.administrator)
    expect((await readFile(bank.administrator, number)).csv).toContain(id.replaceAll('-', ''))
    // The bank then pays the money back outside this software, because no account is left.
    await expect(returnTransfer(bank.administrator, id)).rejects.toMatchObject({
      sqlState: 'PT409',
      message:
        'Quien pagó cerró su cuenta, y aquí no se le puede abonar. Si el otro banco devolvió el dinero, págaselo por otro medio: su nombre está en el archivo de compensación.',
    })
    await expectSoundLedger()
  })
})
