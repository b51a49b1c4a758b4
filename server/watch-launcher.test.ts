import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { expect, onTestFinished, test } from 'vitest'

const server = `
  const { watchLauncher } = await import(${JSON.stringify(join(import.meta.dirname, 'watch-launcher.ts'))})
  watchLauncher()(() => { console.log('gone'); process.exit(0) })
  console.log('started ' + process.pid + ' ' + process.ppid)
  setInterval(() => console.log('serves'), 400)`
/** Starts the server below a shell, as npm does. The shell does not replace itself with the server. */
const npm = `
  require('node:child_process').spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, process.argv[1]],
    { stdio: 'inherit' })`

/** Starts the fake npm. Returns the pids of the shell and the server, and the lines that the server prints. */
async function start(event: string) {
  const launcher = spawn(process.execPath, ['-e', npm, server], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], npm_lifecycle_event: event },
  })
  const lines = createInterface(launcher.stdout)[Symbol.asyncIterator]()
  const { value = '' } = (await lines.next()) as { value?: string }
  const [pid = 0, shell = 0] = value.replace('started ', '').split(' ').map(Number)
  onTestFinished(() => {
    for (const each of [pid, shell]) killQuietly(each)
    launcher.kill('SIGKILL')
  })
  return { launcher, pid, shell, lines }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

// Other systems do not report the parent of a process in /proc.
test.runIf(process.platform === 'linux').each(['npm', 'its shell'])(
  'the server notices that %s has died',
  async (killed) => {
    const { launcher, shell, lines } = await start('start')

    process.kill(killed === 'npm' ? (launcher.pid ?? 0) : shell, 'SIGKILL')

    await expect.poll(async () => (await lines.next()).value as string).toBe('gone')
  },
)

test('a server that npm did not start continues to run after its parent has died', async () => {
  const { launcher, shell, lines } = await start('test')
  const ended = once(launcher, 'exit')

  process.kill(shell, 'SIGKILL')
  await ended

  const said: unknown[] = []
  while (said.length < 4) said.push((await lines.next()).value)
  expect(said).toEqual(['serves', 'serves', 'serves', 'serves'])
})
