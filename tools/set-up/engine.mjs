// The embedded engine's empty database, which every new bank is copied from: making one takes seconds.
import path from 'node:path'
import { isMadeOf, root, run, stampAs } from './run.mjs'

const stamp = path.join(root, '.cache/engine/.made-from')
const lockfile = ['package-lock.json']

/** Makes it once for the packages that are installed. Without it a server's first start makes its own. */
export function prepareEngine() {
  if (process.env['DATABASE_URL'] || isMadeOf(stamp, lockfile)) return
  if (run('preparing the embedded database', 'node', ['server/database/pglite/make-template.ts']))
    stampAs(stamp, lockfile)
}
