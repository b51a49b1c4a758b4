/** The process of a server: starts it, waits until it is ready, and measures its memory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const readyWaitMs = 120_000

const pollMs = 20

const answerWaitMs = 2000

export type Environment = Readonly<Record<string, string | undefined>>

/** A process of the server, its output, and its exit code once the output is complete. */
export type Program = {
  readonly child: ChildProcess
  readonly printed: readonly string[]
  readonly ended: Promise<number | null>
}

export type ProgramOptions = {
  /** Arguments for Node itself, placed before the program's path. */
  readonly nodeArguments?: readonly string[]
  /** The folder of the program; by default this checkout. program-copy.ts makes other versions. */
  readonly root?: string
}

const ownRoot = join(import.meta.dirname, '..')

export function spawnProgram(
  environment: Environment,
  { nodeArguments = [], root = ownRoot }: ProgramOptions,
): Program {
  const printed: string[] = []
  const child = spawn(process.execPath, [...nodeArguments, '--v8-pool-size=1', 'server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  // Listens for `close` instead of `exit`, because the last lines of output may arrive after `exit`.
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return { child, printed, ended }
}

/** Waits until `/ready` answers 200. Throws after two minutes, or as soon as the process has exited. */
export async function untilReady(url: string, program?: ChildProcess, output?: () => string): Promise<void> {
  const deadline = performance.now() + readyWaitMs
  while (performance.now() < deadline) {
    const code = program?.exitCode ?? program?.signalCode ?? null
    if (code !== null) throw new Error(`The server ended with ${code}: ${output?.() ?? ''}`)
    const signal = AbortSignal.timeout(answerWaitMs)
    if ((await fetch(`${url}/ready`, { signal }).catch(() => null))?.ok === true) return
    await pause(pollMs)
  }
  throw new Error(`The server was not ready after ${readyWaitMs} ms: ${output?.() ?? ''}`)
}

/** Returns the current and the peak resident memory of a process in MB. Linux only. */
export async function memoryMbOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
