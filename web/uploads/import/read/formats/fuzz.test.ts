import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFile } from '#uploads/import/read/read-file.ts'
import { days, linesOf } from '#uploads/import/testing/read-lines.ts'
import { sheetRow, workbook } from '#testing/workbook.ts'

// The nightly run reads 100,000 files.
const filesCount = Number(process.env['FUZZ_FILES'] ?? 300)
/** Maximum processor time for which a damaged file may be read. Only the nightly run, which runs alone, checks it. */
const readMsMax = 2000

const folders = ['fixtures', 'fixtures/cases'].map((name) => `web/uploads/import/${name}`)
const rows = [
  ['Fecha', 'Descripción', 'Valor'],
  ['46329:1', 'Panadería', '-12.5'],
  ['46330:1', 'Bus', '-2'],
]
const sheet = rows.map((cells, index) => sheetRow(index + 1, cells)).join('')
const texts = [
  '{1:F01BANK}{2:O940}{4:\n:20:A\n:25:1\n:28C:1\n:60F:C261101USD1500,00\n:61:2611021102D42,50NTRFNONREF//R1\n:86:166?00PAGO?20EREF+1?21SVWZ+PAN?32TIENDA\n:62F:C261104USD1,00\n-}',
  `${'110081000101234567892611012611302'.padEnd(47, '0')}978\n${'22    10002611032611031200010000000000125000000000'.padEnd(80)}\n2301PANADERIA\n`,
  '<html><table><tr><td rowspan=2>03/11/2026<td colspan=2>Pan<td>-1,00<tr><td>Bus<td>-2,00</table></html>',
  '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A"><Table><Row ss:Index="2"><Cell ss:Index="3" ss:MergeAcross="2"><Data ss:Type="Number">-1.5</Data></Cell></Row></Table></Worksheet></Workbook>',
]
const files: readonly Uint8Array[] = [
  ...folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
      each.isFile() ? [new Uint8Array(readFileSync(`${folder}/${each.name}`))] : [],
    ),
  ),
  ...texts.map((text) => new TextEncoder().encode(text)),
  workbook({ formats: ['dd/mm/yyyy'], sheets: [{ name: 'A', rows: sheet }] }),
]

const mutation = fc.record({
  kind: fc.constantFrom('change', 'remove', 'repeat', 'insert', 'cut', 'splice'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 200 }),
  byte: fc.integer({ min: 0, max: 255 }),
  other: fc.nat({ max: files.length - 1 }),
  text: fc.constantFrom(
    '"',
    '\\"',
    '<',
    '>',
    '&',
    '&#99999999;',
    '<!--',
    ']]>',
    '<![CDATA[',
    ';',
    ',',
    '\n',
    '\0',
    '=',
    '^',
    '!Type:',
    ':61:',
    '9'.repeat(40),
    '?20',
    'ss:Index="999999"',
    'r="XFD1"',
    '<table><tr><td>',
  ),
})
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

function mutated(bytes: Uint8Array, { kind, at, length, byte, other, text }: Mutation): Uint8Array {
  const from = Math.floor(at * bytes.length)
  const [before, behind] = [bytes.subarray(0, from), bytes.subarray(from)]
  const end = Math.min(length, behind.length)
  const rest = {
    change: () => [new Uint8Array([byte]), behind.subarray(1)],
    remove: () => [behind.subarray(end)],
    repeat: () => [...Array.from({ length: byte }, () => behind.subarray(0, end)), behind],
    insert: () => [new TextEncoder().encode(text.repeat(1 + byte)), behind],
    cut: () => [],
    splice: () => [(files[other] ?? bytes).subarray(from)],
  }
  return Buffer.concat([before, ...rest[kind]()])
}

test('a damaged file of any format is read or refused', async () => {
  let slowest = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      async (file, mutations) => {
        const begin = process.cpuUsage()
        const read = await readFile(mutations.reduce(mutated, file), { currency: 'COP', last: days.last })
        if (read.ok) {
          const { expenses } = linesOf(read.mapping, { currency: 'COP' })
          expect(
            expenses.every(({ amountMinor }) => Number.isSafeInteger(amountMinor) && amountMinor > 0),
          ).toBe(true)
        }
        const { user, system } = process.cpuUsage(begin)
        slowest = Math.max(slowest, (user + system) / 1000)
      },
    ),
    { numRuns: filesCount, ...(process.env['FUZZ_FILES'] === undefined && { seed: 43 }) },
  )

  if (process.env['FUZZ_FILES'] !== undefined) expect(slowest).toBeLessThanOrEqual(readMsMax)
})
