/** A migration must not refer to an object that a later migration creates, not even inside a function body. */
import { expect, test } from 'vitest'
import { readTree } from './tree.ts'

const migrations = readTree().filter(({ path }) =>
  /^(?:server\/database\/platform|supabase\/migrations)\/[^/]*\.sql$/.test(path),
)
const ordered = migrations.toSorted((one, other) => (one.path < other.path ? -1 : 1))

const schemas = ['public', 'private', 'ledger', 'auth', 'realtime', 'rest']
const objectName = String.raw`(?:${schemas.join('|')})\.[a-z_]+`

test('a migration cannot refer to an object that a later migration creates', () => {
  const maker = new Map<string, number>()
  for (const [place, { text }] of ordered.entries())
    for (const name of madeIn(text)) if (!maker.has(name)) maker.set(name, place)

  const early = ordered.flatMap(({ path, text }, place) =>
    [...namedIn(text)]
      .filter((name) => (maker.get(name) ?? 0) > place)
      .map((name) => `${path} names ${name}, which ${ordered[maker.get(name) ?? 0]?.path} makes`),
  )

  expect(maker.size).toBeGreaterThan(200)
  expect(early).toEqual([])
})

function madeIn(text: string): Set<string> {
  const make = new RegExp(`^create (?:table|view|type|function) (${objectName})`, 'gm')
  return new Set([...text.matchAll(make)].map(([, name = '']) => name))
}

/**
 * Returns the names of the objects to which the code refers. Ignores comments, because these may refer to later
 * objects.
 */
function namedIn(text: string): Set<string> {
  const code = text.replaceAll(/--.*$/gm, '').replaceAll(/^comment on [^;]*? is\s+'(?:[^']|'')*';/gm, '')
  return new Set(code.match(new RegExp(`\\b${objectName}\\b`, 'g')))
}
