/**
 * The minimal Node server on PostgreSQL: node:http, `pg` and one prepared statement. The server checks neither tokens
 * nor permissions, and does not parse queries. The server runs as a separate process: node
 * bench/limits/bare-postgres.ts '{"port", "url", "text", "parameters"}'. For each parameter of the statement,
 * `parameters` contains a pattern whose first group captures the value.
 */
import { createServer } from 'node:http'
import pg from 'pg'

const connectionsMax = 8

type Order = { port: number; url: string; text: string; parameters: string[] }
const { port, url, text, parameters } = JSON.parse(process.argv[2] ?? '{}') as Order
const patterns = parameters.map((pattern) => new RegExp(pattern))
const pool = new pg.Pool({ connectionString: url, max: connectionsMax, options: '-c timezone=UTC' })

createServer((request, response) => {
  const asked = decodeURIComponent(request.url ?? '')
  const values = patterns.map((pattern) => pattern.exec(asked)?.[1])
  pool.query<{ body: string }>({ name: 'read', text, values }).then(
    ({ rows: [row] }) => {
      const body = row?.body ?? ''
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body)
    },
    (error: Error) => response.writeHead(500).end(error.message),
  )
}).listen(port, '127.0.0.1')
