/** A database that is killed while a client connects. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { sql } from './database.ts'
import { connectOwner } from './postgres/postgres.ts'

/** A message of the protocol: its letter, its length, what it says. */
function message(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)])
}

test('an end that comes in the same packet as the beginning fails the next query, and nothing else', async () => {
  const welcome = [message('R', '\0\0\0\0'), message('Z', 'I')]
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
