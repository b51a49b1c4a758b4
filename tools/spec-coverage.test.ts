/**
 * Every row of docs/spec-coverage.md names tests, and every test that it names is there. Seen red with a renamed
 * test, with a row whose second cell was empty, and with a section taken out.
 */
import { expect, test } from 'vitest'
import { isThere, linesOf, namedTest, rowsOf } from './coverage-page.ts'
import { readTree } from './tree.ts'

const files = new Map(readTree().map((file) => [file.path, file.text]))
const page = files.get('docs/spec-coverage.md') ?? ''
const rows = rowsOf(page)

const references = rows.flatMap(([sentence = '', tests = '']) =>
  linesOf(tests).map((text) => ({ sentence, text, named: namedTest(text) })),
)

test('the page covers the sections that have something to prove', () => {
  const sections = [...page.matchAll(/^## §(\d)/gm)].map(([, section]) => section)

  expect([...new Set(sections)]).toEqual(['2', '3', '4', '5', '6', '8', '9'])
  expect(rows.length).toBeGreaterThan(120)
})

test('no sentence is without a test', () => {
  expect(rows.filter((cells) => cells.length !== 3).map(([sentence]) => sentence)).toEqual([])
  expect(references.filter(({ named }) => named === null)).toEqual([])
})

test('every test that is named exists', () => {
  const textOf = (path: string) => files.get(path) ?? ''

  expect(references.filter(({ named }) => named !== null && !isThere(named, textOf))).toEqual([])
})
