/**
 * Tests how the proxy with the configuration deploy/haproxy.cfg behaves when the database is unreachable, a server
 * hangs, or a server drains.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type RequestListener, createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { queueLengthPerFlowMax } from '#server/overload/admission-queue.ts'
import { findProxy, startProxy } from '#testing/proxy.ts'
import { emptyDirectory } from '#tests/process/programs.ts'

const nowhere = { address: '127.0.0.1:1', patroniPort: 1 }

/**
 * Starts the proxy in front of two servers and waits until the proxy has checked both servers. `status` is the status
 * that the proxy must then return for `/rest/v1/x`.
 */
async function startBefore(servers: readonly [string, string], status: number) {
  const proxy = await startProxy(findProxy() ?? '', { servers, postgres: [nowhere, nowhere] })
  onTestFinished(() => proxy.stop())
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(`${proxy.url}${path}`, { method })).status
  // The proxy assumes that a server is up until it has checked that server for the first time.
  await expect.poll(() => statusOf('/rest/v1/x').catch(() => null)).toBe(status)
  return { ...proxy, statusOf }
}

/** Starts a stub server with the given listener and returns its `host:port`. */
async function startStub(listener: RequestListener): Promise<string> {
  const stub = createServer(listener).listen(0, '127.0.0.1')
  await once(stub, 'listening')
  onTestFinished(() => {
    stub.closeAllConnections()
    stub.close()
  })
  return `127.0.0.1:${(stub.address() as AddressInfo).port}`
}

// HAProxy is a Debian package that is not installed on every machine.
describe.skipIf(findProxy() === undefined)('behind HAProxy', () => {
  test('the page and sign-outs still work without the database, and other requests get a retryable error', async () => {
    const unready: RequestListener = ({ url }, response) =>
      response.writeHead(url === '/ready' ? 503 : 200).end()
    const proxy = await startBefore([await startStub(unready), await startStub(unready)], 503)

    for (const [method, path, status] of [
      ['GET', '/', 200],
      ['GET', '/assets/index.js', 200],
      ['POST', '/auth/v1/logout?scope=local', 200],
      ['OPTIONS', '/rest/v1/transactions', 200],
      ['POST', '/auth/v1/token', 503],
      ['POST', '/functions/v1/manage-users', 503],
      ['POST', '/realtime/v1/api/broadcast', 503],
    ] as const)
      expect([path, await proxy.statusOf(path, method)]).toEqual([path, status])
    const refused = await fetch(`${proxy.url}/rest/v1/transactions`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  })

  test('the proxy closes the sockets of a hanging server but keeps those of a draining server', async () => {
    const [leaving, hanging] = [await startProcess(), await startProcess()]
    const proxy = await startBefore([leaving.address, hanging.address], 200)
    const sockets = [await openSocket(proxy.url), await openSocket(proxy.url)]
    expect(new Set(sockets.map(({ server }) => server)).size).toBe(2)
    const socketOf = ({ id }: ProcessStub) => sockets.find(({ server }) => server === id)
    const nextServer = async () => (await openSocket(proxy.url)).server

    // From now on, this server's `/ready` reports that the server is draining.
    leaving.process.kill('SIGUSR2')
    await expect.poll(nextServer, { timeout: 5000 }).toBe(hanging.id)
    expect(socketOf(leaving)?.isOpen()).toBe(true)
    leaving.process.kill('SIGUSR2')
    await expect.poll(nextServer, { timeout: 5000 }).toBe(leaving.id)

    hanging.process.kill('SIGSTOP')
    const answers = await Promise.all(Array.from({ length: 8 }, () => proxy.statusOf('/rest/v1/x')))
    expect(new Set(answers)).toEqual(new Set([200, 504]))
    expect(socketOf(hanging)?.isOpen()).toBe(false)
    expect(socketOf(leaving)?.isOpen()).toBe(true)
  })

  test('a customer with many waiting requests cannot block other customers', async () => {
    let held = 0
    // Holds some requests without an answer, like a server with a long queue.
    const holding: RequestListener = ({ url }, response) => {
      if (url === '/rest/v1/held') held += 1
      else response.end()
    }
    const proxy = await startBefore([await startStub(holding), await startStub(holding)], 200)
    const count = 2 * (queueLengthPerFlowMax + 100)
    for (let index = 0; index < count; index += 1) {
      const call = request(`${proxy.url}/rest/v1/held`, { agent: false })
      call.on('error', () => undefined).end()
      onTestFinished(() => void call.destroy())
    }
    await expect.poll(() => held, { timeout: 15_000 }).toBe(count)

    expect(await proxy.statusOf('/rest/v1/x')).toBe(200)
  })

  test('adding a third server to the proxy needs only one line in each backend', async () => {
    const text = await readFile('deploy/haproxy.cfg', 'utf8')
    const withThird = text.replaceAll('# server three', 'server three')
    expect(withThird.match(/^ {2}server three "\$\{SERVER_3\}"/gm)).toHaveLength(3)
    const file = join(await emptyDirectory(), 'haproxy.cfg')
    await writeFile(file, withThird)
    const names = ['SERVER_1', 'SERVER_2', 'SERVER_3', 'POSTGRES_1', 'POSTGRES_2']
    const env = Object.fromEntries(names.map((name) => [name, nowhere.address]))

    const checked = await promisify(execFile)(findProxy() ?? '', ['-c', '-f', file], { env })

    expect(checked.stdout).toContain('valid')
  })
})

/**
 * A stub server that runs in its own process and can therefore be suspended. The stub answers every request and accepts
 * socket upgrades. After the first SIGUSR2 its `/ready` answers 503, and after the next SIGUSR2 it answers 200 again.
 */
const stubProgram = `
  let isLeaving = false
  process.on('SIGUSR2', () => (isLeaving = !isLeaving))
  const server = require('node:http').createServer(({ url }, response) =>
    response.writeHead(url === '/ready' && isLeaving ? 503 : 200).end())
  server.on('upgrade', (_request, socket) => socket.write(
    'HTTP/1.1 101 Switching Protocols\\r\\nConnection: upgrade\\r\\nUpgrade: bytes\\r\\nX-Server: ' + process.pid + '\\r\\n\\r\\n'))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

type ProcessStub = { process: ChildProcess; id: string; address: string }

async function startProcess(): Promise<ProcessStub> {
  const child = spawn(process.execPath, ['-e', stubProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, id: String(child.pid), address: `127.0.0.1:${port.toString().trim()}` }
}

async function openSocket(proxyUrl: string): Promise<{ server: unknown; isOpen: () => boolean }> {
  const headers = { connection: 'upgrade', upgrade: 'bytes' }
  const call = request(`${proxyUrl}/realtime/v1/websocket`, { headers }).end()
  // When no server is available, the proxy itself answers the request.
  const refused = once(call, 'response').then(() => null)
  const upgraded = once(call, 'upgrade') as Promise<[{ headers: Record<string, unknown> }, Socket]>
  const answer = await Promise.race([upgraded, refused])
  if (answer === null) return { server: null, isOpen: () => false }
  const [response, socket] = answer
  socket.on('error', () => undefined)
  socket.resume()
  onTestFinished(() => void socket.destroy())
  return { server: response.headers['x-server'], isOpen: () => !socket.destroyed }
}
