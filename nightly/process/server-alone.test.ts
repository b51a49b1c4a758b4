/** One of two servers on a bank has a fault that the other has not: its database is away, or its clock is off. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { anonKeyOf } from '#tests/process/client.ts'
import { openFaultyLine } from '#tests/process/faulty-line.ts'
import { clusterOfFile, type Program, emptyDirectory, startProgram } from '#tests/process/server-program.ts'
import { signIn, startOn } from '#tests/process/servers-of-one-bank.ts'

const hasPostgres = findPostgresBinaries() !== undefined
const clockLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const cluster = clusterOfFile()

// The embedded engine has one server.
describe.skipIf(!hasPostgres)('a server', () => {
  test('that has lost its database closes its sockets for another server, which keeps its own', async () => {
    const url = await cluster().createDatabase('alone')
    const line = await openFaultyLine(url)
    try {
      const well = await startOn({ DATABASE_URL: url })
      const alone = await startOn({ DATABASE_URL: line.urlOf(url) })
      const { client } = await signIn(well)
      const { data } = await client.auth.getSession()
      const closed: [server: string, code: number][] = []
      for (const [name, program] of [
        ['well', well],
        ['alone', alone],
      ] as const) {
        const socket = await joinedSocket(program, data.session?.access_token ?? '')
        socket.addEventListener('close', ({ code }) => closed.push([name, code]))
      }

      line.cut()

      await expect.poll(() => closed, { timeout: 20_000 }).toEqual([['alone', 1001]])
      expect(alone.output()).toContain('sockets are sent elsewhere')
      expect((await fetch(`${alone.url}/ready`)).status).toBe(503)
      await expect.poll(() => alone.output()).toContain('request failed')
      line.mend()
      await expect.poll(async () => (await fetch(`${alone.url}/ready`)).status).toBe(200)
    } finally {
      await line.close()
    }
  }, 60_000)

  // libfaketime is a Debian package that a machine may not have.
  test.skipIf(!existsSync(clockLibrary))(
    'whose clock is five minutes behind says so and is not ready',
    async () => {
      const url = await cluster().createDatabase('late')
      const late = await startProgram({
        DATA_DIR: await emptyDirectory(),
        DATABASE_URL: url,
        LD_PRELOAD: clockLibrary,
        FAKETIME: '-5m',
      })

      await expect
        .poll(
          () =>
            fetch(`${late.url}/ready`).then(
              async (answer) => [answer.status, await answer.json()],
              () => null,
            ),
          { timeout: 30_000 },
        )
        .toEqual([503, { status: 'clock' }])

      const alarm = /^.*ALARM: the clock.*$/m.exec(late.output())?.[0] ?? '{}'
      expect((JSON.parse(alarm) as { offsetSeconds: number }).offsetSeconds).toBeCloseTo(300, -1)
      expect((await fetch(`${late.url}/health`)).status).toBe(200)
    },
  )
})

/** A socket that has joined a channel: one that joins none is closed for that. */
async function joinedSocket(program: Program, token: string): Promise<WebSocket> {
  const address = program.url.replace('http:', 'ws:')
  const socket = new WebSocket(
    `${address}/realtime/v1/websocket?apikey=${await anonKeyOf(program)}&vsn=1.0.0`,
  )
  onTestFinished(() => socket.close())
  await once(socket, 'open')
  const payload = { config: {}, access_token: token }
  socket.send(JSON.stringify({ topic: 'realtime:own', event: 'phx_join', payload, ref: '1', join_ref: '1' }))
  const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>]
  expect(JSON.parse(data)).toMatchObject({ event: 'phx_reply', payload: { status: 'ok' } })
  return socket
}
