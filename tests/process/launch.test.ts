/** Tests how `npm start` begins: the process replaces itself once, with settings that let it give memory back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

type Launched = { pid: number; trim?: string; flags: string[]; argument?: string }

/** Launches a program that prints how it runs, and returns its output and the number of the process that was started. */
async function launch(environment: NodeJS.ProcessEnv) {
  const program = `console.log(JSON.stringify({
    pid: process.pid,
    trim: process.env.MALLOC_TRIM_THRESHOLD_,
    flags: process.execArgv,
    argument: process.argv.at(-1),
  }))`
  const launcher = ['--import', './server/launch.mjs', '--eval', program, 'un argumento']
  const child = spawn(process.execPath, ['--v8-pool-size=1', ...launcher], {
    cwd: join(import.meta.dirname, '../..'),
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { started: child.pid, ...(JSON.parse(output) as Launched) }
}

// Only glibc reads the settings, and Windows cannot replace a process.
test.skipIf(process.platform !== 'linux')(
  'the server begins with settings that give memory back, in the process that was started',
  async () => {
    const { started, pid, trim, flags, argument } = await launch({ PATH: process.env['PATH'] })

    expect({ pid, trim, argument }).toEqual({ pid: started, trim: '131072', argument: 'un argumento' })
    expect(flags.slice(0, 2)).toEqual(['--max-semi-space-size=2', '--v8-pool-size=1'])
  },
)

test('an operator’s own memory settings stay as they are', async () => {
  const { trim, flags } = await launch({ PATH: process.env['PATH'], MALLOC_TRIM_THRESHOLD_: '4096' })

  expect(trim).toBe('4096')
  expect(flags[0]).toBe('--v8-pool-size=1')
})
