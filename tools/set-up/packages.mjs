// The packages of a package-lock.json, exactly and without running their install scripts: all of them, or those that the
// server runs on.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ask, isMadeOf, root, run, SetUpError, stampAs, withoutNpmScript } from './run.mjs'

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

/** Installs the packages that a production server needs, without those that only build or test. */
export function installServerPackages() {
  if (isMadeOf(stampOfServer, lockfile)) return
  install(forServer, 'installing the packages that the server runs on')
  // 67 MB of header files for C, which no installed package is compiled with.
  for (const platform of ['linux-x64', 'linux-arm64', 'win-x64'])
    rmSync(path.join(modules, `node-${platform}`, 'include'), { recursive: true, force: true })
  stampAs(stampOfServer, lockfile)
}

/** Installs at least the server's packages. A checkout that has all packages keeps all of them. */
export function installAtLeastServerPackages() {
  if (existsSync(stampOfAll)) installPackages()
  else installServerPackages()
}

/**
 * Deno and the Supabase CLI, for the tests of a hosted project's side. If they cannot be installed, the tests that need
 * them report in one line that they were left out.
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
  const why = whyUnreachable()
  if (why === null) {
    if (run(message, 'npm', ['ci', ...flags, ...which], withoutNpmScript())) return
    throw new SetUpError('npm ci failed; what it said stands above. Put it right and try again.')
  }
  const note = `${message} from the cache of npm: the registry of npm does not answer (${why})`
  if (run(note, 'npm', ['ci', ...flags, '--offline', ...which], withoutNpmScript())) return
  throw new SetUpError(
    `the registry of npm does not answer (${why}), and its cache lacks packages. ` +
      'Check the network and `npm config get registry`, and try again.',
  )
}

/** Two short tries: npm ci itself tries for many minutes, which is right for a download that is interrupted. */
const shortTries = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=15000',
]

/**
 * The error with which the registry is out of reach, or `null`: one that answers with an error is there.
 * @returns {string | null}
 */
function whyUnreachable() {
  const { status, output } = ask('npm', ['ping', '--loglevel=error', ...shortTries], withoutNpmScript())
  if (status === 0) return null
  const [, code = ''] = /^npm err(?:or|!) code (\S+)/im.exec(output) ?? []
  return /^(?:E\d{3})?$/.test(code) ? null : code
}
