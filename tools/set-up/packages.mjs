// The packages of a package-lock.json, exactly and without running their install scripts: all of them, or those that the
// server runs on.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isMadeOf, root, run, SetUpError, stampAs, withoutNpmScript } from './run.mjs'

const modules = path.join(root, 'node_modules')
const lockfile = ['package-lock.json']
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Inside node_modules, so that deleting the folder deletes the claim that it is complete. */
const stampOfAll = path.join(modules, '.installed-from')
const stampOfServer = path.join(modules, '.installed-for-server-from')

/** The server's packages, and Node's own program, which the root brings (docs/decisions/0002). */
const forServer = ['--omit=dev', '--workspace=@finanzas/server', '--include-workspace-root']

/** Runs `npm ci` unless node_modules was installed from this very package-lock.json. */
export function installPackages() {
  if (isMadeOf(stampOfAll, lockfile)) return
  install([], 'installing the packages of package-lock.json')
  stampAs(stampOfAll, lockfile)
}

/** As `installPackages`, with no package that only builds or tests: what a production server needs. */
export function installServerPackages() {
  if (isMadeOf(stampOfServer, lockfile)) return
  install(forServer, 'installing the packages that the server runs on')
  // 67 MB of header files for C, which no installed package is compiled with.
  for (const platform of ['linux-x64', 'linux-arm64', 'win-x64'])
    rmSync(path.join(modules, `node-${platform}`, 'include'), { recursive: true, force: true })
  stampAs(stampOfServer, lockfile)
}

/** Has the server's packages at least; a checkout that has all of them keeps all of them. */
export function installAtLeastServerPackages() {
  if (existsSync(stampOfAll)) installPackages()
  else installServerPackages()
}

/**
 * Deno and the Supabase CLI, for the tests of a hosted project's side. Where they cannot be had those tests say in one
 * line that they were left out.
 */
export function installHosted() {
  const folder = 'testing/hosted/packages'
  const stamp = path.join(root, folder, 'node_modules/.installed-from')
  const files = [`${folder}/package-lock.json`]
  if (isMadeOf(stamp, files)) return
  const arguments_ = ['ci', ...flags, '--prefix', path.join(root, folder)]
  if (run('installing Deno and the Supabase CLI for the tests', 'npm', arguments_, withoutNpmScript()))
    stampAs(stamp, files)
}

/**
 * @param {readonly string[]} which
 * @param {string} message
 */
function install(which, message) {
  if (!run(message, 'npm', ['ci', ...flags, ...which], withoutNpmScript()))
    throw new SetUpError('npm ci failed; what it said stands above. Put it right and try again.')
}
