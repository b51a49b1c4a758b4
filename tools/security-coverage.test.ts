/**
 * docs/security.md has every promise, each with tests that are there, with a run of the soak, or with what is open about
 * it. Seen red with a renamed test, a promise taken out, one without a test, and a suite of the soak that there is not.
 */
import { expect, test } from 'vitest'
import { isThere, linesOf, namedTest, rowsOf } from './coverage-page.ts'
import { readTree } from './tree.ts'

/** How many promises each group has. */
const promises = {
  AN: 15,
  SE: 10,
  AZ: 12,
  AD: 9,
  IN: 9,
  MO: 10,
  CR: 9,
  RT: 6,
  HD: 8,
  LO: 6,
  DO: 6,
  BK: 6,
  SC: 7,
  PR: 5,
}

const files = new Map(readTree().map((file) => [file.path, file.text]))
const textOf = (path: string) => files.get(path) ?? ''
const rows = rowsOf(textOf('docs/security.md'))
const proofs = rows.flatMap(([id = '', , tests = '']) => linesOf(tests).map((text) => ({ id, text })))

test('every promise stands there once, in its order, with what it is and its figure', () => {
  const ids = Object.entries(promises).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`),
  )

  expect(rows.map(([id]) => id)).toEqual(ids)
  expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([])
})

test('every promise has a test, a long run, or says what is open', () => {
  const namesIn = (document: string) =>
    [...textOf(document).matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name)
  const runs = { nightly: namesIn('docs/reliability.md'), bench: namesIn('docs/performance.md') }
  const isProof = (text: string): boolean => {
    const { program, name } =
      /^`npm run (?<program>nightly|bench) -- (?<name>[a-z-]+)`$/.exec(text)?.groups ?? {}
    const isRun =
      program !== undefined && runs[program === 'nightly' ? 'nightly' : 'bench'].includes(name ?? '')
    return namedTest(text) !== null || text.startsWith('**Open**: ') || isRun
  }

  expect(proofs.filter(({ text }) => !isProof(text))).toEqual([])
})

test('every test that is named exists', () => {
  const missing = proofs.filter(({ text }) => {
    const named = namedTest(text)
    return named !== null && !isThere(named, textOf)
  })

  expect(missing).toEqual([])
})
