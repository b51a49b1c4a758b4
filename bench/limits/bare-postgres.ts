/**
 * The least that a Node server can do on PostgreSQL: node:http, `pg`, one prepared statement. No rights, no token, no
 * grammar. Runs as a process of its own: node bench/limits/bare-postgres.ts '{"port", "url", "text"}'
 */
import { createServer } from 'node:http'
import pg from 'pg'

const connectionsMax = 8

const { port, url, text } = JSON.parse(process.argv[2] ?? '{}') as { port: number; url: string; text: string }
const pool = new pg.Pool({ connectionString: url, max: connectionsMax, options: '-c timezone=UTC' })

createServer((request, response) => {
  const customer = /user_id=eq\.([\w-]+)/.exec(request.url ?? '')?.[1]
  pool.query<{ body: string }>({ name: 'read', text, values: [customer] }).then(
    ({ rows: [row] }) => {
      const body = row?.body ?? ''
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body)
    },
    (error: Error) => response.writeHead(500).end(error.message),
  )
}).listen(port, '127.0.0.1')
