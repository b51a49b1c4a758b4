// Says that a port is taken before a first start spends a minute on packages and the page; the server says the same.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { SetUpError } from './run.mjs'

/** Only where a server is what follows: the page for a static host is built with the same set-up. */
const serving = new Set(['prestart', 'predemo'])

/** @param {NodeJS.ProcessEnv} env */
export async function checkPorts(env = process.env) {
  if (!serving.has(env['npm_lifecycle_event'] ?? '')) return
  await check('PORT', Number(env['PORT'] || 3000), env['HOST'] || '127.0.0.1')
  if (env['METRICS_PORT'])
    await check('METRICS_PORT', Number(env['METRICS_PORT']), env['METRICS_HOST'] || '127.0.0.1')
}

/**
 * @param {string} name
 * @param {number} port
 * @param {string} host
 */
async function check(name, port, host) {
  // What cannot be a port is the server's to refuse.
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return
    throw new SetUpError(
      `another program uses port ${port}. Stop it, or choose another port: ${name}=${port + 1} npm start`,
    )
  }
  probe.close()
  await once(probe, 'close')
}
