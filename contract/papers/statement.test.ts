// Tests statement files: their contents, the tags for screen readers, and the detection of every change.
import { expect, test } from 'vitest'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { checkStatement } from './check.ts'
import { statementCopy } from './copy.ts'
import { linesOf, readStatementCsv, statementCsv } from './csv.ts'
import { verifyFile } from './file.ts'
import {
  type StatementKeys,
  checkSignature,
  newSigningKey,
  openSigningKey,
  readStatementKeys,
  signCsv,
} from './signature.ts'
import { type Statement, type StatementAnswer, customerOf, statementOf } from './statement.ts'
import { totalsOf } from './totals.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> }

const utf8 = (text: string) => new TextEncoder().encode(text)

const answer: StatementAnswer = {
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  month: '2026-11',
  opening: 100,
  closing: 1284.55,
  noted: -20.45,
  last_seq: 15,
  hash: 'ab'.repeat(32),
  is_whole: true,
  next_after_row: null,
  entries: [
    {
      seq: 12,
      kind: 'deposit',
      is_note: false,
      amount: 1250,
      balance: 1350,
      recorded_at: '2026-11-01T05:00:00.123456+00:00',
      date: '2026-11-01T05:00:00+00:00',
      description: 'Nómina «ACME» 🏦',
      category: 'Deposito',
    },
    {
      seq: 13,
      kind: 'expense',
      is_note: true,
      amount: -15.45,
      balance: 1334.55,
      recorded_at: '2026-11-03T19:20:00+00:00',
      date: '2026-11-02T15:00:00+00:00',
      description: '=Café; "con" Ana',
      category: 'Comida',
    },
    {
      seq: 15,
      kind: 'unlisted',
      is_note: false,
      amount: -50,
      balance: 1284.55,
      // Midnight on 1 December in Bogotá.
      recorded_at: '2026-12-01T05:00:00+00:00',
      date: '2026-12-01T04:59:59+00:00',
      description: null,
      category: null,
    },
  ],
}
const particulars = {
  taxNumber: '890903938-8',
  address: 'Calle 1 # 2-3, Bogotá',
  phone: '(601) 555 0100',
  site: 'https://banco.example',
  document: 'CC 1032456789',
  accountNumber: '4821 9033 7771',
}
const issued = {
  bankName: 'Banco Ñandú',
  particulars,
  customer: 'Laura',
  currency: 'USD',
  issuedAt: '2026-12-01 09:30',
} as const
const given = statementOf(answer, issued, statementCopy.unlisted)
const csv = statementCsv(given)
const check = (statement: Statement, from: StatementAnswer) => checkStatement(statement, from, issued)
const key = await openSigningKey(await newSigningKey())
const ours: StatementKeys = { keys: [key.publicKey] }
const signedCsv = await signCsv(csv, key)
const signed = readStatementCsv(signedCsv)
if (signed === null) throw new Error('The signed statement cannot be read.')

test('the CSV file has the common CSV format with times in Bogotá', () => {
  expect(csv).toBe(
    [
      '\uFEFFBanco;Banco Ñandú',
      'NIT;890903938-8',
      'Dirección;Calle 1 # 2-3, Bogotá',
      'Teléfono;(601) 555 0100',
      'Página;https://banco.example',
      'Cliente;Laura',
      'Documento;CC 1032456789',
      'Cuenta;3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
      'Número de cuenta;4821 9033 7771',
      'Periodo;2026-11',
      'Moneda;USD',
      'Emitido;2026-12-01 09:30',
      'Saldo inicial;100,00',
      'Saldo según el banco;1305,00',
      'Tus anotaciones;-20,45',
      'Saldo final;1284,55',
      'Último registro;15',
      `Huella;${'ab'.repeat(32)}`,
      `Nota;${statementCopy.declared}`,
      '',
      'Registro;Registrado;Fecha;Descripción;Según los clientes;Categoría;Movimiento;Origen;Monto;Saldo',
      '12;2026-11-01 00:00;2026-11-01;Nómina «ACME» 🏦;;Deposito;Depósito;Banco;1250,00;1350,00',
      `13;2026-11-03 14:20;2026-11-02;"'=Café; ""con"" Ana";;Comida;Gasto;Anotación;-15,45;1334,55`,
      'Registrados después del cierre',
      '15;2026-12-01 00:00;2026-11-30;Movimiento retirado de la lista;;;Fuera de la lista;Banco;-50,00;1284,55',
      '',
    ].join('\r\n'),
  )
  expect(readStatementCsv(csv)).toEqual(given)
})

