/** The server as an operator runs it: a program with an environment, its output and its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { freePort } from '#testing/ports/free-port.ts'
import { untilReady as untilReadyAt } from '#testing/ports/until-ready.ts'

export type Program = {
  process: ChildProcess
  url: string
  /** Everything that it has printed so far. */
  output: () => string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

/** Starts it; the test's end ends it too. */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const program = await spawnProgram(environment)
  onTestFinished(() => killed(program))
  return program
}

/** Starts one with the embedded engine for all tests of a file, and ends it after them. The answer is it, in a test. */
export function programOfFile(
  environment: Record<string, string> = {},
): () => Program & { readonly dataDir: string } {
  let program: Program | undefined
  let directory: string
  beforeAll(async () => {
    directory = await makeDirectory()
    program = await spawnProgram({ DATA_DIR: directory, ...environment })
    await untilReady(program)
  })
  afterAll(async () => {
    if (program !== undefined) await killed(program)
    await rm(directory, { recursive: true, force: true })
  })
  return () => {
    if (program === undefined) throw new Error('The program is there when the tests begin.')
    return { ...program, dataDir: directory }
  }
}

async function spawnProgram(environment: Record<string, string>): Promise<Program> {
  const port = environment['PORT'] ?? String(await freePort())
  let output = ''
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...environment, PORT: port },
  })
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Not `exit`: what it printed last may come after that.
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return { process: child, url: `http://127.0.0.1:${port}`, output: () => output, ended }
}

async function killed({ process: child, ended }: Program): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** Waits until it answers; throws when it ended instead. */
export function untilReady({ url, ...program }: Program): Promise<void> {
  return untilReadyAt(url, program)
}

/** An empty directory that is gone after the test. */
export async function emptyDirectory(): Promise<string> {
  const directory = await makeDirectory()
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'finanzas-process-'))
}
