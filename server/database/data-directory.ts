/**
 * `$DATA_DIR`: the embedded database, secrets, outbox. One process at a time: the engine itself does
 * not notice a second one, and a third of what both acknowledge is then silently gone.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { engineMajorVersion } from './pglite-parameters.ts'

/** What keeps a data directory from being used, in a sentence that says what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Who holds a directory. */
type Holder = { pid: number; host: string; startedAt: string }

/** How often the holder shows that it is alive, for those who cannot see its process. */
const heartbeatMs = 2000
const heartbeatMissedMs = 10_000

/** Makes the directory, with nobody else's rights. Throws `DataDirectoryError` when it cannot be used. */
export function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const probe = join(directory, `.probe-${process.pid}`)
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
  } catch (error) {
    throw new DataDirectoryError(
      `DATA_DIR ${directory} cannot be written (${codeOf(error)}). Give it to the user that runs the server, or choose another.`,
      { cause: error },
    )
  }
}

/**
 * Takes the directory for this process; the answer gives it back.
 * Throws `DataDirectoryError`, naming the pid, when another process that is alive has it.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  const mine: Holder = { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) ?? '' }
  for (let attempt = 0; attempt < 3 && !tryCreate(path, mine); attempt += 1) {
    const holder = readHolder(path)
    if (holder !== null && isAlive(holder, path)) {
      throw new DataDirectoryError(
        `Another server or command (process ${holder.pid} on ${holder.host}) uses ${directory}. Stop it first, or choose another DATA_DIR.`,
      )
    }
    setAside(path, holder)
  }
  if (readHolder(path)?.pid !== process.pid)
    throw new DataDirectoryError(`Another server is just starting in ${directory}.`)
  const heartbeat = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date())
    } catch {
      // Removed by hand, or on a disk that has become read-only: whoever holds the directory goes on. What is thrown
      // by a timer would end the process.
    }
  }, heartbeatMs)
  heartbeat.unref()
  return () => {
    clearInterval(heartbeat)
    rmSync(path, { force: true })
  }
}

/** Where the engine keeps its files; made when missing. Throws `DataDirectoryError` for another engine's. */
export async function initialisedEngineDirectory(directory: string): Promise<string> {
  const engineDirectory = engineDirectoryOf(directory)
  const versionFile = join(engineDirectory, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const version = readVersion(versionFile)
    if (version !== engineMajorVersion) {
      throw new DataDirectoryError(
        `${engineDirectory} was made by PostgreSQL ${version}, this server has ${engineMajorVersion}. ` +
          'With the release of Finanzas that made it, run npm run backup; ' +
          'with this one, run npm run restore -- FILE on a new DATA_DIR.',
      )
    }
    return engineDirectory
  }
  if (existsSync(engineDirectory)) {
    throw new DataDirectoryError(
      `${engineDirectory} is not a database (no PG_VERSION). Move it away and start again.`,
    )
  }
  if (existsSync(restoringDirectory(directory))) {
    throw new DataDirectoryError(
      `A restore into ${directory} was broken off. Run npm run restore -- FILE again; ` +
        `or, for a new and empty bank, remove ${restoringDirectory(directory)}.`,
    )
  }
  await initialiseEngine(engineDirectory)
  return engineDirectory
}

/** Where the engine keeps its files, whether they are there or not. */
export function engineDirectoryOf(directory: string): string {
  return join(directory, 'postgres')
}

/** In which a bank grows until it is whole: its presence keeps a server from starting on an empty one. */
export function restoringDirectory(directory: string): string {
  return `${engineDirectoryOf(directory)}.restoring`
}

/** Makes an empty database of the engine where there is nothing yet. */
export async function initialiseEngine(engineDirectory: string): Promise<void> {
  // Under another name first: what was interrupted half-way is never taken for a database. And under one of
  // its own: who is killed may leave a process behind that still writes to the last one.
  const beginning = `${engineDirectory}.new-`
  removeBeginnings(beginning)
  const fresh = `${beginning}${randomUUID()}`
  const program = fileURLToPath(new URL('pglite-initialise.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [program, fresh])
  moveDurably(fresh, engineDirectory)
}

function removeBeginnings(beginning: string): void {
  const names = readdirSync(dirname(beginning)).filter((name) => name.startsWith(basename(beginning)))
  for (const name of names) {
    try {
      rmSync(join(dirname(beginning), name), { recursive: true, force: true })
    } catch {
      // Somebody writes there at this moment; the next beginning removes it.
    }
  }
}

/** Gives a directory its name, and sees to it that the name survives a power cut. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  const parent = openSync(dirname(to), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

function readVersion(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new DataDirectoryError(
      `${path} cannot be read (${codeOf(error)}). Give the data directory to the user that runs the server.`,
      { cause: error },
    )
  }
}

function tryCreate(path: string, holder: Holder): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600)
    writeSync(descriptor, JSON.stringify(holder))
    closeSync(descriptor)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    // Gone by now, or its writer was interrupted.
    return null
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) {
    return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < heartbeatMissedMs
  }
  return startOf(holder.pid) === holder.startedAt && isRunning(holder.pid)
}

/** Moves a dead process's lock away, unless somebody else has replaced it in the meantime. */
function setAside(path: string, dead: Holder | null): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    const moved = readHolder(aside)
    if (JSON.stringify(moved) === JSON.stringify(dead)) rmSync(aside)
    else renameSync(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * When a process started, in ticks since boot, so that a reused pid is not taken for its owner; empty
 * where the system does not tell, `null` for a process that is gone or only waits to be buried.
 */
function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return ''
  try {
    // proc(5): fields 3 (state) and 22 (start), counted after the name in parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
