/** Seen red with one port for each process, and with a port that is given without a look. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, portOf } from './free-port.ts'

test('processes that run at the same time are given different ports, none of which a connection may have', () => {
  const processes = Array.from({ length: 1000 }, (_, number) => 4_194_304 - number)
  const ports = processes.flatMap((id) => Array.from({ length: 16 }, (_, count) => portOf(id, count)))

  expect(new Set(ports).size).toBe(16_000)
  expect(Math.min(...ports)).toBeGreaterThan(10_000)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})

test('a port that somebody listens on is not given', async () => {
  const taken = (await freePort()) + 1
  const server = createServer().listen(taken, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')

  const ports = [await freePort(), await freePort()]

  expect(ports).not.toContain(taken)
})
