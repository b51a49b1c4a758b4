// Runs one program of node_modules/.bin, shows what it prints as it comes, and keeps it for a look back.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './tree.ts'

/** A program that ended: its exit code (null when a signal ended it) and everything it printed, without colours. */
export type Ended = { code: number | null; output: string; isOverTime: boolean }

/** No step of `npm test` may take longer, so that a hanging one still ends in a verdict. */
const programMinutesMax = 30

const programs = path.join(root, 'node_modules/.bin')

/** Runs a program to its end in the root of the checkout; what it prints comes out without colours. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const started = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: [programs, process.env['PATH']].join(path.delimiter), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  const keep = (chunk: string) => {
    const plain = stripVTControlCharacters(chunk)
    process.stdout.write(plain)
    output += plain
  }
  started.stdout.setEncoding('utf8').on('data', keep)
  started.stderr.setEncoding('utf8').on('data', keep)

  let isOverTime = false
  const timer = setTimeout(() => {
    isOverTime = true
    started.kill()
  }, programMinutesMax * 60_000)
  try {
    await once(started, 'close')
  } catch (error) {
    console.error(`${program} could not be started:`, error)
  } finally {
    clearTimeout(timer)
  }
  return { code: started.exitCode, output, isOverTime }
}
