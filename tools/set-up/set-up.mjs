// Runs before the npm scripts, on a clone without any package: plain JavaScript for Node 20, without dependencies.
// It does the missing steps, prints one line for each, and is silent when nothing is missing.
import path from 'node:path'
import { installBrowser } from './browser.mjs'
import {
  installAtLeastServerPackages,
  installHosted,
  installPackages,
  installServerPackages,
} from './packages.mjs'
import { buildPage } from './page.mjs'
import { SetUpError, isMadeOf, root, run, stampAs } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/**
 * Steps for each purpose, in order.
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
  if (!(error instanceof SetUpError)) throw error
  console.error(`finanzas: ${error.message}`)
  process.exitCode = 1
}

/**
 * Makes the template of an empty database for the installed embedded engine. Every new bank is a copy of it, because
 * making a database takes seconds. Without the template, a server's first start makes its own database.
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
