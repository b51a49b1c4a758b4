// The packages of package-lock.json, exactly and without running their install scripts: all of them, or those that the
// server runs on.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, say, SetUpError, sizeOf, withoutNpmScript } from './run.mjs'

const modules = path.join(root, 'node_modules')

/** Inside node_modules, so that deleting the folder deletes the claim that it is complete. */
const stampOfAll = path.join(modules, '.installed-from')
const stampOfServer = path.join(modules, '.installed-for-server-from')

/** The server's packages, and Node's own program, which the root brings (docs/decisions/0002). */
const forServer = ['--omit=dev', '--workspace=@finanzas/server', '--include-workspace-root']

/** Runs `npm ci` unless node_modules was installed from this very package-lock.json. */
export async function installPackages() {
  if (isCurrent(stampOfAll)) return
  await install([], 'installing the packages of package-lock.json')
  finish(stampOfAll)
}

/** As `installPackages`, with no package that only builds or tests: what a production server needs. */
export async function installServerPackages() {
  if (isCurrent(stampOfServer)) return
  await install(forServer, 'installing the packages that the server runs on')
  // 67 MB of header files for C, which no installed package is compiled with.
  for (const platform of ['linux-x64', 'linux-arm64', 'win-x64'])
    rmSync(path.join(modules, `node-${platform}`, 'include'), { recursive: true, force: true })
  finish(stampOfServer)
}

/** Has the server's packages at least; a checkout that has all of them keeps all of them. */
export async function installAtLeastServerPackages() {
  if (isCurrent(stampOfAll)) return
  await (existsSync(stampOfAll) ? installPackages() : installServerPackages())
}

/**
 * @param {readonly string[]} which
 * @param {string} message
 */
async function install(which, message) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  const isInstalled = await run('npm', ['ci', ...flags, ...which], {
    env: withoutNpmScript(),
    progress: { message, folder: modules },
  })
  if (!isInstalled)
    throw new SetUpError('npm ci failed; what it said stands above. Put it right and try again.')
}

/** @param {string} stamp */
function finish(stamp) {
  writeFileSync(stamp, digestOfLockfile())
  say(`node_modules holds ${sizeOf(modules)}`)
}

/** @param {string} stamp */
function isCurrent(stamp) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfLockfile()
}

function digestOfLockfile() {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lockfile).digest('hex')}\n`
}
