// Runs other programs during set-up, and records in stamp files which steps are complete.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Folder where npm links the programs of the installed packages, including `node`. */
export const programs = path.join(root, 'node_modules/.bin')

/** An error that the user at the terminal can fix. The message explains how to fix the error. */
export class SetUpError extends Error {}

/**
 * Prints the message on one line, runs the program in the root of the checkout, and returns whether the program
 * succeeded.
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
    // On Windows, npm, npx and vite are .cmd files, which only a shell can run.
    shell: process.platform === 'win32',
  })
  return status === 0
}

/**
 * Like `run`, but also returns npm's error code. Prints npm's messages only if the code is not `known`, because npm
 * prints a stack trace in English.
 * @param {string} message
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {ReadonlySet<string>} known
 * @returns {string | null} null if npm succeeded
 */
export function runNpm(message, args, env, known) {
  console.log(`finanzas: ${message}`)
  const { status, stderr } = spawnSync('npm', args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
    shell: process.platform === 'win32',
  })
  if (status === 0) return null
  const [, code = ''] = /^npm err(?:or|!) code (\S+)/im.exec(stderr) ?? []
  if (!known.has(code)) process.stderr.write(stderr)
  return code
}

/** Error codes of the system that the user at the terminal can fix, with the advice. */
export const adviceByCode = new Map([
  [
    'ENOSPC',
    `the disk of ${root} is full. The packages and the page need 540 MB: free some space and try again.`,
  ],
  [
    'EACCES',
    `this user cannot write in ${root}. Run the command as the owner of this folder, or run chown -R on it.`,
  ],
])

/**
 * Runs the program without printing anything. Returns the program's exit code and its complete output.
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
 * Returns whether the files' contents are unchanged since the stamp file was written.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function isMadeOf(stamp, files) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(files)
}

/**
 * Writes the stamp file that `isMadeOf` reads.
 * @param {string} stamp
 * @param {readonly string[]} files
 */
export function stampAs(stamp, files) {
  writeFileSync(stamp, digestOf(files))
}

/**
 * @param {readonly string[]} files paths relative to the root; the digest of several files also includes their
 * names
 */
function digestOf(files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(readFileSync(path.join(root, file)))
  if (files.length > 1) digest.update(files.join('\0'))
  return `${digest.digest('hex')}\n`
}

/**
 * Returns the environment that an npm script would have: the programs of the installed packages, including Node 24,
 * come first on the PATH.
 */
function withPrograms() {
  return { ...process.env, PATH: [programs, process.env['PATH']].join(path.delimiter) }
}

/**
 * Returns the environment without the variables that the running npm script has added. With these variables, a nested
 * `npm ci` would use the wrong package, or would run on the `node` in node_modules, which it replaces. Keeps settings
 * such as `npm_config_registry`.
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