test.for([
  ['Ana Pérez', 'Almuerzo', 'Ana Pérez (nombre declarado) · «Almuerzo»'],
  ['Certificado: salario 5.000.000', 'Banco Finanzas certifica', '«Banco Finanzas certifica»'],
] as const)(
  'a transfer of %s stands in the bank’s words, and the words of customers are marked',
  ([name, concept, declared]) => {
    const [deposit] = answer.entries
    const transfer = { ...deposit, description: `Transferencia recibida de «${name}»: «${concept}»` }
    const received = statementOf(
      { ...answer, entries: [transfer as (typeof answer.entries)[number]] },
      issued,
      '',
    )

    expect(received.rows[0]).toMatchObject({ description: 'Transferencia recibida', declared })
    const file = statementCsv(received)
    expect(readStatementCsv(file)).toEqual(received)
  },
)

test('an expense that the customer wrote like a transfer keeps its words', () => {
  const [, note] = answer.entries
  const description = 'Transferencia enviada a «Luis»: «Pan»'
  const own = { ...note, description } as (typeof answer.entries)[number]

  expect(statementOf({ ...answer, entries: [own] }, issued, '').rows[0]).toMatchObject({
    description,
    declared: '',
  })
})

test('a statement omits particulars that the bank and the holder do not have', () => {
  const { particulars: _, ...plain } = given
  const text = statementCsv(plain)

  expect(readStatementCsv(text)).toEqual(plain)
})

test.for([
  ['whose lines are in another order', csv.replace('Moneda;USD\r\nEmitido', 'Emitido')],
  ['with an amount that a spreadsheet reformatted', csv.replace('100,00', '100')],
  ['without its byte order mark', csv.slice(1)],
  ['with an unescaped formula', csv.replace("'=Café", '=Café')],
  ['in another currency', csv.replace('USD', 'EUR')],
  ['that is another table', 'Fecha;Monto\r\n'],
  ['that is empty', ''],
] as const)('a file %s is not a statement', ([, text]) => {
  expect(readStatementCsv(text)).toBeNull()
})

test('a statement that matches the journal is confirmed', () => {
  expect(check(given, answer)).toEqual({ holds: true, isWhole: true, otherWords: [] })
})

test('the check names rows whose description is not the current description', () => {
  const gone = { ...answer, entries: answer.entries.map((entry) => ({ ...entry, description: null })) }

  expect(check(withRow(1, { description: 'Café' }), answer)).toMatchObject({ holds: true, otherWords: [13] })
  expect(check(withRow(2, { description: 'Premio' }), answer)).toMatchObject({ otherWords: [15] })
  expect(check(given, { ...gone, is_whole: false })).toEqual({
    holds: true,
    isWhole: false,
    otherWords: [12, 13],
  })
})

test('a signed statement with a correction is confirmed after the account is closed', () => {
  const [first, second] = given.rows
  const rows = [{ ...firstRow(), ...first, kind: 'correction' }, { ...firstRow(), ...second }, lastRow()]

  expect(check({ ...signed, rows: [...rows.slice(0, 2), ...given.rows.slice(2)] }, answer)).toMatchObject({
    holds: true,
  })
  expect(check({ ...given, rows }, answer)).toMatchObject({ holds: false, seq: 12 })
})

