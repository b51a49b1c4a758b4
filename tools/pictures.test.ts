import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const folder = path.join(root, 'docs/pictures')
const { version, files } = JSON.parse(readFileSync(path.join(folder, 'pictures.json'), 'utf8')) as {
  version: string
  files: string[]
}

/** Maximum size of a picture. */
const bytesMax = 100_000

test('the pictures of the README show the release of package.json', () => {
  const release = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }

  expect(version, 'draw them again with npm run pictures').toBe(release.version)
})

test('the README shows each picture that npm run pictures draws, and no other picture', () => {
  const shown = [
    ...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/\]\(docs\/pictures\/([^)]+)\)/g),
  ]

  expect(shown.map(([, file = '']) => file).toSorted()).toEqual(files.toSorted())
  expect(readdirSync(folder).toSorted()).toEqual([...files, 'pictures.json'].toSorted())
})

test('a picture of the README has at most 100 kB', () => {
  for (const file of files) expect(statSync(path.join(folder, file)).size, file).toBeLessThanOrEqual(bytesMax)
})
