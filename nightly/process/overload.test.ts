/**
 * More requests than the database can carry out soon: what would wait for too long is shed with 503 and Retry-After, in
 * the words of the surface and readable for the page; the others are served, and what says how the server is or
 * ends a session is not shed. A burst of one person waits its turn (docs/decisions/0050).
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import { anonKeyOf, clientOf } from '#tests/process/client.ts'
import {
  clusterOfFile,
  type Program,
  emptyDirectory,
  migratedDirectory,
  startProgram,
  untilReady,
} from '#tests/process/server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }
/** Eight connections of the server, and some of the server's own work. */
const servedMax = 40
const asked = 800
const customersCount = 30

// Nothing can stop the embedded engine from outside.
describe.skipIf(findPostgresBinaries() === undefined)('while the database does not keep up', () => {
  const cluster = clusterOfFile()

  test('who would wait for too long is told to come again, everybody else is served', async () => {
    const { program, client, headers, read } = await startBusy(cluster())
    const ask = (path: string, body: string, more: Record<string, string> = {}) =>
      fetch(`${program.url}${path}`, {
        method: 'POST',
        headers: { ...headers, origin: program.url, 'content-type': 'application/json', ...more },
        body,
      })
    const signedOut: string[] = []
    client.auth.onAuthStateChange((event) => void signedOut.push(event))
    const leaving = await clientOf(program)
    const { data: leaver } = await leaving.auth.signInWithPassword(administrator)

    await cluster().setStopped(true)
    onTestFinished(() => cluster().setStopped(false))
    const refused: (string | null)[] = []
    const reads = Array.from({ length: asked }, async () => {
      const { status, retryAfter } = await read()
      if (status === 503) refused.push(retryAfter)
      return status
    })
    // Asked for at once; a failure above may leave them unanswered.
    for (const each of reads) each.catch(() => undefined)
    const logout = ask('/auth/v1/logout?scope=local', '', {
      authorization: `Bearer ${leaver.session?.access_token}`,
    })
    const turnedAway = Promise.all([
      ask('/rest/v1/transactions', '{}'),
      ask('/auth/v1/recover', '{"email":"nadie@banco.example"}', { 'x-supabase-api-version': '2024-01-01' }),
      ask('/functions/v1/manage-users', `{"action":"delete","userId":"${randomUUID()}"}`),
    ])
    const health = await fetch(`${program.url}/health`)
    // All but those who have a connection: a machine that is slow to send them would have it answer the rest.
    await expect.poll(() => refused.length).toBeGreaterThanOrEqual(asked - servedMax)
    const refresh = client.auth.refreshSession()
    const answers = await turnedAway
    await cluster().setStopped(false)
    const statuses = await Promise.all(reads)

    const shapes = await Promise.all(answers.map(async (answer) => shapeOf(answer, program.url)))
    expect(shapes).toEqual([
      {
        ...readable,
        code: 'PGRST000',
        details: null,
        hint: null,
        message: 'Database connection error. Retrying the connection.',
      },
      {
        ...readable,
        code: 'service_unavailable',
        message: 'The service is busy or starting. Try again in a moment.',
      },
      { ...readable, error: 'El servicio no está disponible. Inténtalo de nuevo en unos segundos.' },
    ])
    expect(new Set(refused)).toEqual(new Set(['2']))
    expect(statuses.filter((status) => status === 200)).toHaveLength(asked - refused.length)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(health.status).toBe(200)
    expect((await fetch(`${program.url}/ready`)).status).toBe(200)
    expect((await logout).status).toBe(204)
    expect((await refresh).error).toBeNull()
    expect(signedOut).not.toContain('SIGNED_OUT')
    const lines = program.output().split('"msg":').length - 1
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(refused.length / 2)
    expect((await read()).status).toBe(200)
  })

  test('a connection can be used again after a refusal', async () => {
    const { program, headers, read } = await startBusy(cluster())
    const agent = oneConnection()
    await cluster().setStopped(true)
    onTestFinished(() => cluster().setStopped(false))
    const others = Array.from({ length: asked }, read)
    for (const each of others) each.catch(() => undefined)

    const refused = await send(program, agent, { path: '/rest/v1/transactions', headers })
    const after = await send(program, agent, { path: '/health', headers })
    await cluster().setStopped(false)

    expect([refused.status, after.status]).toEqual([503, 200])
    expect(after.port).toBe(refused.port)
    await Promise.all(others)
  })
})

const isEngineHere = { embedded: true, PostgreSQL: findPostgresBinaries() !== undefined }

