// Clearing files: each transfer to another bank is in exactly one file, and the bytes of a file never change.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { escapeFormula } from '@finanzas/contract/format/csv.ts'
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { settings } from './bank-settings.ts'
import { openTestDatabase, useBank } from './database.ts'
import { type Person, addPerson, ageProof } from './people.ts'
import { day, enableTransfers, request, returnTransfer, stored } from './transfers.ts'
import { decide, waitingRequests } from './decisions.ts'
import { clearing, clearingRules, closeFile, readFile, returnFile } from './clearing.ts'
import { addElsewhere, addHolder, befriendElsewhere, confirm, payerElsewhere } from './beneficiaries.ts'

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
        '',
        '',
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
        '',
        '',
        'Ano nuevo casa nandu',
      ],
    ])
    for (const cell of lines.flat()) expect(escapeFormula(cell)).toBe(cell)
    const id = `FZ${today.replaceAll('-', '')}${String(closed.number).padStart(9, '0')}`
    expect(xml).toContain(`<MsgId>${id}</MsgId>`)
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
    await bank.asService(
      settings({ brand_name: 'Otro nombre', clearing_account: '123', display_currency: 'COP' }),
    )
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
    await bank.asService(sql`select private.set_settings('{"clearing_account": null}')`)

    await expect(closeFile(bank.administrator)).rejects.toMatchObject({
      sqlState: 'PT409',
      message:
        'Falta decir el nombre, la cuenta y la moneda del banco en sus archivos (private.set_settings).',
    })

    await bank.asService(clearingRules)
    expect((await readFile(bank.administrator, (await closeFile(bank.administrator)).number)).xml).toContain(
      '<InitgPty><Nm>Banco</Nm></InitgPty>',
    )
  })

  test('a new bank has no name, account or currency for its files', async () => {
    const other = await openTestDatabase()

    expect(
      await other.owner.query(
        sql`select name from private.settings where value is null and name <> 'staff_approval_above' order by name`,
      ),
    ).toEqual([{ name: 'brand_name' }, { name: 'clearing_account' }, { name: 'display_currency' }])
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
      '',
      '',
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

  test('a payer’s name of more than 70 characters is cut in the CSV and whole in the XML', async () => {
    await emptyClearing()
    const { payer, beneficiary } = await payerElsewhere(bank)
    const name = 'Ana '.repeat(18).trim()
    await bank.asService(sql`
      update auth.users set raw_user_meta_data = jsonb_build_object('full_name', ${name}::text) where id = ${payer.id}`)
    await request(payer, beneficiary, '10')

    const { csv, xml } = await readFile(bank.administrator, (await closeFile(bank.administrator)).number)

    expect(cellsOf(csv)[1]?.[11]).toBe(name.slice(0, 70))
    expect(xml).toContain(`<UltmtDbtr><Nm>${name}</Nm>`)
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

describe('the return of a whole clearing file', () => {
  const balance = async (person: Person) => {
    const [row] = await bank.owner.query(
      sql<{ balance: string }>`select balance::text from public.budgets where user_id = ${person.id}`,
    )
    return Number(row?.balance)
  }
  const entries = (action: string) =>
    bank.owner.query<{ actor: string; after: Record<string, unknown>; targets: string[] }>(sql`
      select a.actor, a.after, to_jsonb(array(select t.target from ledger.audit_targets t where t.entry = a.id)) as targets
      from ledger.audit a where a.action = ${action} order by a.id desc limit 1`)
  const returnPieces = async (rowsMax: number) => {
    const [row] = await bank.owner.query(
      sql<{ returned: number }>`select private.return_pieces(${rowsMax}::integer) as returned`,
    )
    return row?.returned
  }
  const approvalAbove = (sum: number | null) => bank.asService(settings({ staff_approval_above: sum }))

  /** Closes a file with one transfer of 10 and one of 20, which two customers sent. */
  async function sentFile() {
    if ((await clearing(bank.administrator)).waiting > 0) await closeFile(bank.administrator)
    const [one, other] = [await payerElsewhere(bank), await payerElsewhere(bank)]
    const transfers = [
      await request(one.payer, one.beneficiary, '10'),
      await request(other.payer, other.beneficiary, '20'),
    ]
    const { number } = await closeFile(bank.administrator)
    return { number, one: one.payer, other: other.payer, transfers }
  }

  test('every transfer in a returned file goes back to its payer once', async () => {
    const { number, one, other, transfers } = await sentFile()
    await returnTransfer(bank.administrator, transfers[0]?.id ?? '')

    expect(await returnFile(bank.administrator, number)).toEqual({
      transfers: 1,
      amount: 20,
      left_out: 0,
      is_waiting: false,
    })
    expect(await returnFile(bank.administrator, number)).toMatchObject({ transfers: 0, amount: 0 })

    expect([await balance(one), await balance(other)]).toEqual([5000, 5000])
    expect(await stored(bank, transfers[1]?.id ?? '')).toMatchObject({
      status: 'returned',
      reason: 'La compensación lo rechazó',
    })
    expect(await entries('return_clearing_file')).toEqual([
      {
        actor: bank.administrator.id,
        after: { number, transfers: 1, amount: '20.00' },
        targets: [other.id],
      },
    ])
    const { files } = await clearing(bank.administrator)
    expect(files[0]).toMatchObject({ number, transfers: 2, returned: 2 })
    // The server does not read a finished return again.
    expect(await bank.owner.query(sql`select from private.open_returns`)).toEqual([])
    expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
  })

  test('two administrators who return the same file at the same time return each transfer once', async () => {
    const { number, one, other } = await sentFile()
    const clerk = await addPerson(bank.database, 'admin')

    const answers = await Promise.all([returnFile(bank.administrator, number), returnFile(clerk, number)])

    expect(answers.map(({ transfers }) => transfers).toSorted((one, other) => one - other)).toEqual([0, 2])
    expect([await balance(one), await balance(other)]).toEqual([5000, 5000])
  })

  test('the return of a file above the limit waits for an administrator other than the one who asked', async () => {
    const { number, one, other } = await sentFile()
    const [clerk, approver] = [
      await addPerson(bank.database, 'admin'),
      await addPerson(bank.database, 'admin'),
    ]
    await approvalAbove(25)
    try {
      expect(await returnFile(clerk, number)).toEqual({
        transfers: 2,
        amount: 30,
        left_out: 0,
        is_waiting: true,
      })
      expect(await returnFile(approver, number)).toMatchObject({ transfers: 2, is_waiting: true })
      const { requests } = await waitingRequests(bank.administrator)
      const asked = requests.filter(({ kind }) => kind === 'file_return')
      expect(asked).toMatchObject([{ amount: 30, details: { file: number, transfers: 2 } }])
      const ids = asked.map(({ id }) => id)
      expect(await balance(one)).toBe(4990)
      await expect(decide(clerk, ids, true)).rejects.toMatchObject({ sqlState: 'PT403' })

      expect(await decide(approver, ids, true)).toMatchObject([{ status: 'done' }])

      // The approved return no longer waits. The server returns the transfers in pieces.
      expect(await returnFile(approver, number)).toMatchObject({ transfers: 2, is_waiting: false })
      expect([await returnPieces(1), await returnPieces(1), await returnPieces(1)]).toEqual([1, 1, 0])
      expect([await balance(one), await balance(other)]).toEqual([5000, 5000])
      expect(await entries('return_clearing_file')).toMatchObject([
        { actor: clerk.id, after: { number, approved_by: approver.id } },
      ])
    } finally {
      await approvalAbove(null)
    }
  })

  test('the entry of a returned file leaves out a transfer that another order returned in the same decision', async () => {
    const { number, other, transfers } = await sentFile()
    const [clerk, approver] = [
      await addPerson(bank.database, 'admin'),
      await addPerson(bank.database, 'admin'),
    ]
    await approvalAbove(5)
    try {
      await returnFile(clerk, number)
      await returnTransfer(clerk, transfers[0]?.id ?? '')
      const { requests } = await waitingRequests(approver)
      const ids = requests
        .filter(({ kind }) => kind === 'file_return' || kind === 'return')
        .map(({ id }) => id)
      expect(ids).toHaveLength(2)

      await decide(approver, ids, true)

      expect(await entries('return_clearing_file')).toMatchObject([
        { actor: clerk.id, after: { number, transfers: 1 }, targets: [other.id] },
      ])
      expect(await returnPieces(50)).toBe(1)
    } finally {
      await approvalAbove(null)
    }
  })

  const unreturned = async (number: number) =>
    (await clearing(bank.administrator)).files.find((file) => file.number === number)?.unreturned

  test.for([
    [
      'paid',
      'La pagó quien',
      async (payer: Person) => {
        await bank.asService(
          sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${payer.id}`,
        )
        return payer
      },
    ],
    [
      'has the keys for',
      'abrió la cuenta de quien paga',
      async (payer: Person) => {
        const clerk = await addPerson(bank.database, 'admin')
        await bank.owner.query(sql`select private.record_access_act('open', ${payer.id}, ${clerk.id})`)
        return clerk
      },
    ],
  ] as const)(
    'the return of a file leaves out a transfer that the administrator %s, and another administrator returns it',
    async ([, reason, clerkOf]) => {
      const { number, one, other, transfers } = await sentFile()
      const clerk = await clerkOf(one)

      expect(await returnFile(clerk, number)).toMatchObject({ transfers: 1, amount: 20, left_out: 1 })
      expect([await balance(one), await balance(other)]).toEqual([4990, 5000])
      expect(await unreturned(number)).toEqual([
        { id: transfers[0]?.id, amount: 10, reason: expect.stringContaining(reason) as string },
      ])
      expect(await returnPieces(50)).toBe(0)
      expect(await returnFile(clerk, number)).toMatchObject({ transfers: 0, left_out: 1 })

      expect(await returnFile(bank.administrator, number)).toMatchObject({ transfers: 1, left_out: 0 })
      expect(await balance(one)).toBe(5000)
      expect(await unreturned(number)).toEqual([])
    },
  )

  test('the approved return of a file leaves out the transfers that its approver cannot decide', async () => {
    const { number, one, other } = await sentFile()
    const [clerk, approver] = [
      await addPerson(bank.database, 'admin'),
      await addPerson(bank.database, 'admin'),
    ]
    await bank.owner.query(sql`select private.record_access_act('factor', ${one.id}, ${approver.id})`)
    await approvalAbove(25)
    try {
      await returnFile(clerk, number)
      const { requests } = await waitingRequests(approver)
      const ids = requests.filter(({ kind }) => kind === 'file_return').map(({ id }) => id)
      expect(await decide(approver, ids, true)).toMatchObject([{ status: 'done' }])

      expect([await returnPieces(50), await returnPieces(50)]).toEqual([2, 0])
      expect([await balance(one), await balance(other)]).toEqual([4990, 5000])
      expect(await unreturned(number)).toHaveLength(1)
    } finally {
      await approvalAbove(null)
    }
  })

  test('a transfer that cannot be returned does not hold back the other transfers of its file', async () => {
    const { number, one, other, transfers } = await sentFile()
    const [first, second] = transfers.map(({ id }) => id).toSorted()
    const stuck = first === transfers[0]?.id ? one : other
    // The balance of this payer has no room for the amount.
    await bank.owner.query({
      text: `alter table public.budgets add constraint full_account check (user_id <> '${stuck.id}' or balance < 5000)`,
      values: [],
    })
    try {
      expect(await returnFile(bank.administrator, number)).toMatchObject({ transfers: 2 })

      expect((await stored(bank, second ?? ''))?.status).toBe('returned')
      expect((await stored(bank, first ?? ''))?.status).toBe('done')
      expect(await unreturned(number)).toMatchObject([
        { id: first, reason: 'El banco no pudo registrar la devolución.' },
      ])
      expect(await returnPieces(50)).toBe(0)
    } finally {
      await bank.owner.query(sql`alter table public.budgets drop constraint full_account`)
    }
    expect(await returnFile(bank.administrator, number)).toMatchObject({ transfers: 1 })
    expect([await balance(one), await balance(other)]).toEqual([5000, 5000])
  })

  test('a transfer whose payer has closed the account is left out of the return and counted', async () => {
    const { number, one, other } = await sentFile()
    await bank.asService(sql`delete from auth.users where id = ${one.id}`)

    expect(await returnFile(bank.administrator, number)).toMatchObject({ transfers: 1, left_out: 1 })

    expect(await balance(other)).toBe(5000)
  })

  test('the return of a file needs a reason of at most 200 characters and a file that exists', async () => {
    const { number } = await sentFile()
    for (const reason of [' ', 'x'.repeat(201)])
      await expect(returnFile(bank.administrator, number, reason)).rejects.toMatchObject({
        sqlState: 'PT422',
        message: 'Escribe un motivo de 200 caracteres como máximo.',
      })
    expect(await returnFile(bank.administrator, number, 'x'.repeat(200))).toMatchObject({ transfers: 2 })
    await expect(returnFile(bank.administrator, 999_999)).rejects.toMatchObject({ sqlState: 'PT404' })
  })

  test('the page learns before closing a file whether the file states the account of the bank', async () => {
    expect(await clearing(bank.administrator)).toMatchObject({ has_account: false })
    await bank.asService(
      settings({ brand_name: 'Banco', clearing_account: '1234567890', display_currency: 'USD' }),
    )

    expect(await clearing(bank.administrator)).toMatchObject({ has_account: true })
    await bank.asService(clearingRules)
  })

  test('a file has at most a thousand transfers, and the next file has the others', async () => {
    const { payer, beneficiary } = await payerElsewhere(bank)
    const { id } = await request(payer, beneficiary, '1')
    const copies = sql`
      with copies as (
        select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
        from public.requests r, generate_series(1, 1000) where r.id = ${id}
      ), requests as (insert into public.requests select * from copies)
      insert into private.clearing_transfers
      select (jsonb_populate_record(t, jsonb_build_object('transfer_id', c.id))).*
      from private.clearing_transfers t, copies c where t.transfer_id = ${id}`
    await bank.owner.query(copies)

    expect(await closeFile(bank.administrator)).toMatchObject({ transfers: 1000, amount: 1000 })
    expect(await closeFile(bank.administrator)).toMatchObject({ transfers: 1, amount: 1 })
  })

  test('the page lists the last 50 files', async () => {
    await bank.owner.query(sql`
      insert into private.clearing_files (number, closed_at, closed_by, transfers, amount, csv, xml)
      select f.number + n, now(), f.closed_by, 1, 1, '', ''
      from (select * from private.clearing_files order by number desc limit 1) f, generate_series(1, 51) n`)

    const { files, next_number } = await clearing(bank.administrator)

    expect(files).toHaveLength(50)
    expect(files[0]?.number).toBe(next_number - 1)
  })
})
