/**
 * Whom deploy/haproxy.cfg serves while the database is away. Seen red with one backend for all, which kept the page and
 * sign-outs from people, and with requests that went to servers which could do nothing for them.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findProxy, startProxy } from './proxy.ts'

// HAProxy is a Debian package that a machine may not have.
test.skipIf(findProxy() === undefined)(
  'without the database the page comes and a sign-out arrives, everybody else is told to come again',
  async () => {
    const servers = [await startStub(), await startStub()] as const
    const nowhere = { address: '127.0.0.1:1', patroniPort: 1 }
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
