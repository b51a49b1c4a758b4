import { expect, test } from 'vitest'
import { sheetRow, workbook } from '#testing/workbook.ts'
import { contentOf } from '#uploads/content.ts'
import { readRows } from '#uploads/read-rows.ts'
import { days } from '#uploads/import/testing/read-lines.ts'
import { openFile } from '#uploads/import/read/readers.ts'

async function read(file: string | Uint8Array) {
  const answer = await readRows(await openFile(contentOf(file), days.last))
  if (typeof answer === 'number') throw new Error('The file is too long.')
  const { format, rows, dayOrder, skipped = [], unequal = [] } = answer
  return { format, rows: rows.map(({ line, fields }) => [line, ...fields]), dayOrder, skipped, unequal }
}
const rowsOf = async (file: string) => (await read(file)).rows

const mt940 = (...lines: string[]) =>
  [
    '{1:F01BANKDEFFXXXX}{2:O9401200261101}{4:',
    ':20:START',
    ':25:1/2',
    ':28C:1',
    ':60F:C251230EUR1500,00',
    ...lines,
    ':62F:C260102EUR1,00',
    ':86:Fin de mes',
    '-}',
  ].join('\r\n')

test('the marks of MT940 state the direction, and a reversal turns it round', async () => {
  const rows = await rowsOf(
    mt940(
      ':61:2511041104D42,50NTRFNONREF//REF1',
      ':86:Panadería',
      ':61:251104CR1200,NTRFNOM1',
      ':86:Nómina',
      ':61:2511041104RD9,NCHGNONREF',
      ':86:Cuota devuelta',
      ':61:2511041104RCR7,05S103X//0',
      ':86:Abono anulado',
      ':61:2511041104DD,50FMSC',
      ':61:basura',
    ),
  )

  expect(rows).toEqual([
    [6, '2025-11-04', 'Panadería', '42,50', 'D', 'EUR', 'REF1'],
    [8, '2025-11-04', 'Nómina', '1200,', 'C', 'EUR', 'NOM1'],
    [10, '2025-11-04', 'Cuota devuelta', '9,', 'C', 'EUR', ''],
    [12, '2025-11-04', 'Abono anulado', '7,05', 'D', 'EUR', 'X'],
    [14, '2025-11-04', '', ',50', 'D', 'EUR', ''],
    [15, '', 'basura', '', '', 'EUR', ''],
  ])
})

test('the entry day of MT940 may lie in the year before or after the value day', async () => {
  const rows = await rowsOf(mt940(':61:2601021231D1,00NTRF', ':86:A', ':61:2512310102D1,00NTRF', ':86:B'))

  expect(rows.map(([, day]) => day)).toEqual(['2025-12-31', '2026-01-02'])
})

test.for([
  [
    'German subfields',
    [
      '177?00ÜBERWEISUNG?109310?20EREF+NOTPROVIDED?21SVWZ+Miete Novem',
      'ber?22 2026?30BANKDEFF?31DE12?32HAUSVERWALTUNG?33 MÜLLER',
    ],
    'HAUSVERWALTUNG MÜLLER · Miete November 2026',
  ],
  ['a kind of booking only', ['835?00ABSCHLUSS?109310'], 'ABSCHLUSS'],
  ['Polish subfields', ['020<00Przelew<20Czynsz listopad<32SPOLDZIELNIA'], 'SPOLDZIELNIA · Czynsz listopad'],
  [
    'Dutch codes',
    ['/TRTP/SEPA OVERBOEKING/IBAN/NL12/BIC/ABNANL2A/NAME/J. Jansen/RE', 'MI/Huur/EREF/NOTPROVIDED'],
    'J. Jansen · Huur',
  ],
  ['a Dutch counterparty', ['/EREF/1//CNTP/NL12/INGBNL2A/Bakker///REMI/USTD//Brood/'], 'Bakker · Brood'],
  ['plain lines', ['COMPRA EN', 'PANADERIA'], 'COMPRA EN PANADERIA'],
] as const)('the information of MT940 in %s is read as payee and purpose', async ([, lines, description]) => {
  const [row] = await rowsOf(mt940(':61:2511041104D1,00NTRF', `:86:${lines[0]}`, ...lines.slice(1)))

  expect(row?.[2]).toBe(description)
})

