/**
 * Serves the tests' bank on another port, where a test can simulate the deployment of a new build whose files have new
 * names.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#testing/ports.ts'

const bank = `http://127.0.0.1:${process.env['E2E_PORT']}`
const texts = /html|javascript|css/

export async function startRedeployed() {
  const port = await freePort()
  const files = await readdir(join(import.meta.dirname, '../../web/dist/assets'))
  const names = files.filter((file) => /\.(?:js|css|woff2)$/.test(file))
  let isNew = false

  /** Returns the text with every file name replaced by its name in the new build. */
  const renamed = (text: string) =>
    names
      .reduce((changed, name) => changed.replaceAll(name, newName(name)), text)
      .replace(/finanzas-[0-9a-f]{16}/, 'finanzas-new')

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    // Serves the build that was deployed when the request arrived. If a file of the old build imported files under
    // their new names, the browser would run them again and start the page a second time.
    const build = isNew ? 'new' : 'old'
    const isAsset = path.startsWith('/assets/')
    if (build === 'new' && isAsset && !path.includes('-new.')) return response.writeHead(404).end()
    const answered = await fetch(bank + path.replace('-new.', '.'), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      redirect: 'manual',
      body: request.method === 'GET' || request.method === 'HEAD' ? null : await bodyOf(request),
    })
    const body = Buffer.from(await answered.arrayBuffer())
    const type = answered.headers.get('content-type') ?? ''
    for (const [name, value] of answered.headers)
      if (!/^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive|etag)$/.test(name))
        response.setHeader(name, value)
    // Prevents the browser's HTTP cache from hiding the new build.
    response.setHeader('cache-control', 'no-store')
    response.writeHead(answered.status)
    return response.end(build === 'new' && texts.test(type) ? renamed(body.toString()) : body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  // Closes every socket, because these tests do not need realtime.
  server.on('upgrade', (_request, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    deploy: () => {
      isNew = true
    },
    close: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function newName(name: string): string {
  return name.replace(/\.(\w+)$/, '-new.$1')
}

/**
 * Returns the headers to forward to the bank. Leaves out `Origin`, which the bank would refuse, and asks for an
 * uncompressed answer.
 */
function headersOf({ headers }: IncomingMessage): Headers {
  const sent = new Headers({ 'accept-encoding': 'identity' })
  for (const name of ['accept', 'apikey', 'authorization', 'content-type', 'prefer']) {
    const value = headers[name]
    if (typeof value === 'string') sent.set(name, value)
  }
  return sent
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
