/**
 * Runs `@supabase/lite` as its documentation describes for Node: only the App behind @hono/node-server. The peer runs
 * as a separate process: node bench/peers/lite.mjs '{"port", "jwtSecret", "url", "script"?}'. The URL selects the
 * engine. `script` names a file with a JSON array of SQL texts, which are run first to create the bank.
 */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { App } from '@supabase/lite'
import { createPgliteConnection } from '@supabase/lite/pglite'
import { createPostgresConnection } from '@supabase/lite/postgres'

const { port, jwtSecret, url, script } = JSON.parse(process.argv[2] ?? '{}')
const connection = await (url.startsWith('postgres') ? createPostgresConnection : createPgliteConnection)({
  url,
})
if (script !== undefined) {
  for (const text of JSON.parse(readFileSync(script, 'utf8'))) await connection.driver.exec(text)
}
const app = new App({ connection, auth: { enabled: true, jwt_secret: jwtSecret } })
serve({ port, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peerAddress: null }) })
