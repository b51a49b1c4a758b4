/**
 * The least that a Node server can do on PostgreSQL: node:http, `pg`, one prepared statement. No rights, no token, no
 * grammar. Runs as a process of its own: node bench/limits/bare-postgres.ts '{"port", "url", "text", "parameters"}', where
 * `parameters` are patterns whose first group is the value, one for each parameter of the statement.
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
