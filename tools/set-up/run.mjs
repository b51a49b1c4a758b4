// Runs other programs during set-up, and remembers finished steps.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Folder where npm links the programs of the installed packages, including `node`. */
export const programs = path.join(root, 'node_modules/.bin')

/** An error that the person at the terminal can fix; its message explains how. */
export class SetUpError extends Error {}

/**
 * Prints the message in one line, runs the program in the root of the checkout, and returns whether it succeeded.
 * @param {string} message
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function run(message, program, args, env = withPrograms()) {
  console.log(`finanzas: ${message}`)
  const { status } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm, npx and vite are .cmd files on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  })
  return status === 0
}

/**
 * Runs the program without printing anything. Returns its exit code and its complete output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function ask(program, args, env) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  return { status, output: `${stdout}${stderr}` }
}

/**
 * Returns whether the stamp was written for files with the same content.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function isMadeOf(stamp, files) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(files)
}

/**
 * Writes the stamp that `isMadeOf` reads.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function stampAs(stamp, files) {
  writeFileSync(stamp, digestOf(files))
}

/** @param {readonly string[]} files paths from the root; the digest of several files also covers their names */
function digestOf(files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(readFileSync(path.join(root, file)))
  if (files.length > 1) digest.update(files.join('\0'))
  return `${digest.digest('hex')}\n`
}

/**
 * Returns the environment of an npm script: the programs of the packages, including Node 24, come first on the PATH.
 */
function withPrograms() {
  return { ...process.env, PATH: [programs, process.env['PATH']].join(path.delimiter) }
}

/**
 * Returns the environment without the variables that the running npm script added. Otherwise a nested `npm ci` would
 * take this script's package for its own, or run on the `node` that it replaces. Settings (`npm_config_registry` and
 * the like) stay.
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
