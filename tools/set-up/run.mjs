// Starting other programs during set-up, and the one error that set-up shows without a stack.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Where npm links the programs of the installed packages, `node` among them. */
export const programs = path.join(root, 'node_modules/.bin')

/** Something the person at the terminal can put right; its message says how. */
export class SetUpError extends Error {}

/**
 * One line about what set-up is doing.
 * @param {string} message
 */
export function say(message) {
  console.log(`finanzas: ${message}`)
}

/**
 * Runs a program to its end in the root of the checkout; true when it succeeded. The program is silent
 * unless it fails or `isShown` is set.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, isShown?: boolean }} [options]
 */
export function run(program, args, { env = withPrograms(), isShown = false } = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    // npm, npx and vite are .cmd files on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  })
  if (result.error !== undefined) console.error(`${program}: ${result.error.message}`)
  if (result.status !== 0 && !isShown) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  return result.status === 0
}

/** The environment of an npm script: the programs of the packages first on the PATH, Node 24 with them. */
function withPrograms() {
  return { ...process.env, PATH: [programs, process.env['PATH']].join(path.delimiter) }
}

/**
 * The environment npm was called from, without what the running npm script added to it: a nested `npm ci`
 * must neither take this script's package for its own nor run on the `node` that it is about to replace.
 * Settings (`npm_config_registry` and the like) stay.
 */
export function withoutNpmScript() {
  const added =
    /^(INIT_CWD|npm_(lifecycle|package|command|node_execpath|execpath)|npm_config_(local_prefix|global_prefix|prefix|workspaces?))/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)))
  const folders = (env['PATH'] ?? '').split(path.delimiter)
  const isProgramsFolder = (/** @type {string} */ folder) =>
    folder.endsWith(path.join('node_modules', '.bin'))
  return { ...env, PATH: folders.filter((folder) => !isProgramsFolder(folder)).join(path.delimiter) }
}