test.for<[string, Partial<Statement>]>([
  ['in another currency', { currency: 'COP' }],
  ['of another bank', { bankName: 'Bancolombia S.A.' }],
  ['issued at another time', { issuedAt: '2026-12-01 09:31' }],
  ['of another holder', { customer: 'Lauro' }],
  ['of a holder with another document', withParticular({ document: 'CC 1032456788' })],
  ['with another account number', withParticular({ accountNumber: '4821 9033 7868' })],
  ['with another tax number of the bank', withParticular({ taxNumber: '860002964-4' })],
  ['of a bank at another address', withParticular({ address: 'Calle 2 # 2-3, Bogotá' })],
  ['of a bank with another telephone', withParticular({ phone: '(601) 555 0101' })],
  ['of a bank with another page', withParticular({ site: 'https://banco-falso.example' })],
  ['without particulars', { particulars: {} }],
  ['of another account', { account: '4f2a1c55-1b2c-4d3e-8f90-1234567890ab' }],
  ['of another month', { month: '2026-10' }],
  ['with another category', withRow(1, { category: 'Salario' })],
  ['with another description', withRow(0, { description: 'Salario ACME S.A.' })],
  [
    'with a description for a row that is no longer in the list',
    withRow(2, { description: 'Salario', day: '2026-11-02' }),
  ],
  ['with another amount', withRow(0, { amountMinor: 100 as MinorUnits })],
  ['that shows a note as a transaction of the bank', withRow(1, { isNote: false })],
  ['with another sum of notes', { notedMinor: 0 as MinorUnits }],
  ['with another hash', { hash: 'cd'.repeat(32) }],
  ['without its last row', { rows: given.rows.slice(0, 2) }],
])('a signed statement %s fails the signature check', async ([, part]) => {
  const forged = statementCsv({ ...signed, ...part, signature: signed.signature })

  expect(await verify(utf8(forged))).toMatchObject({ signature: 'false' })
})

test('the signature covers every byte of a statement', async () => {
  const bytes = utf8(signedCsv)
  const verdicts = new Set<string>()
  expect(await verify(bytes)).toEqual({
    signature: 'valid',
    document: { ...given, signature: signed.signature },
  })
  expect(await verify(new Uint8Array([...bytes, 32]))).toBeNull()
  expect(await verify(bytes.slice(0, 900))).toBeNull()
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 400)) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    verdicts.add((await verify(changed))?.signature ?? 'unreadable')
  }

  expect([...verdicts].toSorted()).toEqual(['false', 'unknown_key', 'unreadable'])
})

test.for([
  ['a signed statement', signedCsv],
  ['an unsigned statement', csv],
] as const)('the CSV of %s states which text the customer wrote', ([, text]) => {
  const sentence =
    'Un nombre marcado «nombre declarado», las categorías y las palabras de los gastos propios son los que escribió el cliente. En una transferencia y en su devolución, lo que está «Según los clientes» lo escribieron los clientes, y el banco no lo comprobó.'

  expect(text).toContain(`\r\nNota;${sentence}\r\n`)
})

test('a statement signed by another bank never verifies, whichever key id it names', async () => {
  const theirs = await openSigningKey(await newSigningKey())
  const foreign = statementIn(await signCsv(csv, theirs))
  const named = { ...foreign, signature: { kid: key.publicKey.kid, value: foreign.signature?.value ?? '' } }

  expect(await checkSignature(foreign, ours)).toBe('unknown_key')
  expect(await checkSignature(named, ours)).toBe('false')
})

test('statements signed with an old key still verify after a new key is published', async () => {
  const next = await openSigningKey(await newSigningKey())
  const published = readStatementKeys(JSON.parse(JSON.stringify({ keys: [next.publicKey, key.publicKey] })))

  expect(await checkSignature(signed, published ?? { keys: [] })).toBe('valid')
  expect(await checkSignature(given, ours)).toBe('unsigned')
})

test.for([null, 'keys', {}, { keys: 'all' }, { keys: [{ kty: 'RSA', kid: 'a' }] }])(
  '%j is not a file of keys',
  (published) => {
    expect(readStatementKeys(published)).toBeNull()
  },
)

