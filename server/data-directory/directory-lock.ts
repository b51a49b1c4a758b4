/**
 * Lets one process at a time use `$DATA_DIR`. The engine itself does not notice if another process uses the directory.
 * A third of the writes that both processes acknowledge would then be lost silently.
 */
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { DataDirectoryError, cannotUse } from './data-directory.ts'

type Holder = { pid: number; host: string; startedAt: string }

/**
 * Interval of the lock's heartbeat. Processes on other hosts need the heartbeat, because they cannot see whether the
 * process with the lock still runs.
 */
const heartbeatMs = 2000
const heartbeatMissedMs = 10_000

/**
 * Locks the directory for this process, and returns a function that releases the lock. If another living process has
 * locked the directory, throws `DataDirectoryError` with the pid of that process.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  const mine: Holder = { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) ?? '' }
  for (let attempt = 0; attempt < 3 && !tryCreate(path, mine); attempt += 1) {
    setAside(path, refuseLocked(directory))
  }
  if (readHolder(path)?.pid !== process.pid)
    throw new DataDirectoryError(
      `Otro servidor está arrancando en ${directory}. Ciérralo, o elige otro DATA_DIR.`,
    )
  const heartbeat = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date())
    } catch {
      // If the lock was removed by hand or the disk is read-only, the process continues. An uncaught error in a timer
      // would end the process.
    }
  }, heartbeatMs)
  heartbeat.unref()
  return () => {
    clearInterval(heartbeat)
    rmSync(path, { force: true })
  }
}

/**
 * Throws `DataDirectoryError` with the pid of the living process that has locked the directory. Otherwise returns the
 * dead process's lock, or `null`.
 */
export function refuseLocked(directory: string): Holder | null {
  const path = join(directory, 'lock')
  const holder = readHolder(path)
  if (holder === null || !isAlive(holder, path)) return holder
  throw new DataDirectoryError(
    `Otro servidor o comando (proceso ${holder.pid} en ${holder.host}) usa ${directory}. Ciérralo primero, o elige otro DATA_DIR.`,
  )
}

function tryCreate(path: string, holder: Holder): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600)
    writeSync(descriptor, JSON.stringify(holder))
    closeSync(descriptor)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw cannotUse(dirname(path), error)
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    // The lock has been removed, or its writer was interrupted.
    return null
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) return hasHeartbeat(path)
  return startOf(holder.pid) === holder.startedAt && isRunning(holder.pid)
}

/**
 * Waits until the lock's heartbeat is seen or missed, for at most `heartbeatMissedMs`. A container that is started again
 * after a crash has another name than the container with the lock, and would otherwise be refused although the lock is
 * dead.
 */
function hasHeartbeat(path: string): boolean {
  const beat = heartbeatOf(path)
  for (let last = beat; last !== null && Date.now() - last < heartbeatMissedMs; last = heartbeatOf(path)) {
    if (last !== beat) return true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, heartbeatMs / 4)
  }
  return false
}

/** Returns the time of the lock's last heartbeat, or `null` if the lock was removed. */
function heartbeatOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}

/** Moves a dead process's lock away, unless another process has replaced it in the meantime. */
function setAside(path: string, dead: Holder | null): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    const moved = readHolder(aside)
    if (JSON.stringify(moved) === JSON.stringify(dead)) rmSync(aside)
    else renameSync(aside, path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Returns the time at which a process started, in ticks since boot. The time distinguishes the lock's owner from a
 * later process with the same pid. Returns an empty text if the system does not report the start, and `null` for a
 * process that has ended or is a zombie.
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
