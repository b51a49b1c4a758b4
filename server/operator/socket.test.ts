/**
 * Tests of the operator's socket that do not start a server. Injected faults: the file mode 0644, a stale socket file,
 * a lost message.
 */
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callRunningServer, openOperatorSocket, socketPath } from './socket.ts'
import { SqlError } from '#database/database.ts'
import { type CommandContext, CommandRefused, type OperatorCommands } from './command.ts'

let dataDir: string
let close: (() => Promise<void>) | null = null

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'finanzas-operator-'))
})
afterEach(async () => {
  await close?.()
  close = null
  rmSync(dataDir, { recursive: true, force: true })
})

const commands = {
  double: async ({ config }: CommandContext, given: { number: number }) => ({
    brand: config.brandName,
    doubled: given.number * 2,
  }),
  refuse: async () => {
    throw new CommandRefused('Choose another name.')
  },
  fillDisk: async () => {
    throw new SqlError({ sqlState: '53100', message: 'The disk is almost full.' })
  },
  fail: async () => {
    throw new TypeError('a mistake of ours')
  },
} satisfies OperatorCommands

async function open(with_: OperatorCommands = commands): Promise<void> {
  const bank = { config: { dataDir, brandName: 'Banco de Prueba' } } as unknown as CommandContext
  close = await openOperatorSocket(socketPath(dataDir), with_, bank)
}

test('a command runs in the server and returns its answer', async () => {
  await open()

  expect(await callRunningServer(dataDir, 'double', { number: 21 })).toEqual({
    answer: { brand: 'Banco de Prueba', doubled: 42 },
  })
})

test('users other than the server’s own user cannot connect', async () => {
  await open()

  expect(statSync(join(dataDir, 'operator.sock')).mode & 0o777).toBe(0o600)
})

test('a call returns null when no server runs', async () => {
  expect(await callRunningServer(dataDir, 'double', { number: 1 })).toBeNull()
})

test('the caller of a refused command gets the message', async () => {
  await open()

  await expect(callRunningServer(dataDir, 'refuse', {})).rejects.toThrowError(
    new CommandRefused('Choose another name.'),
  )
})

test('if the disk is full, the caller of a command gets a message without a stack trace', async () => {
  await open()

  await expect(callRunningServer(dataDir, 'fillDisk', {})).rejects.toThrowError(
    new CommandRefused('La base de datos no tiene espacio en el disco: "The disk is almost full.".'),
  )
})

test('an internal error reaches the caller of a command with its own message and is not a refusal', async () => {
  await open()

  const failure = await callRunningServer(dataDir, 'fail', {}).catch((error: unknown) => error)

  expect(failure).not.toBeInstanceOf(CommandRefused)
  expect(String(failure)).toContain('TypeError: a mistake of ours')
})

test('a server that does not know the command answers that it needs a restart', async () => {
  await open()

  await expect(callRunningServer(dataDir, 'toString', {})).rejects.toThrowError(/toString.*Reinícialo/)
})

test('a command above the size limit is refused', async () => {
  await open()

  await expect(callRunningServer(dataDir, 'double', { number: 'x'.repeat(70_000) })).rejects.toThrowError(
    'como máximo 65536 bytes',
  )
})

test('the socket file of a killed server is replaced', async () => {
  // Simulates a killed server: `close` does not remove a socket file that was renamed.
  const dead = createServer().listen(join(dataDir, 'left'))
  await once(dead, 'listening')
  renameSync(join(dataDir, 'left'), join(dataDir, 'operator.sock'))
  dead.close()
  expect(await callRunningServer(dataDir, 'double', { number: 1 })).toBeNull()

  await open()

  expect(await callRunningServer(dataDir, 'double', { number: 1 })).not.toBeNull()
})

test('closing waits for a running command and removes the socket', async () => {
  let finish: () => void = () => undefined
  const started = new Promise<void>((resolveStarted) => {
    const slow = async () => {
      resolveStarted()
      await new Promise<void>((resolve) => (finish = resolve))
      return 'done'
    }
    void open({ slow })
  })
  await expect.poll(() => existsSync(join(dataDir, 'operator.sock'))).toBe(true)
  const asking = callRunningServer(dataDir, 'slow', {})
  await started
  const closing = close?.()
  close = null

  finish()

  expect(await asking).toEqual({ answer: 'done' })
  await closing
  expect(existsSync(join(dataDir, 'operator.sock'))).toBe(false)
})

test('a path that is too long for a socket is refused with a suggestion', () => {
  expect(() => socketPath(`/${'directory/'.repeat(20)}`)).toThrowError('Elige una más corta')
})
