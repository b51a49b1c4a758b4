/** What deploy/haproxy.cfg serves while the database is away, a server hangs, or a server leaves. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { queueLengthPerFlowMax } from '#server/overload/admission-queue.ts'
import { findProxy, startProxy } from '#testing/proxy.ts'

// HAProxy is a Debian package that a machine may not have.
test.skipIf(findProxy() === undefined)(
  'without the database the page comes and a sign-out arrives, everybody else is told to come again',
  async () => {
    const servers = [await startStub(), await startStub()] as const
    const proxy = await startProxy(findProxy() ?? '', { servers, postgres: [nowhere, nowhere] })
    onTestFinished(() => proxy.stop())
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(`${proxy.url}${path}`, { method })).status
    // It believes in its servers until it has asked each once.
    await expect.poll(() => statusOf('/rest/v1/transactions').catch(() => null)).toBe(503)

    expect(await statusOf('/')).toBe(200)
    expect(await statusOf('/assets/index.js')).toBe(200)
    expect(await statusOf('/auth/v1/logout?scope=local', 'POST')).toBe(200)
    expect(await statusOf('/rest/v1/transactions', 'OPTIONS')).toBe(200)
    const refused = await fetch(`${proxy.url}/rest/v1/transactions`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    for (const path of ['/auth/v1/token', '/functions/v1/manage-users', '/realtime/v1/api/broadcast'])
      expect(await statusOf(path, 'POST')).toBe(503)
  },
)

// HAProxy is a Debian package that a machine may not have.
test.skipIf(findProxy() === undefined)(
  'a server that hangs loses its sockets at once and its requests after seconds; one that leaves keeps what it has',
  async () => {
    const servers = [await startProcess(), await startProcess()] as const
    const proxy = await startProxy(findProxy() ?? '', {
      servers: [servers[0].address, servers[1].address],
      postgres: [nowhere, nowhere],
    })
    onTestFinished(() => proxy.stop())
    await expect
      .poll(() =>
        fetch(`${proxy.url}/rest/v1/x`).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200)
    const sockets = [await openSocket(proxy.url), await openSocket(proxy.url)]
    expect(new Set(sockets.map(({ server }) => server)).size).toBe(2)
    const [leaving, hanging] = servers
    const socketOf = (server: Stub) => sockets.find((socket) => socket.server === String(server.process.pid))

    // It says at /ready that it leaves.
    leaving.process.kill('SIGUSR2')
    await expect
      .poll(async () => (await openSocket(proxy.url)).server, { timeout: 5000 })
      .toBe(String(hanging.process.pid))
    expect(socketOf(leaving)?.isOpen()).toBe(true)
    leaving.process.kill('SIGUSR2')
    await expect
      .poll(async () => (await openSocket(proxy.url)).server, { timeout: 5000 })
      .toBe(String(leaving.process.pid))

    hanging.process.kill('SIGSTOP')
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await fetch(`${proxy.url}/rest/v1/x`)).status),
    )
    expect(new Set(answers)).toEqual(new Set([200, 504]))
    expect(socketOf(hanging)?.isOpen()).toBe(false)
    expect(socketOf(leaving)?.isOpen()).toBe(true)
  },
  60_000,
)

// HAProxy is a Debian package that a machine may not have.
test.skipIf(findProxy() === undefined)(
  'as many requests as one customer may have waiting, and more, keep nobody else out',
  async () => {
    const holding = [await startHolding(), await startHolding()] as const
    const proxy = await startProxy(findProxy() ?? '', {
      servers: [holding[0].address, holding[1].address],
      postgres: [nowhere, nowhere],
    })
    onTestFinished(() => proxy.stop())
    const statusOf = (path: string) =>
      fetch(`${proxy.url}${path}`).then(
        ({ status }) => status,
        () => null,
      )
    await expect.poll(() => statusOf('/rest/v1/x')).toBe(200)
    const count = 2 * (queueLengthPerFlowMax + 100)
    for (let index = 0; index < count; index += 1) {
      const call = request(`${proxy.url}/rest/v1/held`, { agent: false })
      call.on('error', () => undefined).end()
      onTestFinished(() => void call.destroy())
    }
    await expect.poll(() => holding[0].held() + holding[1].held(), { timeout: 15_000 }).toBe(count)

    expect(await statusOf('/rest/v1/x')).toBe(200)
  },
  30_000,
)

// HAProxy is a Debian package that a machine may not have.
test.skipIf(findProxy() === undefined)('a third server is a line in each backend', async () => {
  const text = await readFile('deploy/haproxy.cfg', 'utf8')
  const withThird = text.replaceAll('# server three', 'server three')
  expect(withThird.match(/^ {2}server three "\$\{SERVER_3\}"/gm)).toHaveLength(3)
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-proxy-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'haproxy.cfg'), withThird)
  const address = '127.0.0.1:1'
  const env = {
    SERVER_1: address,
    SERVER_2: address,
    SERVER_3: address,
    POSTGRES_1: address,
    POSTGRES_2: address,
  }

  const checked = await promisify(execFile)(findProxy() ?? '', ['-c', '-f', join(directory, 'haproxy.cfg')], {
    env,
  })

  expect(checked.stdout).toContain('valid')
})

const nowhere = { address: '127.0.0.1:1', patroniPort: 1 }

/** A server that can be stopped where it stands: it answers all, upgrades, and begins or ceases to leave on SIGUSR2. */
const stubProgram = `
  let isLeaving = false
  process.on('SIGUSR2', () => (isLeaving = !isLeaving))
  const server = require('node:http').createServer(({ url }, response) =>
    response.writeHead(url === '/ready' && isLeaving ? 503 : 200).end())
  server.on('upgrade', (_request, socket) => socket.write(
    'HTTP/1.1 101 Switching Protocols\\r\\nConnection: upgrade\\r\\nUpgrade: bytes\\r\\nX-Server: ' + process.pid + '\\r\\n\\r\\n'))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

type Stub = { process: ChildProcess; address: string }

async function startProcess(): Promise<Stub> {
  const child = spawn(process.execPath, ['-e', stubProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, address: `127.0.0.1:${port.toString().trim()}` }
}

/** A server that keeps some requests waiting, as one whose queue is long. */
async function startHolding(): Promise<{ address: string; held: () => number }> {
  let held = 0
  const stub = createServer(({ url }, response) => {
    if (url === '/rest/v1/held') held += 1
    else response.end()
  })
  stub.listen(0, '127.0.0.1')
  await once(stub, 'listening')
  onTestFinished(() => {
    stub.closeAllConnections()
    stub.close()
  })
  return { address: `127.0.0.1:${(stub.address() as AddressInfo).port}`, held: () => held }
}

async function openSocket(proxyUrl: string): Promise<{ server: unknown; isOpen: () => boolean }> {
  const call = request(`${proxyUrl}/realtime/v1/websocket`, {
    headers: { connection: 'upgrade', upgrade: 'bytes' },
  }).end()
  // Without a server the proxy answers by itself.
  const refused = once(call, 'response').then(() => null)
  const upgraded = once(call, 'upgrade') as Promise<[{ headers: Record<string, unknown> }, Socket]>
  const answer = await Promise.race([upgraded, refused])
  if (answer === null) return { server: null, isOpen: () => false }
  const [response, socket] = answer
  let isOpen = true
  socket.on('error', () => undefined)
  socket.on('close', () => (isOpen = false))
  socket.resume()
  onTestFinished(() => void socket.destroy())
  return { server: response.headers['x-server'], isOpen: () => isOpen }
}

/** A server whose database is away: it answers all, but says that it is not ready. Answers its `host:port`. */
async function startStub(): Promise<string> {
  const stub = createServer(({ url }, response) => response.writeHead(url === '/ready' ? 503 : 200).end())
  stub.listen(0, '127.0.0.1')
  await once(stub, 'listening')
  onTestFinished(() => {
    stub.closeAllConnections()
    stub.close()
  })
  return `127.0.0.1:${(stub.address() as AddressInfo).port}`
}
