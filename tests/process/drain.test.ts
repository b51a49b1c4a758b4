/**
 * Stops a server that is in use. First `/ready` answers 503, but the server still serves requests. Then the server
 * closes all sockets with the code 1001, so that their clients connect to another server. It still answers the requests
 * that are already in progress.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { signIn } from '#testing/people.ts'
import { joinedSocket, startBank, startReady } from './programs.ts'

const socketsCount = 100
const writersCount = 16
/**
 * This time is long enough for all requests of this test, even beside the servers of other tests. It is shorter than the
 * time for which the server waits for the rest of a body.
 */
const drainSeconds = 8
const goingAway = 1001

const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())

type Answer = { status: number; connection: string | undefined }

/**
 * Sends a request whose body is completed when `release` resolves. Rejects if the server does not answer the
 * request.
 */
async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
  release?: Promise<unknown>,
): Promise<Answer> {
  const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } })
  sent.write(body.slice(0, 10))
  const answered = once(sent, 'response')
  await release
  sent.end(body.slice(10))
  const [answer] = (await answered) as [IncomingMessage]
  await once(answer.resume(), 'end')
  return { status: answer.statusCode ?? 0, connection: answer.headers.connection }
}

test('a draining server answers every request and then closes its sockets with the code 1001', async () => {
  const program = await startBank({ DRAIN_SECONDS: String(drainSeconds), LOG_LEVEL: 'info' })
  const { id, session } = await signIn(program)
  const sockets = await Promise.all(Array.from({ length: socketsCount }, () => joinedSocket(program)))
  const codes: number[] = []
  const closed = Promise.all(
    sockets.map(async (socket) => codes.push((await once(socket, 'close'))[0] as number)),
  )
  const headers = {
    apikey: await program.anonKey(),
    authorization: `Bearer ${session.access_token}`,
    'content-type': 'application/json',
  }
  const record = (release?: Promise<unknown>) => {
    const body = { user_id: id, type: 'expense', description: 'x', amount: 1 }
    return send(`${program.url}/rest/v1/transactions`, headers, JSON.stringify(body), release)
  }
  let isUnready = false
  const answers: Answer[] = []
  const whenUnready: Answer[] = []
  const write = async () => {
    // Continues to send requests, like a proxy that has not yet checked `/ready` again.
    while (whenUnready.length < 2 * writersCount) {
      const began = isUnready
      const answer = await record()
      ;(began ? whenUnready : answers).push(answer)
    }
  }
  const writing = Promise.all(Array.from({ length: writersCount }, write))
  await expect.poll(() => answers.length).toBeGreaterThan(writersCount)

  program.process.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${program.url}/ready`)).status).toBe(503)
  isUnready = true
  await writing
  const closedWhileServing = codes.length
  // These requests start before the server closes its sockets and end after the sockets are closed.
  const unfinished = Array.from({ length: writersCount }, () => record(closed))
  const unfinishedAnswers = await Promise.all(unfinished)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(whenUnready.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ status: 201, connection: 'close' })]),
  )
  expect(closedWhileServing).toBe(0)
  expect(codes).toEqual(Array.from({ length: socketsCount }, () => goingAway))
  expect(unfinishedAnswers.map(({ status }) => status)).toEqual(unfinished.map(() => 201))
  expect(await program.ended).toBe(0)
  // The server does not log the 503 answers of `/ready` as failures.
  expect(program.output()).not.toContain('"/ready"')
  expect(program.output()).toMatch(/"msg":"the server drains".*"msg":"the server has ended"/s)
})

test('a server without DRAIN_SECONDS stops immediately', async () => {
  const program = await startReady({ LOG_LEVEL: 'info' })

  expect(await program.stop()).toMatchObject({ code: 0 })

  // The test does not measure the time, because a process may take seconds to exit on a busy machine.
  expect(program.output()).toMatch(
    /"drainSeconds":0,"msg":"the server drains".*"msg":"the server has ended"/s,
  )
})
