// Cells in the table API's CSV output. Formulas are escaped as in the CSV files of the web page, and cells are
// quoted as in PostgREST.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeFormula } from '@finanzas/contract/format/csv.ts'
import { sql } from '#server/database/database.ts'
import type { TestDatabase } from '#testing/database.ts'
import { openTestDatabase } from './database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function cellOf(text: string): Promise<string> {
  const [row] = await db.owner.query(sql<{ cell: string }>`select rest.csv_cell(${text}) as cell`)
  if (row === undefined) throw new Error('The function answers one row.')
  return row.cell
}

function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

const blanks = [
  '',
  ' ',
  '\t',
  '\n',
  '\v',
  '\u00A0',
  '\u2003',
  '\u2028',
  '\u202F',
  '\u3000',
  '\uFEFF',
  ' \u00A0 ',
]
const begins = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', 'a', "'", 'x=', '\u200B=']

test('the table API escapes the same formulas as the web page', async () => {
  for (const text of blanks.flatMap((blank) => begins.map((begin) => `${blank}${begin}1+1`)))
    expect([text, unquoted(await cellOf(text))]).toEqual([text, escapeFormula(text)])
  expect(escapeFormula(' ＝1+1')).toBe("' ＝1+1")
})

test.each(['-12.5', '+3', '0', '-1000000000000.00'])('the number %s is not escaped', async (number) => {
  expect(await cellOf(number)).toBe(number)
})

test.each(['', 'a b', 'a,b', 'a"b', 'a(b', 'a)b', 'a\nb', 'a\tb', 'a\vb', "'cat' 'fat'", "it's", 'a;b', 'á'])(
  'the cell for the value %j is quoted in the same way as in PostgREST',
  async (text) => {
    const [row] = await db.owner.query(sql<{ line: string }>`select row(${text}::text)::text as line`)

    expect(`(${await cellOf(text)})`).toBe(row?.line)
  },
)

test('a cell with a backslash is quoted as in PostgREST, without doubling the backslash', async () => {
  expect(await cellOf('a\\b')).toBe('"a\\b"')
})

test('null becomes an empty cell without quotes', async () => {
  expect(await db.owner.query(sql`select rest.csv_line(array['a', null, '']) as line`)).toEqual([
    { line: 'a,,""' },
  ])
})
