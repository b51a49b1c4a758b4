/**
 * Every audit action that the database or the server records has a Spanish text on the administrator's page and a
 * row in the documentation.
 */
import { expect, test } from 'vitest'
import { actionsIn } from './audit-actions.ts'
import { readTree } from './tree.ts'

const files = readTree().filter(({ path }) => !path.endsWith('.test.ts'))
const textOf = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path)).map(({ text }) => text)

/** Patterns of code in the server that passes an action to the database, and of rows in the SQL that list actions. */
const namings = [
  /^\s+values \(('[a-z_]+', \$\{[^}]+\}::boolean\), \('[a-z_]+')/gm,
  /\brecord\(([^)]*'[a-z_]+'[^)]*),/g,
  /\baction: ('[a-z]+_[a-z_]+')/g,
]

test('each audit action has a Spanish text and a row in docs/logging.md', () => {
  const sources = textOf(/^supabase\/schemas\/.*\.sql$|^server\/(people|operator)\/.*\.ts$/)
  const [logging = ''] = textOf(/^docs\/logging\.md$/)
  const [copy = ''] = textOf(/^web\/staff\/audit\/copy\.ts$/)
  const [, words = ''] = /\n  actions: \{(.*?)\} as/s.exec(copy) ?? []

  const named = sources.flatMap((text) => [
    ...actionsIn(text),
    ...namings.flatMap((naming) => [...text.matchAll(naming)].flatMap(([, part = '']) => namesIn(part))),
  ])
  const actions = [...new Set(named)].toSorted(byName)

  expect(actions.length).toBeGreaterThanOrEqual(13)
  const [, documented = ''] = /^## Entries of the audit$(.*?)^## /ms.exec(logging) ?? []
  const rows = [...documented.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`([a-z_]+)`/g),
  ])
  const listed = rows.map(([, name = '']) => name).filter((name) => name !== 'action')
  // A single row describes all lists, because private.record_listing records each of them in the same way.
  expect(listed.toSorted(byName)).toEqual(actions.filter((action) => !action.startsWith('list_')))
  expect(documented).toContain('| `list_…` |')
  const worded = [...words.matchAll(/^\s+(\w+): '/gm)].map(([, name = '']) => name)
  expect(worded.toSorted(byName)).toEqual(actions)
})

function byName(one: string, other: string): number {
  return one < other ? -1 : 1
}

function namesIn(part: string): string[] {
  return [...part.matchAll(/'([a-z]+_[a-z_]+)'/g)].map(([, name = '']) => name)
}
