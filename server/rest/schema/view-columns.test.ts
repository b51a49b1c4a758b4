import { expect, test } from 'vitest'
import { viewColumnsOf } from './view-columns.ts'

const entry = (column: number, table: number, tableColumn: number, inside = '{VAR :varno 1}') =>
  `{TARGETENTRY :expr ${inside} :resno ${column} :resname c :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${tableColumn} :resjunk false}`

test('a column of a view comes from a table unless it is calculated', () => {
  const tree = `({QUERY :commandType 1 :targetList (${entry(1, 16385, 3)} ${entry(2, 0, 0)} ${entry(3, 16390, 1)}) :override 0})`

  expect(viewColumnsOf(tree)).toEqual([
    { column: 1, table: 16385, tableColumn: 3 },
    { column: 3, table: 16390, tableColumn: 1 },
  ])
})

test("target lists of sub-queries, before and inside, are not the view's", () => {
  const inner = `{QUERY :targetList (${entry(1, 99, 9)}) :override 0}`
  const tree = `({QUERY :rtable ({RTE :subquery ${inner}}) :targetList (${entry(1, 16385, 3, `{SUBLINK ${inner}}`)}) :returningList <> })`

  expect(viewColumnsOf(tree)).toEqual([{ column: 1, table: 16385, tableColumn: 3 }])
})

test('braces in names and texts do not count', () => {
  const tree = `({QUERY :targetList ({TARGETENTRY :expr {CONST x\\}\\{y} :resno 1 :resname a\\}\\ :resno\\ 7 :resorigtbl 5 :resorigcol 2}) :x 1})`

  expect(viewColumnsOf(tree)).toEqual([{ column: 1, table: 5, tableColumn: 2 }])
})
