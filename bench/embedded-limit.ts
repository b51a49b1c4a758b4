/**
 * The limit on the embedded engine: the same protocol bytes handed to it directly, in its own thread, with
 * nothing in between. Runs as a process of its own: node bench/embedded-limit.ts DIRECTORY SECONDS < batches
 */
import { text } from 'node:stream/consumers'
import { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import type { SqlStatement } from '#server/database/database.ts'
import { DurableFileSystem } from '#server/database/durable-file-system.ts'
import { engineStartParameters } from '#server/database/pglite-parameters.ts'
import { PreparedStatements, WireBatch } from '#server/database/wire-batch.ts'

const warmUpRounds = 50

const [, , directory = '', seconds = '1'] = process.argv
const batches = JSON.parse(await text(process.stdin)) as SqlStatement[][]
const engine = await PGlite.create({
  fs: new DurableFileSystem(directory),
  startParams: engineStartParameters,
})
engine.execProtocolRawSync(serialize.query('set session authorization authenticator'))

const prepared = new PreparedStatements()
for (const { text: sqlText } of batches[0] ?? []) {
  const statement = { ...prepared.make(), columns: [] }
  engine.execProtocolRawSync(
    Buffer.concat([serialize.parse({ name: statement.name, text: sqlText }), serialize.sync()]),
  )
  prepared.confirm(sqlText, statement)
}
const messages = batches.map((batch) => new WireBatch(batch, prepared).bytes)
// The engine's fastest way: the streaming call runs to its end before it returns, and parses nothing.
const onRawData = () => undefined
const runRound = () => {
  for (const message of messages) void engine.execProtocolRawStream(message, { syncToFs: false, onRawData })
}
for (let round = 0; round < warmUpRounds; round += 1) runRound()

const startedAt = performance.now()
let done = 0
while (performance.now() - startedAt < Number(seconds) * 1000) {
  runRound()
  done += messages.length
}
process.stdout.write(String((done * 1000) / (performance.now() - startedAt)))
await engine.close()
