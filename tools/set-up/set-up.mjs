// Runs before `npm start`, `dev`, `check`, `test` and `bench`, on a clone with nothing installed:
// plain JavaScript for Node 20, no dependency. Does what is missing, says each thing in one line,
// and is silent when there is nothing to do.
import { installBrowser } from './browser.mjs'
import { installHosted } from './hosted.mjs'
import { installPackages } from './packages.mjs'
import { buildPage } from './page.mjs'
import { checkPorts } from './ports.mjs'
import { SetUpError } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/**
 * What each purpose needs, in order.
 * @type {Record<'start' | 'dev' | 'check' | 'test', Array<() => void | Promise<void>>>}
 */
const stepsByPurpose = {
  start: [checkPorts, installPackages, checkRuntime, buildPage],
  dev: [installPackages, checkRuntime],
  check: [installPackages, checkRuntime, installHosted],
  test: [installPackages, checkRuntime, installHosted, buildPage, installBrowser],
}

const purpose = process.argv[2] ?? ''
try {
  for (const step of stepsFor(purpose)) await step()
} catch (error) {
  if (!(error instanceof SetUpError)) throw error
  console.error(`finanzas: ${error.message}`)
  process.exitCode = 1
}

/** @param {string} name */
function stepsFor(name) {
  if (name === 'start' || name === 'dev' || name === 'check' || name === 'test') return stepsByPurpose[name]
  throw new SetUpError(`usage: node tools/set-up/set-up.mjs ${Object.keys(stepsByPurpose).join('|')}`)
}