describe.each(['embedded', 'PostgreSQL'] as const)('a burst of one person, %s', (engine) => {
  const burst = 500

  // PostgreSQL is not on every machine; CI refuses to go on without it.
  test.runIf(isEngineHere[engine])(
    '500 reads and 500 postings sent at one moment are all answered',
    async () => {
      const cluster = engine === 'embedded' ? null : await startCluster({ isDurable: false })
      onTestFinished(() => cluster?.stop())
      // With the rate limits of a bank.
      const program = await startProgram({
        DATA_DIR: await migratedDirectory(),
        ...(cluster === null ? {} : { DATABASE_URL: cluster.ownerUrl }),
        ADMIN_PASSWORD: administrator.password,
        JWT_SECRET: `a secret of this test ${randomUUID()}`,
      })
      await untilReady(program)
      const { data } = await (await clientOf(program)).auth.signInWithPassword(administrator)
      const headers = {
        apikey: await anonKeyOf(program),
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      }
      const transactionData = {
        user_id: data.user?.id,
        type: 'deposit',
        amount: 1,
        description: 'Abono',
        date: new Date().toISOString(),
      }
      const statuses = (path: string, init: RequestInit = {}) =>
        Promise.all(
          Array.from(
            { length: burst },
            async () => (await fetch(`${program.url}${path}`, { headers, ...init })).status,
          ),
        )

      const reads = await statuses('/rest/v1/budgets?select=balance')
      const postings = await statuses('/functions/v1/manage-transactions', {
        method: 'POST',
        body: JSON.stringify({ action: 'create', transactionData }),
      })

      expect([new Set(reads), new Set(postings)]).toEqual([new Set([200]), new Set([200])])
    },
  )
})

/** An agent that has no other connection to use. */
function oneConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

/** What a page of the site reads of any answer. */
const readable = { status: 503, retryAfter: '2', isForPage: true, exposesRetry: true, isKept: false }

async function shapeOf(answer: Response, origin: string) {
  const { headers } = answer
  return {
    status: answer.status,
    retryAfter: headers.get('retry-after'),
    isForPage: headers.get('access-control-allow-origin') === origin && headers.get('x-request-id') !== null,
    exposesRetry: headers.get('access-control-expose-headers')?.includes('Retry-After') === true,
    isKept: headers.get('cache-control') !== 'no-store',
    ...((await answer.json()) as object),
  }
}

async function startBusy(cluster: Cluster) {
  const program = await startProgram({
    DATA_DIR: await emptyDirectory(),
    DATABASE_URL: await cluster.createDatabase(`busy_${randomUUID().slice(0, 8)}`),
    ADMIN_PASSWORD: administrator.password,
    JWT_SECRET: `a secret of this test ${randomUUID()}`,
    AUTH_RATE_LIMITS: 'off',
    AUTH_AUTOCONFIRM: 'true',
    LOG_LEVEL: 'warn',
  })
  await untilReady(program)
  const client = await clientOf(program)
  const { data } = await client.auth.signInWithPassword(administrator)
  const headers = {
    apikey: await anonKeyOf(program),
    authorization: `Bearer ${data.session?.access_token}`,
  }
  // Of many people: one person's burst waits for itself.
  const tokens = await Promise.all(Array.from({ length: customersCount }, () => signUp(program)))
  let reads = 0
  // Not through the client: it would try again by itself.
  const read = async () => {
    const authorization = `Bearer ${tokens[(reads += 1) % tokens.length]}`
    const answer = await fetch(`${program.url}/rest/v1/budgets?select=balance`, {
      headers: { ...headers, authorization },
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  // The first one asks what tables there are as well, and each one's first has their token verified.
  const first = await Promise.all(tokens.map(() => read()))
  expect(first.filter(({ status }) => status !== 200)).toEqual([])
  return { program, client, headers, read }
}

async function signUp(program: Program): Promise<string | undefined> {
  const client = await clientOf(program)
  const { data, error } = await client.auth.signUp({
    email: `cliente-${randomUUID()}@banco.example`,
    password: `una clave larga ${randomUUID()}`,
  })
  if (error !== null) throw error
  return data.session?.access_token
}

/** By a connection that can be recognised. */
async function send(
  { url }: Program,
  agent: Agent,
  { path, headers }: { path: string; headers: Record<string, string> },
) {
  const sending = request(`${url}${path}`, { agent, headers })
  sending.end()
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const port = answer.socket.localPort
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, port }
}
