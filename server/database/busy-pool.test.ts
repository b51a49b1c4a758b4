/**
 * Who comes past the line of requests (docs/decisions/0035), as sockets do, meets the pool's own bound. Seen red with a
 * pool that everybody may wait for.
 */
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseBusy, sql } from './database.ts'
import { openPostgres, poolSizeUsual } from './postgres.ts'
import { asCaller, asProbe } from './scope.ts'

const waitingMax = 500

test('who finds 500 waiting for a connection is refused at once; the probe is not', async () => {
  const sockets: Socket[] = []
  // A server that never says a word.
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `postgres://nobody@127.0.0.1:${port}/none`
  const database = openPostgres({ url, isPooled: false, listenUrl: null })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await database.close()
  })
  const ask = (scope = asCaller({ role: 'anon' }, 'read')) => database.transaction(scope, [sql`select 1`])
  const waiting = Array.from({ length: poolSizeUsual + waitingMax }, () => ask())
  // They fail when the server closes.
  for (const each of waiting) each.catch(() => undefined)
  expect(database.load()).toEqual({ running: poolSizeUsual, waiting: waitingMax, refused: 0 })

  const refused = ask()
  const probing = ask(asProbe())
  probing.catch(() => undefined)

  await expect(refused).rejects.toBeInstanceOf(DatabaseBusy)
  expect(database.load()).toEqual({ running: poolSizeUsual, waiting: waitingMax + 1, refused: 1 })
})
