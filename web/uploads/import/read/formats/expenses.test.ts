import { expect, test } from 'vitest'
import { readLines, summaryOf } from '#uploads/import/testing/read-lines.ts'
import { sheetRow, workbook } from '#testing/workbook.ts'

const read = async (file: Uint8Array | string, currency: string) =>
  summaryOf(await readLines(file, { currency }))

const record = (text: string) => text.padEnd(80)
const files: readonly (readonly [name: string, file: Uint8Array | string, currency: string])[] = [
  [
    'an Excel workbook',
    workbook({
      formats: ['dd/mm/yyyy', '#,##0.00'],
      sheets: [
        {
          name: 'Movimientos',
          rows: [
            ['Banco de prueba'],
            ['Fecha', 'Descripción', 'Valor', 'Saldo'],
            ['46329:1', 'Panadería', '-12500.5:2', '987499.5:2'],
            ['46330:1', 'Nómina', '2500000:2', '3487499.5:2'],
            ['46331:1', 'Bus', '-2950:2', '3484549.5:2'],
          ]
            .map((cells, index) => sheetRow(index + 1, cells))
            .join(''),
        },
      ],
    }),
    'COP',
  ],
  [
    'an HTML table named .xls',
    '<html><body><table><tr><td>Fecha<td>Descripci&oacute;n<td>Valor<td>Saldo<tr><td>2026-11-03<td>Panader&iacute;a<td>-12.500,50<td>987.499,50<tr><td>2026-11-04<td>N&oacute;mina<td>2.500.000,00<td>3.487.499,50<tr><td>2026-11-05<td>Bus<td>-2.950,00<td>3.484.549,50</table>',
    'COP',
  ],
  [
    'an MT940 file',
    ':20:A\n:25:1\n:28C:1\n:60F:C261101COP1000000,00\n:61:2611031103D12500,50NTRF\n:86:Panadería\n:61:2611041104C2500000,NTRF\n:86:Nómina\n:61:2611051105D2950,NTRF\n:86:Bus\n:62F:C261105COP3484549,50\n-}\n',
    'COP',
  ],
  [
    'a Norma 43 file',
    [
      record(`110081000101234567892611012611302${'100000000'.padStart(14, '0')}1703PRUEBA`),
      record(`22    1000261103261103120001${'1250050'.padStart(14, '0')}`),
      record('2301Panadería'),
      record(`22    1000261104261104120002${'250000000'.padStart(14, '0')}`),
      record('2301Nómina'),
      record(`22    1000261105261105120001${'295000'.padStart(14, '0')}`),
      record('2301Bus'),
    ].join('\n'),
    'COP',
  ],
  [
    'a camt.054 file',
    `<Document><BkToCstmrDbtCdtNtfctn><Ntfctn>${[
      ['12500.50', 'DBIT', '03', 'Panadería'],
      ['2500000', 'CRDT', '04', 'Nómina'],
      ['2950', 'DBIT', '05', 'Bus'],
    ]
      .map(
        ([amount, side, day, text]) =>
          `<Ntry><Amt Ccy="COP">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-${day}</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`,
      )
      .join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`,
    'COP',
  ],
]

test.for(files)(
  'the expenses and the income of %s are read without a question',
  async ([, file, currency]) => {
    const { expenses, incomes, broken, questions } = await read(file, currency)
    const withoutLine = (text: string) => text.replace(/^\d+ /, '')

    expect(expenses.map(withoutLine)).toEqual(['2026-11-03 12500.50 Panadería', '2026-11-05 2950.00 Bus'])
    expect(incomes.map(withoutLine)).toEqual(['2026-11-04 2500000.00 Nómina'])
    expect({ broken, questions }).toEqual({ broken: [], questions: [] })
  },
)

test('a statement whose rows do not agree with its balance waits for a decision', async () => {
  const { expenses, broken } = await read(
    ':20:A\n:25:1\n:28C:1\n:60F:C261101COP1000,00\n:61:2611031103D100,00NTRF\n:86:Bus\n:62F:C261103COP800,00\n-}\n',
    'COP',
  )

  expect(expenses).toEqual(['5 2026-11-03 100.00 Bus'])
  expect(broken).toEqual(['7 unequal'])
})

test('only the booked entries of camt are offered, and a time counts in Bogotá', async () => {
  const entry = (status: string, day: string) =>
    `<Ntry><Amt Ccy="COP">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>${status}</Sts><BookgDt>${day}</BookgDt></Ntry>\n`
  const day = '<DtTm>2026-11-01T04:30:00Z</DtTm>'
  const { expenses, skipped } = await read(
    `<Document><BkToCstmrStmt><Stmt>\n${entry('<Cd>BOOK</Cd>', day)}${entry('<Prtry>PENDING</Prtry>', day)}${entry('<Cd>XYZ1</Cd>', day)}</Stmt></BkToCstmrStmt></Document>`,
    'COP',
  )

  expect(expenses).toEqual(['2 2026-10-31 5.00 Movimiento sin descripción'])
  expect(skipped).toEqual(['3 pending', '4 unknown'])
})

test('the types of OFX decide about amounts without a sign, and only a transfer is asked about', async () => {
  const file = (types: readonly string[]) =>
    `OFXHEADER:100\n<OFX><STMTRS><CURDEF>COP<BANKTRANLIST>\n${types.map((type, id) => `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20261102<TRNAMT>${id + 1}.00<FITID>${id}<NAME>${type}</STMTTRN>`).join('\n')}</BANKTRANLIST></STMTRS></OFX>`

  expect(await read(file(['DEBIT', 'INT', 'DIV', 'SRVCHG']), 'COP')).toMatchObject({
    expenses: ['3 2026-11-02 1.00 DEBIT', '6 2026-11-02 4.00 SRVCHG'],
    incomes: ['4 2026-11-02 2.00 INT', '5 2026-11-02 3.00 DIV'],
    questions: [],
  })
  expect((await read(file(['DEBIT', 'CREDIT', 'XFER']), 'COP')).questions).toEqual(['direction'])
})
