import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTree, root, type SourceFile } from './tree.ts'

const files = readTree()
const documents = files.filter((file) => file.path.endsWith('.md'))

describe('decision records', () => {
  const folder = 'docs/decisions/'
  const records = documents.filter(
    (file) => file.path.startsWith(folder) && !file.path.endsWith('/README.md'),
  )

  test('are called by a number of their own and their title', () => {
    const names = records.map((record) => record.path.slice(folder.length))

    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name))).toEqual([])
    const numbers = names.map((name) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
  })

  test.each(records)('$path says what, and why', ({ path: file, text }) => {
    expect(text).toMatch(new RegExp(`^# ${path.basename(file).slice(0, 4)}: \\S`))
    expect(text).toMatch(/^\*\*Decision\.\*\* /m)
    expect(text).toMatch(/^\*\*Why\.\*\* /m)
  })

  test('stand in the index, each with its title, and nothing else does', () => {
    const index = textOf(`${folder}README.md`)
    const listed = [...index.matchAll(/^- \[(.+)\]\((\d{4}-\S+\.md)\)/gm)].map(
      ([, title, file]) => `${file}: ${title}`,
    )

    expect(listed).toEqual(
      records.map(({ path: file, text }) => `${path.basename(file)}: ${/^# (.+)$/m.exec(text)?.[1]}`),
    )
  })
})

test('every relative link in a document leads to a file', () => {
  const links = documents.flatMap((document) => linksOf(document))

  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(({ target }) => !existsSync(path.join(root, target)))).toEqual([])
})

test('CHANGELOG.md begins with the version that every package of ours has', () => {
  const versions = ['package.json', 'contract/package.json', 'server/package.json', 'web/package.json'].map(
    (file) => (JSON.parse(textOf(file)) as { version: string }).version,
  )

  expect(new Set(versions).size).toBe(1)
  expect(/^## \[?(\d+\.\d+\.\d+)/m.exec(textOf('CHANGELOG.md'))?.[1]).toBe(versions[0])
})

/** The text of a document; fails the test that reads it when there is none. */
function textOf(file: string): string {
  const found = files.find((candidate) => candidate.path === file)
  expect(found, `${file} must exist`).toBeDefined()
  return found?.text ?? ''
}

/** Where the links of a document lead, from the root; addresses and links within the page are left out. */
function linksOf({ path: file, text }: SourceFile): Array<{ file: string; target: string }> {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .map((link) => ({ file, target: path.posix.join(path.posix.dirname(file), decodeURI(link)) }))
}