const record = (...parts: (readonly [text: string, length: number])[]) =>
  parts
    .map(([text, length]) => text.padEnd(length))
    .join('')
    .padEnd(80)
const header = (dates = '261101261130', currency = '978') =>
  record(
    ['1100810001', 10],
    ['0123456789', 10],
    [dates, 12],
    ['2', 1],
    ['00000000150000', 14],
    [currency, 3],
    ['3EMPRESA', 27],
  )
const movement = (day: string, side: 1 | 2, amount: string, references = '0000000000000000000000') =>
  record(
    ['22', 6],
    ['1000', 4],
    [day, 6],
    [day, 6],
    ['12000', 5],
    [String(side), 1],
    [amount.padStart(14, '0'), 14],
    [references, 38],
  )

test('the side and the texts and the currency and the day of a Norma 43 movement are read', async () => {
  const file = [
    header(),
    movement('261103', 1, '1250', '0000000045REF123456789'),
    `2301${'PANADERIA LA ESPIGA'.padEnd(38)}BOGOTA`,
    record(['2401840', 7], ['00000000001400', 14]),
    movement('261104', 2, '250000'),
    record(['3300810001', 10], ['0123456789', 10], ['00001', 5]),
    header('261101261130', '840'),
    movement('261105', 1, '5'),
    `88${'9'.repeat(18)}000007`,
  ].join('\r\n')

  expect(await read(file)).toMatchObject({
    format: 'Norma 43',
    rows: [
      [2, '2026-11-03', 'PANADERIA LA ESPIGA BOGOTA', '12.50', 'D', 'EUR', '0000000045 REF123456789'],
      [5, '2026-11-04', 'Tarjeta de crédito o débito', '2500.00', 'H', 'EUR', ''],
      [8, '2026-11-05', 'Tarjeta de crédito o débito', '0.05', 'D', 'USD', ''],
    ],
  })
})

test('a Norma 43 file may lack line ends, and its days come first only if they cannot be read otherwise', async () => {
  expect((await rowsOf(header() + movement('261103', 1, '1250'))).map(([, day]) => day)).toEqual([
    '2026-11-03',
  ])
  expect(
    (
      await rowsOf(
        [header('011126301126'), movement('031126', 1, '1'), movement('301126', 1, '1')].join('\n'),
      )
    ).map(([, day]) => day),
  ).toEqual(['2026-11-03', '2026-11-30'])
  // Only the movements show that the period does not lie in 2021.
  expect(
    (await rowsOf([header('210126211026'), movement('160226', 1, '1')].join('\n'))).map(([, day]) => day),
  ).toEqual(['2026-02-16'])
  expect(
    (await rowsOf([header('251101251130'), movement('251126', 1, '1')].join('\n'))).map(([, day]) => day),
  ).toEqual(['2025-11-26'])
})

test.for([
  ['the day first', '031126', '2026-11-03'],
  ['the year first', '261103', '2026-11-03'],
  ['the year first if both are possible', '241126', '2024-11-26'],
] as const)('a Norma 43 file of a single day is read with %s', async ([, written, day]) => {
  const file = [header(`${written}${written}`), movement(written, 1, '1')].join('\n')

  expect((await rowsOf(file)).map(([, each]) => each)).toEqual([day])
})

const camt = (root: string, ...entries: string[]) =>
  `<?xml version="1.0"?><Document><${root}><Stmt>${entries.join('')}</Stmt></${root}></Document>`
const entry = (amount: string, details: string, status = 'BOOK') =>
  `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-16</Dt></BookgDt><AcctSvcrRef>L-9</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`
const detail = (name: string, amount: string, texts: readonly string[], more = '') =>
  `<TxDtls><Refs><EndToEndId>E-${name}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="USD">${amount}</Amt></TxAmt></AmtDtls>${more}<RltdPties><Cdtr><Nm>${name}</Nm></Cdtr></RltdPties><RmtInf>${texts.map((text) => `<Ustrd>${text}</Ustrd>`).join('')}</RmtInf></TxDtls>`

