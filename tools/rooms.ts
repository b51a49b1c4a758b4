// Counts the folders of the page and the server and the imports between them: `npm run rooms`. A room is a folder
// directly in `web` or `server`, or the files of `web` or `server` itself. An arrow is a pair of rooms of which one
// imports the other. Tests and folders named `testing` do not count.
import path from 'node:path'
import { parseFile, targetOf } from './source-file.ts'
import { readTree } from './tree.ts'

const isCounted = (file: string) =>
  /\.[cm]?[jt]sx?$/.test(file) && !/\.test\.tsx?$|(?:^|\/)testing\//.test(file)
const roomOf = (file: string) => path.posix.dirname(file).split('/').slice(0, 2).join('/')

const tree = readTree()
for (const workspace of ['web', 'server']) {
  const isInside = (file: string) => file.startsWith(`${workspace}/`) && isCounted(file)
  const files = tree.filter((file) => isInside(file.path)).map(parseFile)
  const arrows = files.flatMap((file) =>
    file.imports.flatMap(({ value }) => {
      const target = targetOf(file.path, value)
      if (target.kind !== 'file' || !isInside(target.path)) return []
      const [from, to] = [roomOf(file.path), roomOf(target.path)]
      return from === to ? [] : [`${from} → ${to}`]
    }),
  )
  const rooms = new Set(files.map((file) => roomOf(file.path)))
  console.log(`${workspace}: ${files.length} files, ${rooms.size} rooms, ${new Set(arrows).size} arrows`)
}