test.for<[string, Partial<Statement>]>([
  ['a date of issue', { issuedAt: '2026-12-01 09:30. Ingresos certificados: $ 90,000,000.00' }],
  ['a holder', { customer: `Laura. CERTIFICAMOS ${'que gana mucho '.repeat(30)}` }],
  ['a bank', { bankName: 'B'.repeat(201) }],
  ['an address', withParticular({ address: 'A'.repeat(201) })],
  ['a telephone', withParticular({ phone: '601 555 0100 certifica' })],
  ['a page', withParticular({ site: 'https://banco.example/ y también https://otro.example' })],
  ['a tax number', withParticular({ taxNumber: '890903938-7' })],
  ['a document', withParticular({ document: 'CC 1032456789 y 2' })],
  ['an account number', withParticular({ accountNumber: '4821 9033 7772' })],
  ['a hash', { hash: `${'ab'.repeat(32)} Certificado` }],
  ['a category', withRow(0, { category: 'Salario certificado por la gerencia de ACME S.A. de C.V.' })],
  ['a description', withRow(0, { description: 'S'.repeat(201) })],
  ['a description of two lines', withRow(0, { description: 'Salario\u2028Certificado' })],
])('a text with a paragraph in place of %s is not a statement', ([, part]) => {
  expect(readStatementCsv(statementCsv({ ...given, ...part }))).toBeNull()
})

test('invalid UTF-8 is not decoded to replacement characters', async () => {
  const bytes = utf8(statementCsv({ ...given, customer: 'Laura \uFFFD' }))
  const at = bytes.findIndex((byte, index) => byte === 0xef && bytes[index + 1] === 0xbf)
  const changed = new Uint8Array([...bytes.slice(0, at), 0xff, ...bytes.slice(at + 3)])

  expect(await verify(bytes)).not.toBeNull()
  expect(await verify(changed)).toBeNull()
})