test('an entry of camt with a batch has a row for each detail if their sum is the entry', async () => {
  const batch = entry(
    '215.40',
    detail('Colegio', '145.40', ['Pensión', 'noviembre']) + detail('Gimnasio', '70.00', []),
  )

  expect(await rowsOf(camt('BkToCstmrStmt', batch))).toEqual([
    [1, '2026-11-16', 'Colegio · Pensión noviembre', '145.40', 'DBIT', 'USD', 'E-Colegio', 'BOOK'],
    [1, '2026-11-16', 'Gimnasio', '70.00', 'DBIT', 'USD', 'E-Gimnasio', 'BOOK'],
  ])
})

test('a batch of camt whose details have another sum is one row without the name of one payee', async () => {
  const other = entry('215.40', detail('Colegio', '145.40', []) + detail('Gimnasio', '71.00', []))
  const unlisted = entry('215.40', `<Btch><NbOfTxs>3</NbOfTxs></Btch>${detail('Colegio', '145.40', [])}`)

  expect((await rowsOf(camt('BkToCstmrStmt', other, unlisted))).map((fields) => fields.slice(2, 4))).toEqual([
    ['Lote de 2 movimientos', '215.40'],
    ['Lote de 3 movimientos', '215.40'],
  ])
})

test.for([
  ['camt.052', 'BkToCstmrAcctRpt'],
  ['camt.053', 'BkToCstmrStmt'],
  ['camt.054', 'BkToCstmrDbtCdtNtfctn'],
] as const)('the status of the entries of %s is read', async ([format, root]) => {
  const answer = await read(camt(root, entry('8.00', detail('Bus', '8.00', []), '<Cd>PDNG</Cd>')))

  expect(answer.format).toBe(format)
  expect(answer.rows[0]?.at(-1)).toBe('PDNG')
})

test.for([
  ['<Sts><Prtry>Pendiente</Prtry></Sts>', 'Pendiente'],
  ['<Sts><Cd>XYZ1</Cd></Sts>', 'XYZ1'],
  ['<Sts>INFO</Sts>', 'INFO'],
] as const)('the status %s of a camt entry is read', async ([status, text]) => {
  const file = camt('BkToCstmrStmt', entry('8.00', '').replace('<Sts>BOOK</Sts>', status))

  expect((await rowsOf(file))[0]?.at(-1)).toBe(text)
})

test('a camt time keeps its zone and a camt day does not need one', async () => {
  const at = (day: string) =>
    entry('8.00', '').replace('<Dt>2026-11-16</Dt>', day).replace('AcctSvcrRef', 'Other')
  const file = camt('BkToCstmrStmt', at('<DtTm>2026-11-01T04:30:00Z</DtTm>'), at('<Dt>2026-11-01+01:00</Dt>'))

  expect((await rowsOf(file)).map(([, day]) => day)).toEqual(['2026-11-01T04:30:00Z', '2026-11-01'])
})

