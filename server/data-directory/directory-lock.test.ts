import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from './directory-lock.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Starts another process that locks the directory until the test kills the process. */
async function holdElsewhere() {
  const program = `
    const { lockDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'directory-lock.ts'))})
    lockDirectory(${JSON.stringify(directory)})
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  return holder
}

test('a process cannot lock a directory that another process uses, and the error names that process', async () => {
  const holder = await holdElsewhere()

  expect(() => lockDirectory(directory)).toThrowError(`proceso ${holder.pid} `)

  holder.kill('SIGKILL')
  await once(holder, 'exit')
})

test('a process can take over the lock of a process that was killed', async () => {
  const holder = await holdElsewhere()
  holder.kill('SIGKILL')
  await once(holder, 'exit')

  const unlock = lockDirectory(directory)

  expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  unlock()
  expect(() => lockDirectory(directory)()).not.toThrow()
})

// Linux only: other systems do not report which process is a zombie.
test.runIf(process.platform === 'linux')(
  'the lock of a killed process is taken over while the process is a zombie',
  async () => {
    // The shell becomes a program that never waits for its children.
    const program = `import(${JSON.stringify(join(import.meta.dirname, 'directory-lock.ts'))}).then((m) => {
    m.lockDirectory(${JSON.stringify(directory)}); process.stdout.write('held'); process.kill(process.pid, 'SIGKILL') })`
    const parent = spawn('sh', ['-c', '"$0" -e "$1" & exec sleep 60', process.execPath, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    const { pid } = JSON.parse(readFileSync(join(directory, 'lock'), 'utf8')) as { pid: number }
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)

    expect(() => lockDirectory(directory)()).not.toThrow()

    parent.kill()
  },
)

test('the lock of a process on another machine is valid while its heartbeat is seen', async () => {
  const path = join(directory, 'lock')
  writeFileSync(path, JSON.stringify({ pid: 1, host: 'another-host', startedAt: '1' }))
  const program = `setInterval(() => {
    require('node:fs').utimesSync(${JSON.stringify(path)}, new Date(), new Date())
    process.stdout.write('beat')
  }, 100)`
  const beating = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(beating.stdout, 'data')

  expect(() => lockDirectory(directory)).toThrowError('another-host')
  beating.kill()
})

test('a process waits for the lock of another machine and takes it over if no heartbeat comes', () => {
  const path = join(directory, 'lock')
  writeFileSync(path, JSON.stringify({ pid: 1, host: 'another-host', startedAt: '1' }))
  const lately = new Date(Date.now() - 9000)
  utimesSync(path, lately, lately)

  const release = lockDirectory(directory)

  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid })
  release()
})
