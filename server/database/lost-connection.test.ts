/** What a real PostgreSQL says at a bad moment only, from a fake server. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { DatabaseUnavailable, FollowsAnother, sql } from './database.ts'
import { connectOwner, openPostgres } from './postgres/postgres.ts'
import { asHealthCheck } from './scope.ts'

/** A message of the protocol: its letter, its length, what it says. */
function message(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)])
}

const welcome = [message('R', '\0\0\0\0'), message('Z', 'I')]

test('an end that comes in the same packet as the beginning fails the next query, and nothing else', async () => {
  const farewell = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([...welcome, farewell])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const { port } = server.address() as AddressInfo
  const owner = await connectOwner(`postgres://nobody@127.0.0.1:${port}/none`)

  await expect(owner.query(sql`select 1`)).rejects.toThrow()
  server.close()
})

test('a pool that was led to a replica refuses to serve, as FollowsAnother', async () => {
  const boolean = '\0\0\0\0\0\0\0\0\0\x10\0\x01\0\0\0\0\0\0'
  const isFollower = [
    message('1', ''),
    message('2', ''),
    message('T', `\0\x01isFollower\0${boolean}`),
    message('D', '\0\x01\0\0\0\x01t'),
    message('C', 'SELECT 1\0'),
    message('Z', 'I'),
  ]
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat(welcome))
      socket.once('data', () => socket.write(Buffer.concat(isFollower)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `postgres://nobody@127.0.0.1:${port}/none`
  const database = openPostgres({ url, isPooled: false, listenUrl: null })

  const error = await database
    .transaction(asHealthCheck(), [sql`select 1`])
    .catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(DatabaseUnavailable)
  expect((error as DatabaseUnavailable).cause).toBeInstanceOf(FollowsAnother)
  await database.close()
  server.close()
})