const balance = (code: string, amount: string, side = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>\n`

test('the balances of a camt statement must agree with its booked entries', async () => {
  const entries = [entry('8.00', ''), entry('5.00', '', 'PDNG')]
  const statement = (closing: string, side?: string) =>
    camt('BkToCstmrStmt', balance('OPBD', '3.000'), balance('CLBD', closing, side), ...entries)

  expect((await read(statement('5.00', 'DBIT'))).unequal).toEqual([])
  expect((await read(statement('5.00'))).unequal).toEqual([{ line: 2, fields: ['CLBD', '5.00'] }])
})

test('the balances of an MT940 message must agree with its movements', async () => {
  const message = (closing: string) =>
    mt940(':61:2511041104D42,50NTRF', ':61:2511041104CR1200,NTRF').replace('C260102EUR1,00', closing)

  expect((await read(message('C260102EUR2657,50'))).unequal).toEqual([])
  expect((await read(message('C260102EUR2657,51'))).unequal).toEqual([
    { line: 8, fields: [':62F:C260102EUR2657,51'] },
  ])
})

test('the totals and the number of records of a Norma 43 file must agree with its movements', async () => {
  const end = (debits: string, credits: string) =>
    `33008100010123456789${debits}${credits}200000000000000978`.padEnd(80)
  const file = (total: string, records: string) =>
    [
      header(),
      movement('261103', 1, '1250'),
      movement('261104', 2, '250000'),
      end(`00001${'1250'.padStart(14, '0')}`, total),
      `88${'9'.repeat(18)}${records}`.padEnd(80),
    ].join('\n')
  const credits = (count: string, sum: string) => `${count}${sum.padStart(14, '0')}`

  expect((await read(file(credits('00001', '250000'), '000004'))).unequal).toEqual([])
  expect((await read(file(credits('00002', '250000'), '000004'))).unequal).toMatchObject([{ line: 4 }])
  expect((await read(file(credits('00001', '250001'), '000009'))).unequal).toMatchObject([
    { line: 4 },
    { line: 5 },
  ])
})

const ofx = (inner: string) => `OFXHEADER:100\n<OFX>${inner}</OFX>`
const ofxTransaction = (type: string, amount: string, id: string, more = '') =>
  `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20261102<TRNAMT>${amount}<FITID>${id}${more}<NAME>A</STMTTRN>\n`

test('the transaction types of OFX state a direction that depends on the kind of account', async () => {
  const types = ['INT', 'DIV', 'DIRECTDEBIT', 'PAYMENT', 'XFER', 'COMPRA']
  const list = types.map((type, id) => ofxTransaction(type, '1.00', String(id))).join('')
  const directions = async (statement: string) =>
    (await rowsOf(ofx(`<${statement}><BANKTRANLIST>${list}</BANKTRANLIST></${statement}>`))).map(
      (fields) => fields[4],
    )

  expect(await directions('STMTRS')).toEqual(['CREDIT', 'CREDIT', 'DEBIT', 'DEBIT', '', 'COMPRA'])
  expect(await directions('CCSTMTRS')).toEqual(['DEBIT', 'CREDIT', 'DEBIT', '', '', 'COMPRA'])
})

test('pending and corrected transactions of OFX have a state', async () => {
  const correction = (id: string, action: string) => `<CORRECTFITID>${id}<CORRECTACTION>${action}`
  const list = [
    ofxTransaction('DEBIT', '-1.00', '1'),
    ofxTransaction('DEBIT', '-2.00', '2', correction('1', 'REPLACE')),
    ofxTransaction('DEBIT', '-3.00', '3'),
    ofxTransaction('DEBIT', '-3.00', '4', correction('3', 'DELETE')),
    ofxTransaction('HOLD', '-4.00', '5'),
    ofxTransaction('DEBIT', '-5.00', '6', correction('6', 'REPLACE')),
    ofxTransaction('DEBIT', '-6.00', '7'),
    ofxTransaction('DEBIT', '-7.00', '8', '<CORRECTFITID>7'),
  ]
  const pending =
    '<BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20261103<TRNAMT>-9<NAME>B</STMTTRNP></BANKTRANLISTP>'
  const rows = await rowsOf(ofx(`<STMTRS><BANKTRANLIST>${list.join('')}</BANKTRANLIST>${pending}</STMTRS>`))

  expect(rows.map((fields) => fields.at(-1))).toEqual([
    'REPLACED',
    '',
    'REVERSED',
    'REVERSED',
    'PENDING',
    '',
    'REPLACED',
    '',
    'PENDING',
  ])
  expect(rows.at(-1)?.slice(1, 4)).toEqual(['20261103', 'B', '-9'])
})

test('a transaction id of another OFX statement is not corrected', async () => {
  const other = `<STMTRS>${ofxTransaction('DEBIT', '-1.00', '1')}</STMTRS>`
  const corrected = `<STMTRS>${ofxTransaction('DEBIT', '-2.00', '2', '<CORRECTFITID>1<CORRECTACTION>DELETE')}</STMTRS>`

  expect((await rowsOf(ofx(other + corrected))).map((fields) => fields.at(-1))).toEqual(['', 'REVERSED'])
})

test('a void record and the opening balance of QIF are not transactions', async () => {
  const { rows, skipped } = await read(
    [
      '!Type:Bank',
      'D11/20/2026',
      'T100.00',
      'POpening Balance',
      '^',
      'D11/21/2026',
      'T-5.00',
      'P**VOID**Bus',
      '^',
      'D11/21/2026',
      'T-5.00',
      'PSaldo inicial',
      '!Type:Cat',
    ].join('\n'),
  )

  expect(rows).toEqual([])
  expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'balance'],
    [6, 'refused'],
    [10, 'balance'],
  ])
})

test('texts of OFX that are escaped twice or not at all keep their signs', async () => {
  const transaction = (name: string, memo: string) =>
    `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261102<TRNAMT>-1.00<FITID>A<NAME>${name}<MEMO>${memo}\n`
  const file = `OFXHEADER:100\n<OFX><CURDEF>USD<BANKTRANLIST>${transaction('PAGO &amp;lt;CUOTA&amp;gt;', 'LUZ &amp;amp; AGUA')}${transaction('COMPRA <1234> CENTRO', 'A < B')}${transaction('PAGO <CUOTA> LUZ', 'AT&T')}</BANKTRANLIST></OFX>`

  expect((await rowsOf(file)).map(([, , description]) => description)).toEqual([
    'PAGO <CUOTA> · LUZ & AGUA',
    'COMPRA <1234> CENTRO · A < B',
    'PAGO <CUOTA> LUZ · AT&T',
  ])
})

test('only the sections of QIF with movements of an account have rows', async () => {
  const file = [
    '!Option:MDY',
    '!Account',
    'NCorriente',
    'DCuenta',
    'TBank',
    '^',
    '!Type:Cat',
    'NComida',
    'D',
    '^',
    '!Type:Memorized',
    'T-75.00',
    'PInternet',
    '^',
    '!Type:Bank',
    'D11/20/2026',
    'U-112.50',
    'T-112.50',
    'PSupermercado',
    'L--Split--',
    'SComida',
    '$-80.00',
    'SAseo',
    '$-32.50',
    '^',
    '!Type:Invst',
    'D11/21/2026',
    'NBuy',
    'T100',
    '^',
    '!Type:Prices',
    '"ACME",62.28," 1/ 2\'26"',
    '^',
    '!Type:Oth L',
    'D11/22/2026',
    'T-3',
    '^',
  ].join('\n')

  expect(await read(file)).toEqual({
    format: 'QIF',
    rows: [
      [16, '11/20/2026', 'Supermercado', '-112.50', ''],
      [35, '11/22/2026', '', '-3', ''],
    ],
    dayOrder: 'month-first',
    skipped: [{ line: 27, reason: 'section', text: '11/21/2026 · Buy · 100' }],
    unequal: [],
  })
})

test('a table is read from a workbook or a page or a text with separators', async () => {
  const book = workbook({ sheets: [{ name: 'A', rows: sheetRow(1, ['Fecha', 'Valor']) }] })

  expect(await read(book)).toMatchObject({ format: 'Excel', rows: [[1, 'Fecha', 'Valor']] })
  expect(await read('<html><table><tr><td>Fecha<td>Valor</table>')).toMatchObject({
    format: 'HTML',
    rows: [[1, 'Fecha', 'Valor']],
  })
  expect(await read('Fecha;Valor\n')).toMatchObject({ format: 'CSV', rows: [[1, 'Fecha', 'Valor']] })
  await expect(read('<?xml version="1.0"?><Document><CstmrCdtTrfInitn/></Document>')).rejects.toMatchObject({
    refusal: { reason: 'format', format: 'xml' },
  })
})

test.for([
  ['camt', '<Document><BkToCstmrStmt>', '<Ntry><Amt Ccy="USD">1.00</Amt></Ntry>'],
  ['OFX', 'OFXHEADER:100\n<OFX><BANKTRANLIST>', '<STMTTRN><TRNAMT>-1.00\n'],
] as const)('the rows of %s are counted without reading all of them', async ([, begin, row]) => {
  const reading = await openFile(contentOf(`${begin}${row.repeat(30_000)}`), days.last)

  await expect(readRows(reading)).rejects.toMatchObject({ refusal: { reason: 'long', rows: 30_000 } })
})
