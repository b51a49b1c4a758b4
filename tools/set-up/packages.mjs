// Installs exactly the versions in package-lock.json, without running install scripts. Installs either all packages
// or only the packages that the server needs.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import {
  adviceByCode,
  ask,
  isMadeOf,
  root,
  run,
  runNpm,
  SetUpError,
  stampAs,
  withoutNpmScript,
} from './run.mjs'

const modules = path.join(root, 'node_modules')
const lockfile = ['package-lock.json']
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** The stamp file is inside node_modules, so that it is deleted together with this folder. */
const stampOfAll = path.join(modules, '.installed-from')
const stampOfServer = path.join(modules, '.installed-for-server-from')

/**
 * Options of `npm ci` for the server's packages, and for Node itself, which is a dependency of the root package
 * (docs/decisions/0002).
 */
const forServer = ['--omit=dev', '--workspace=@finanzas/server', '--include-workspace-root']

/** Runs `npm ci` unless node_modules was installed from the current package-lock.json. */
export function installPackages() {
  if (isMadeOf(stampOfAll, lockfile)) return
  install([], 'installing the packages of package-lock.json')
  stampAs(stampOfAll, lockfile)
}

/** Installs the packages that a production server needs, without the packages for building and testing. */
export function installServerPackages() {
  if (isMadeOf(stampOfServer, lockfile)) return
  install(forServer, 'installing the packages that the server runs on')
  // Removes 67 MB of C header files, because no installed package is compiled.
  for (const platform of ['linux-x64', 'linux-arm64', 'win-x64'])
    rmSync(path.join(modules, `node-${platform}`, 'include'), { recursive: true, force: true })
  stampAs(stampOfServer, lockfile)
}

/** Installs at least the server's packages. If all packages are already installed, keeps all packages. */
export function installAtLeastServerPackages() {
  if (existsSync(stampOfAll)) installPackages()
  else installServerPackages()
}

/**
 * Installs Deno and the Supabase CLI, which test the hosted project. If the installation fails, the tests that need
 * these programs are skipped.
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
  const advised = adviceByCode.get(why ?? '')
  if (advised !== undefined) throw new SetUpError(advised)
  if (why === null) {
    const code = runNpm(message, ['ci', ...flags, ...which], withoutNpmScript(), new Set(adviceByCode.keys()))
    if (code === null) return
    const advice = adviceByCode.get(code)
    if (advice !== undefined) throw new SetUpError(advice)
    throw new SetUpError('npm ci failed; what it said stands above. Put it right and try again.')
  }
  const note = `${message} from the cache of npm: the registry of npm does not answer (${why})`
  if (run(note, 'npm', ['ci', ...flags, '--offline', ...which], withoutNpmScript())) return
  throw new SetUpError(
    `the registry of npm does not answer (${why}), and its cache lacks packages. ` +
      'Check the network and `npm config get registry`, and try again.',
  )
}

/**
 * Options that limit npm to two short attempts. By default, npm retries for many minutes, which is appropriate only for
 * interrupted downloads.
 */
const shortTries = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=15000',
]

/**
 * Returns `null` if the registry can be reached, even if it answers with an error. Otherwise returns npm's error
 * code.
 * @returns {string | null}
 */
function whyUnreachable() {
  const { status, output } = ask('npm', ['ping', '--loglevel=error', ...shortTries], withoutNpmScript())
  if (status === 0) return null
  const [, code = ''] = /^npm err(?:or|!) code (\S+)/im.exec(output) ?? []
  return /^(?:E\d{3})?$/.test(code) ? null : code
}
