// Clearing files: each transfer to another bank is in exactly one file, and the bytes of a file never change.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { escapeFormula } from '@finanzas/contract/format/csv.ts'
import { sql } from '#server/database/database.ts'
import { openTestDatabase, useBank } from './database.ts'
import { addPerson, ageProof } from './people.ts'
import {
  addElsewhere,
  addHolder,
  befriendElsewhere,
  clearing,
  clearingRules,
  closeFile,
  confirm,
  day,
  enableTransfers,
  payerElsewhere,
  readFile,
  request,
  returnTransfer,
} from './transfers.ts'

const bank = useBank()
beforeAll(() => enableTransfers(bank))

describe('a clearing file', () => {
  const cellsOf = (csv: string | null) =>
    (csv ?? '')
      .split('\r\n')
      .filter((line) => line !== '')
      .map((line) => line.split(';'))
  const hashOf = (text: string | null) =>
    createHash('sha256')
      .update(text ?? '')
      .digest('hex')

  /** Closes a file with all waiting transfers, so that the next file has only the transfers of one test. */
  async function emptyClearing(): Promise<void> {
    if ((await clearing(bank.administrator)).waiting > 0) await closeFile(bank.administrator)
  }

  test('a clearing file has each transfer once, in the order in which the money left the accounts', async () => {
    await emptyClearing()
    const { payer, beneficiary } = await payerElsewhere(bank)
    const first = await request(payer, beneficiary, '10.5', { description: '=SUMA(A1)' })
    const back = await request(payer, beneficiary, '1')
    const second = await request(
      payer,
      await befriendElsewhere(payer, { number: '3001234567', kind: 'deposit', bank: '1507' }),
      '20',
      { description: 'Año <nuevo> & "casa"; ñandú' },
    )
    await returnTransfer(bank.administrator, back.id)

    const closed = await closeFile(bank.administrator)

    expect(closed).toMatchObject({ transfers: 2, amount: 30.5, csv: null, xml: null })
    const { csv, xml } = await readFile(bank.administrator, closed.number)
    const [, ...lines] = cellsOf(csv)
    const today = await day(bank, 0)
    const ofPerson = ['Lucia Nanez', 'CC', '1020304050']
    expect(lines).toEqual([
      [
        String(closed.number),
        first.id.replaceAll('-', ''),
        today,
        '1007',
        'ahorros',
        '12345678901',
        ...ofPerson,
        '10.50',
        'USD',
        'Ana Perez',
        'SUMA(A1)',
      ],
      [
        String(closed.number),
        second.id.replaceAll('-', ''),
        today,
        '1507',
        'deposito',
        '3001234567',
        ...ofPerson,
        '20.00',
        'USD',
        'Ana Perez',
        'Ano nuevo casa nandu',
      ],
    ])
    for (const cell of lines.flat()) expect(escapeFormula(cell)).toBe(cell)
    expect(xml).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>30.50</CtrlSum>')
    expect(xml).toContain('<Ustrd>Ano nuevo casa nandu</Ustrd>')
    expect(await clearing(bank.administrator)).toMatchObject({ waiting: 0, waiting_amount: 0 })
    await expect(closeFile(bank.administrator)).rejects.toMatchObject({
      sqlState: 'PT409',
      message: 'No hay transferencias por enviar.',
    })
  })

  test('a transfer of a customer who was blocked afterwards is in the file, unless an administrator returned it', async () => {
    await emptyClearing()
    const { payer, beneficiary } = await payerElsewhere(bank)
    const kept = await request(payer, beneficiary, '10')
    const back = await request(payer, beneficiary, '20')
    await bank.asService(
      sql`update auth.users set banned_until = now() + interval '1 day' where id = ${payer.id}`,
    )

    await returnTransfer(bank.administrator, back.id, 'Sesión robada')
    const { number } = await closeFile(bank.administrator)

    const { csv } = await readFile(bank.administrator, number)
    expect(cellsOf(csv).map(([, transfer]) => transfer)).toEqual([
      'transferencia',
      kept.id.replaceAll('-', ''),
    ])
  })

  test('every download of a clearing file has the same bytes, whose hashes are in the audit', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    await request(payer, beneficiary, '10')
    const { number } = await closeFile(bank.administrator)
    const once = await readFile(bank.administrator, number)
    await bank.asService(sql`select private.set_clearing_rules('Otro nombre', '123', 'COP')`)
    await request(payer, beneficiary, '10')

    expect(await readFile(bank.administrator, number)).toEqual(once)

    await bank.asService(clearingRules)
    expect([hashOf(once.csv), hashOf(once.xml)]).toEqual([once.csv_hash, once.xml_hash])
    expect(
      await bank.owner.query(sql`
        select after from ledger.audit
        where action = 'close_clearing_file' and after ->> 'number' = ${String(number)}`),
    ).toEqual([
      {
        after: expect.objectContaining({ number, csv_sha256: once.csv_hash, xml_sha256: once.xml_hash }),
      },
    ])
    const reads = await bank.owner.query(
      sql`select from ledger.audit where action = 'read_clearing_file' and after ->> 'number' = ${String(number)}`,
    )
    expect(reads).toHaveLength(2)
  })

  test('calls with the same number close only one clearing file', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    await request(payer, beneficiary, '10')
    const { next_number: number } = await clearing(bank.administrator)
    const closed = await closeFile(bank.administrator, number)
    await request(payer, beneficiary, '10')

    expect(await closeFile(await addPerson(bank.database, 'admin'), number)).toEqual(closed)
    await expect(closeFile(bank.administrator, number + 2)).rejects.toMatchObject({ sqlState: 'PT409' })
    expect((await clearing(bank.administrator)).waiting).toBe(1)
  })

  test('a bank cannot close a file before the operator has set the bank’s name, account and currency', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    await request(payer, beneficiary, '10')
    await bank.owner.query(sql`delete from private.clearing_rules`)

    await expect(closeFile(bank.administrator)).rejects.toMatchObject({
      sqlState: 'PT409',
      message:
        'Falta decir el nombre, la cuenta y la moneda del banco en sus archivos (private.set_clearing_rules).',
    })

    await bank.asService(clearingRules)
    expect((await readFile(bank.administrator, (await closeFile(bank.administrator)).number)).xml).toContain(
      '<InitgPty><Nm>Banco</Nm></InitgPty>',
    )
  })

  test('a new bank has no name, account or currency for its files', async () => {
    const other = await openTestDatabase()

    expect(await other.owner.query(sql`select from private.clearing_rules`)).toEqual([])
    await other.close()
  })

  test('an administrator cannot close a clearing file without recent re-authentication', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    await request(payer, beneficiary, '10')
    const clerk = await addPerson(bank.database, 'admin')
    const { next_number: number } = await clearing(clerk)
    await ageProof(clerk, 11)

    await expect(closeFile(clerk, number)).rejects.toMatchObject({ hint: 'reauthentication_needed' })

    const closed = await closeFile(bank.administrator, number)
    // A call that is repeated after a lost answer does not close another file.
    expect(await closeFile(clerk, number)).toEqual(closed)
  })

  test('a clearing file contains no text that XML or a spreadsheet would interpret', async () => {
    await emptyClearing()
    const payer = await addHolder(bank)
    await bank.asService(sql`
      update auth.users set raw_user_meta_data = '{"full_name": "</Nm><Nm>Otro & \\"Cía\\""}' where id = ${payer.id}`)
    const { id } = await addElsewhere(payer, {}, { name: '+1;@José <b>' })
    await confirm(payer, id)
    await request(payer, id, '10', { description: '\u200b=1;]]>' })

    const { number } = await closeFile(bank.administrator)

    const { csv, xml } = await readFile(bank.administrator, number)
    expect(cellsOf(csv)[1]?.slice(6)).toEqual([
      '1 Jose b',
      'CC',
      '1020304050',
      '10.00',
      'USD',
      'Nm Nm Otro Cia',
      '1',
    ])
    expect(
      xml
        ?.replaceAll(/<\/?[A-Za-z]+( Ccy="USD")?>/g, '')
        .split('\n')
        .slice(2)
        .join(''),
    ).not.toMatch(/[<>&"]/)
  })

  test.for(['customer', 'session without its second factor'] as const)(
    'cannot be read by a %s',
    async (who) => {
      const reader = who === 'customer' ? await addHolder(bank) : await addPerson(bank.database, 'admin')
      if (who !== 'customer')
        await bank.asService(
          sql`insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${reader.id}, 'totp', 'verified', 'x')`,
        )
      const claims = JSON.stringify({ sub: reader.id, session_id: reader.sessionId })
      for (const call of ['list_clearing()', 'close_clearing_file(1)', 'read_clearing_file(1)'])
        await expect(
          bank.owner.query({
            text: `with claims as materialized (select set_config('request.jwt.claims', $1, true))
            select public.${call} from claims`,
            values: [claims],
          }),
        ).rejects.toMatchObject({ sqlState: '42501' })
    },
  )

  test.for(['private.clearing_files', 'private.clearing_transfers'])(
    'cannot be changed in %s, even by the owner of the database',
    async (table) => {
      const { payer, beneficiary } = await payerElsewhere(bank)
      await request(payer, beneficiary, '10')
      await closeFile(bank.administrator)
      await request(payer, beneficiary, '10')

      for (const change of [
        `update ${table} set amount = 1`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(bank.owner.query({ text: change, values: [] })).rejects.toMatchObject({
          sqlState: '42501',
        })
    },
  )
})
