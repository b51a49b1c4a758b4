// Starting other programs during set-up, what it says meanwhile, and the one error that it shows without a stack.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Where npm links the programs of the installed packages, `node` among them. */
export const programs = path.join(root, 'node_modules/.bin')

/** How often a long step shows at a terminal that it goes on. */
const progressIntervalMs = 1000

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
 * Runs a program to its end in the root of the checkout; true when it succeeded. The program is silent unless it
 * fails. `progress` says what is going on, and at a terminal for how long and how large its folder has become.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, progress: { message: string, folder?: string } }} options
 * @returns {Promise<boolean>}
 */
export async function run(program, args, { env = withPrograms(), progress }) {
  const endProgress = showProgress(progress)
  // npm, npx and vite are .cmd files on Windows, which only a shell can start.
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk))
  /** @type {number | null} */
  const code = await new Promise((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      output += `${program}: ${error.message}\n`
      resolve(1)
    })
  })
  endProgress()
  if (code !== 0) process.stderr.write(output)
  return code === 0
}

/**
 * How much a folder holds, in words.
 * @param {string} folder
 */
export function sizeOf(folder) {
  return `${Math.round(bytesIn(folder) / 1_000_000)} MB`
}

/**
 * One line, which at a terminal is written anew until the answer is called.
 * @param {{ message: string, folder?: string }} progress
 * @returns {() => void}
 */
function showProgress({ message, folder }) {
  if (!process.stdout.isTTY) {
    say(message)
    return () => undefined
  }
  const startedAt = Date.now()
  const show = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const size = folder === undefined ? '' : `, ${sizeOf(folder)}`
    process.stdout.write(`\r\u001B[Kfinanzas: ${message} (${seconds} s${size})`)
  }
  show()
  const timer = setInterval(show, progressIntervalMs)
  return () => {
    clearInterval(timer)
    show()
    process.stdout.write('\n')
  }
}

/**
 * What disappears meanwhile is not counted: the folder is being written.
 * @param {string} folder
 * @returns {number}
 */
function bytesIn(folder) {
  let bytes = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) bytes += bytesIn(file)
      else if (entry.isFile()) bytes += statSync(file).size
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  return bytes
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
