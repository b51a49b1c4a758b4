import { expect, test } from 'vitest'
import { sql } from './database.ts'
import { letters } from './server-messages.ts'
import { PreparedStatements, WireBatch } from './wire-batch.ts'

const statement = sql`select 1`

/** Returns the letters of the messages that the batch sends. */
function sentLetters(batch: WireBatch): string {
  let found = ''
  for (let at = 0; at < batch.bytes.length; at += 1 + batch.bytes.readInt32BE(at + 1))
    found += String.fromCodePoint(batch.bytes[at] ?? 0)
  return found
}

/**
 * Returns the `PreparedStatements` of a connection. On this connection, the database has prepared a statement and has
 * then refused to run it, with this SQLSTATE.
 */
function connectionThatRefused(sqlState: string): PreparedStatements {
  const prepared = new PreparedStatements({ isKept: true })
  const first = new WireBatch([statement], prepared)
  first.take(letters.parseComplete, Buffer.alloc(0))
  first.take(letters.commandComplete, Buffer.from('SELECT 1\0'))
  new WireBatch([statement], prepared).take(letters.error, Buffer.from(`C${sqlState}\0\0`))
  return prepared
}

test.each(['42883', '42703', '0A000'])(
  'a statement refused with %s is closed and prepared again',
  (sqlState) => {
    expect(sentLetters(new WireBatch([statement], connectionThatRefused(sqlState)))).toBe('CPBDES')
  },
)

test.each(['42501', '23505'])('a statement refused with %s stays prepared', (sqlState) => {
  expect(sentLetters(new WireBatch([statement], connectionThatRefused(sqlState)))).toBe('BES')
})
