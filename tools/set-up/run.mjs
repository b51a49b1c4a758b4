// Starts other programs during set-up, and remembers finished steps.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Where npm links the programs of the installed packages, `node` among them. */
export const programs = path.join(root, 'node_modules/.bin')

/** Something the person at the terminal can put right; its message says how. */
export class SetUpError extends Error {}

/**
 * Says in one line what is done, runs the program in the root of the checkout, and returns whether it succeeded.
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
 * Runs the program in silence; returns its exit code and all that it printed.
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
 * Whether the stamp says that something was made of these very files.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function isMadeOf(stamp, files) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(files)
}

/**
 * Writes what `isMadeOf` reads.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function stampAs(stamp, files) {
  writeFileSync(stamp, digestOf(files))
}

/** @param {readonly string[]} files from the root; of several the names count too */
function digestOf(files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(readFileSync(path.join(root, file)))
  if (files.length > 1) digest.update(files.join('\0'))
  return `${digest.digest('hex')}\n`
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