test.for([
  [
    { fullName: ' Ana Pérez ', email: 'ana@banco.example' },
    'Ana Pérez (nombre declarado) · ana@banco.example',
  ],
  [{ fullName: '', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana\nGerente', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'A'.repeat(61), email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana. Saldo promedio: 250', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana, con $ en el banco', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana, con € en el banco', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana · jefe@banco.example', email: 'ana@banco.example' }, 'ana@banco.example'],
  [{ fullName: 'Ana (nombre verificado)', email: 'ana@banco.example' }, 'ana@banco.example'],
] as const)('a document shows the account holder %j as %j', ([person, name]) => {
  expect(customerOf({ ...person, isVerified: false })).toBe(name)
})

test('a document shows a name that the bank verified without the mark of a declared name', () => {
  const person = { fullName: 'Comercializadora 3M (Cali) S.A.S.', email: 'ana@banco.example' }

  expect(customerOf({ ...person, isVerified: true })).toBe(
    'Comercializadora 3M (Cali) S.A.S. · ana@banco.example',
  )
})

test('the totals leave out a corrected transaction and its correction', () => {
  const rows = (entries: readonly (readonly [string, number])[]) =>
    entries.map(([kind, amount]) => ({ ...firstRow(), kind, amountMinor: amount as MinorUnits }))

  expect(
    totalsOf({
      rows: rows([
        ['deposit', 1000],
        ['expense', -900],
        ['corrected', 50],
        ['correction', -50],
        ['corrected', -7],
        ['correction', 7],
        ['unlisted', 80],
        ['unlisted', -5],
      ]),
    }),
  ).toEqual({ incomeMinor: 1000, spendingMinor: -900, unlistedMinor: 75 })
})

test.for([
  ['of another account', { ...given, account: 'other' }, { fault: 'account' }],
  ['of another bank', { ...given, bankName: 'Banco Ñandú S.A.' }, { fault: 'bank' }],
  ['in another currency', { ...given, currency: 'COP' }, { fault: 'currency' }],
  ['with another amount', withRow(0, { amountMinor: 100 as MinorUnits }), { fault: 'row', seq: 12 }],
  [
    'with a closing balance that does not follow from its rows',
    { ...given, closingMinor: 1 as MinorUnits },
    { fault: 'sum' },
  ],
  ['with another hash of the last entry', { ...given, hash: 'cd'.repeat(32) }, { fault: 'head' }],
  ['with another number of the last entry', { ...given, lastSeq: 14 }, { fault: 'head' }],
  ['with another opening balance and rows that follow from it', shifted(), { fault: 'opening' }],
  ['with another sum of notes', { ...given, notedMinor: 0 as MinorUnits }, { fault: 'notes' }],
  [
    'that shows a note as a transaction of the bank',
    withRow(1, { isNote: false }),
    { fault: 'row', seq: 13 },
  ],
  ['without its last row', withoutLast(), { fault: 'row', seq: 15 }],
  [
    'with an additional row',
    { ...given, rows: [...given.rows, { ...lastRow(), seq: 16 }] },
    { fault: 'row', seq: 16 },
  ],
  [
    'with a row recorded at another time',
    withRow(1, { recordedAt: '2026-11-04 14:20' }),
    { fault: 'row', seq: 13 },
  ],
  ['with a row of another day', withRow(1, { day: '2026-11-03' }), { fault: 'row', seq: 13 }],
  ['with a row of another kind', withRow(2, { kind: 'deposit' }), { fault: 'row', seq: 15 }],
] as const)('a statement %s is refuted', ([, statement, verdict]) => {
  expect(check(statement, answer)).toEqual({ holds: false, ...verdict })
})

function verify(bytes: Uint8Array) {
  return verifyFile(bytes, () => Promise.resolve(ours))
}

function statementIn(text: string): Statement {
  const statement = readStatementCsv(text)
  if (statement === null) throw new Error('This is not a statement.')
  return statement
}

function withParticular(part: Partial<typeof particulars>): Partial<Statement> {
  return { particulars: { ...particulars, ...part } }
}

function withRow(index: number, part: Partial<Statement['rows'][number]>): Statement {
  return { ...given, rows: given.rows.map((row, at) => (at === index ? { ...row, ...part } : row)) }
}

/** Returns the statement without its last row. The figures of the shortened statement are still consistent. */
function withoutLast(): Statement {
  const rows = given.rows.slice(0, 2)
  return { ...given, rows, closingMinor: rows[1]?.balanceMinor ?? given.closingMinor }
}

function shifted(): Statement {
  const more = (minor: MinorUnits) => (minor + 1) as MinorUnits
  return {
    ...given,
    openingMinor: more(given.openingMinor),
    closingMinor: more(given.closingMinor),
    rows: given.rows.map((row) => ({ ...row, balanceMinor: more(row.balanceMinor) })),
  }
}

function firstRow() {
  const [row] = given.rows
  if (row === undefined) throw new Error('No row.')
  return { ...row, amountMinor: minorFromDecimal('1') as MinorUnits }
}

function lastRow() {
  return { ...firstRow(), amountMinor: 0 as MinorUnits, balanceMinor: given.closingMinor }
}

test.for(['\r\n', 'a\r\n', '"";""\r\n', ';;;;;;;;\r\n'])(
  'a file of many short lines such as %j is refused before its lines are parsed',
  (line) => {
    expect(linesOf(line.repeat(1000))).toEqual([])
  },
)

test('a file with a line of more fields than a row has is refused before the fields are parsed', () => {
  expect(linesOf(`${';'.repeat(1000)}\r\n`)).toHaveLength(0)
})

test('a statement with many rows of minimum length is read', () => {
  const row = { ...firstRow(), description: '', category: '', kind: 'expense', amountMinor: 1 as MinorUnits }
  const rows = Array.from({ length: 2000 }, (_, index) => ({
    ...row,
    seq: index,
    balanceMinor: 0 as MinorUnits,
  }))
  const long = { ...given, rows }

  expect(readStatementCsv(statementCsv(long))).toEqual(long)
})
