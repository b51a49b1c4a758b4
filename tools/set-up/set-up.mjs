// Runs before the npm scripts, even in a clone where no packages are installed. This program is therefore plain
// JavaScript for Node 20 without dependencies. The program performs the missing steps and prints one line for each of
// them. If no steps are missing, the program prints nothing.
import path from 'node:path'
import { installBrowser } from './browser.mjs'
import {
  installAtLeastServerPackages,
  installHosted,
  installPackages,
  installServerPackages,
} from './packages.mjs'
import { buildPage } from './page.mjs'
import { adviceByCode, SetUpError, isMadeOf, root, run, stampAs } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/**
 * The steps for each purpose, in the order in which they run.
 * @type {Map<string, Array<() => void | Promise<void>>>}
 */
const stepsByPurpose = new Map([
  ['start', [buildPage, installAtLeastServerPackages, checkRuntime, prepareEngine]],
  ['command', [installAtLeastServerPackages, checkRuntime]],
  ['production', [buildPage, installServerPackages, checkRuntime, prepareEngine]],
  ['dev', [installPackages, checkRuntime, prepareEngine]],
  ['check', [installPackages, checkRuntime, installHosted, buildPage, prepareEngine]],
  ['test', [installPackages, checkRuntime, installHosted, buildPage, prepareEngine, installBrowser]],
])

try {
  for (const step of stepsFor(process.argv[2] ?? '')) await step()
} catch (error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
  const advice = error instanceof SetUpError ? message : adviceByCode.get(code)
  if (advice === undefined) throw error
  console.error(`finanzas: ${advice}`)
  process.exitCode = 1
}

/**
 * Creates the template of an empty database for the installed version of the embedded engine. Every new bank is
 * copied from this template, because creating a database takes seconds. Without a template, a server creates its
 * own database on its first start.
 */
function prepareEngine() {
  const stamp = path.join(root, '.cache/engine/.made-from')
  const lockfile = ['package-lock.json']
  if (process.env['DATABASE_URL'] || isMadeOf(stamp, lockfile)) return
  if (run('preparing the embedded database', 'node', ['server/database/pglite/make-template.ts']))
    stampAs(stamp, lockfile)
}

/** @param {string} purpose */
function stepsFor(purpose) {
  const steps = stepsByPurpose.get(purpose)
  if (steps !== undefined) return steps
  throw new SetUpError(`usage: node tools/set-up/set-up.mjs ${[...stepsByPurpose.keys()].join('|')}`)
}
