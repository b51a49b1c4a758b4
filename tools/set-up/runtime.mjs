// Checks the version of Node that npm scripts use. Node 24 is installed as an optional npm package for each
// platform (docs/decisions/0002).
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { programs, SetUpError } from './run.mjs'

/** The oldest Node version that runs TypeScript files without a flag. */
const oldest = { major: 22, minor: 18 }

/** Throws an error with advice if npm scripts would use a Node version that cannot run TypeScript. */
export function checkRuntime() {
  const version = versionForScripts()
  if (isEnough(version)) return
  throw new SetUpError(
    `Node ${version} cannot run TypeScript, and no packaged Node was installed for ${process.platform} ${process.arch}. ` +
      'Install Node 24 (https://nodejs.org, or your version manager: .nvmrc names the line) and try again.',
  )
}

/** @returns the version without its leading "v" */
function versionForScripts() {
  const packaged = path.join(programs, process.platform === 'win32' ? 'node.cmd' : 'node')
  if (!existsSync(packaged)) return process.versions.node
  if (realpathSync(packaged) === process.execPath) return process.versions.node
  const answer = spawnSync(packaged, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' })
  return answer.status === 0 ? answer.stdout.trim().replace(/^v/, '') : process.versions.node
}

/** @param {string} version */
function isEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}
