/**
 * docs/logging.md lists every line of the log, with its level, and no other. Seen red with a line in the page that there is not.
 */
import { expect, test } from 'vitest'
import { rowsOf } from './coverage-page.ts'
import { readTree } from './tree.ts'

const tree = readTree()
const textOf = (path: string) => tree.find((file) => file.path === path)?.text ?? ''
const server = tree.filter(({ path }) => /^server\/.*(?<!\.test)\.ts$/.test(path))
const list = 'server/http/events.ts'

/** The rows of the table under a heading of the page. */
function tableOf(heading: string): string[][] {
  const [, section = ''] = textOf('docs/logging.md').split(`## ${heading}\n`)
  return rowsOf(section.split('\n## ')[0] ?? '')
}

const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

test('the page has each line of the list with its level, in its order', () => {
  const levels = { info: 'news', warn: 'warning', error: 'error' }
  const listed = [...textOf(list).matchAll(/^ {2}'([^'\n]+)': '(info|warn|error)',$/gm)].map(
    ([, msg, level]) => [msg, levels[level as keyof typeof levels]],
  )

  expect(listed.length).toBeGreaterThanOrEqual(30)
  expect(tableOf('Lines of the log').map(([msg, level]) => [...words(msg), level])).toEqual(listed)
})

test('the page has each trace of a mistake', () => {
  const written = server.flatMap(({ text }) =>
    [...text.matchAll(/\blog\.error\([^'()]*'([^']+)'/g)].map(([, msg]) => msg),
  )

  expect(new Set(tableOf('Traces of mistakes').flatMap(([msg]) => words(msg)))).toEqual(new Set(written))
})

test('no news and no warning is written past the list', () => {
  const past = server.filter(({ path, text }) => path !== list && /\blog\.(?:info|warn|fatal)\(/.test(text))

  expect(past.map(({ path }) => path)).toEqual([])
})
