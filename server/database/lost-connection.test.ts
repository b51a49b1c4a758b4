/** Tests lost connections against a fake server, because a real PostgreSQL server rarely behaves in these ways. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailable, FollowsAnother, sql } from './database.ts'
import { connectOwner, openPostgres } from '#database/postgres/postgres.ts'
import { asHealthCheck } from './scope.ts'

/** Encodes a protocol message as its letter, its length and its content. */
function message(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)])
}

const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])

/** Starts a server that calls `onHello` when a client sends its first bytes. Returns its address. */
async function serve(onHello: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => onHello(socket))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`
}

test('a connection that ends right after its greeting fails only the next query', async () => {
  const farewell = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')
  const url = await serve((socket) => socket.end(Buffer.concat([welcome, farewell])))
  const owner = await connectOwner(url)

  await expect(owner.query(sql`select 1`)).rejects.toThrow()
})

test('a pool that connects to a replica fails with FollowsAnother', async () => {
  const boolean = '\0\0\0\0\0\0\0\0\0\x10\0\x01\0\0\0\0\0\0'
  const isFollower = Buffer.concat([
    message('1', ''),
    message('2', ''),
    message('T', `\0\x01isFollower\0${boolean}`),
    message('D', '\0\x01\0\0\0\x01t'),
    message('C', 'SELECT 1\0'),
    message('Z', 'I'),
  ])
  const url = await serve((socket) => {
    socket.write(welcome)
    socket.once('data', () => socket.write(isFollower))
  })
  const database = openPostgres({ url, isPooled: false, listenUrl: null })
  onTestFinished(() => database.close())

  const asking = database.transaction(asHealthCheck(), [sql`select 1`])

  await expect(asking).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(asking).rejects.toMatchObject({ cause: expect.any(FollowsAnother) })
})

test('a connection on which nothing arrives after the login is closed, and its requests fail as in an outage', async () => {
  const silence = Promise.withResolvers<void>()
  const url = await serve((socket) => {
    socket.write(welcome)
    socket.once('data', () => silence.resolve())
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const database = openPostgres({ url, isPooled: false, listenUrl: null })

  const outcome = Promise.allSettled([database.transaction(asHealthCheck(), [sql`select 1`])])
  await silence.promise
  await vi.advanceTimersByTimeAsync(7000)

  expect(await outcome).toMatchObject([{ status: 'rejected', reason: expect.any(DatabaseUnavailable) }])
  expect(database.running()).toBe(0)
})
