/**
 * The minimal Node server on the embedded engine: node:http and PGlite in one thread. The server sends the same
 * protocol messages as the product, but encodes them only once. The server neither checks tokens nor parses queries.
 * The server runs as a separate process: node bench/limits/bare-embedded.ts '{"port", "directory", "batches"}', where
 * `batches` is JSON text with one batch for each customer.
 */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import { Parser } from 'pg-protocol/dist/parser.js'
import type { SqlStatement } from '#server/database/database.ts'
import { DurableFileSystem } from '#server/database/pglite/durable-file-system.ts'
import { becomeServingLogin, engineStartParameters } from '#server/database/pglite/parameters.ts'
import { PreparedStatements, WireBatch } from '#server/database/wire-batch.ts'

const { port, directory, batches } = JSON.parse(process.argv[2] ?? '{}') as {
  port: number
  directory: string
  batches: string
}
const engine = await PGlite.create({
  fs: new DurableFileSystem(directory),
  startParams: engineStartParameters,
})

const byCustomer = Object.entries(JSON.parse(batches) as Record<string, SqlStatement[]>)
const prepared = new PreparedStatements({ isKept: true })
for (const { text } of byCustomer[0]?.[1] ?? []) {
  const statement = { ...prepared.make(), columns: [] }
  engine.execProtocolRawSync(
    Buffer.concat([serialize.parse({ name: statement.name, text }), serialize.sync()]),
  )
  prepared.confirm(text, statement)
}
// PostgreSQL looks up the schemas of a statement when it is prepared. The product prepares a statement after it has set
// the caller's role, and only this role may use those schemas.
engine.execProtocolRawSync(serialize.query(becomeServingLogin))
const messages = new Map(
  byCustomer.map(([customer, batch]) => [customer, new WireBatch(batch, prepared).bytes]),
)

createServer((request, response) => {
  const customer = /user_id=eq\.([\w-]+)/.exec(request.url ?? '')?.[1] ?? ''
  const chunks: Uint8Array[] = []
  // The engine's fastest call: it streams the output without parsing it, and returns when all output has been streamed.
  void engine.execProtocolRawStream(messages.get(customer) ?? new Uint8Array(), {
    syncToFs: false,
    onRawData: (chunk) => chunks.push(chunk.slice()),
  })
  let body: string | null = null
  new Parser().parse(Buffer.concat(chunks), (message) => {
    // The first row is the result of setting the scope, and the last row is the result of the read.
    if (message.name === 'dataRow')
      body = (message as unknown as { fields: (string | null)[] }).fields[0] ?? null
    // A refusal costs little. Without this line, it would count as an answer.
    if (message.name === 'error') response.statusCode = 500
  })
  const text = body ?? ''
  response
    .writeHead(response.statusCode, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}).listen(port, '127.0.0.1')
