/**
 * The server gets requests faster than the database can process them. The server sheds requests that would wait too
 * long: it answers 503 with Retry-After, in the format of each surface, and the page can read the answer. All other
 * requests are served. Health checks and sign-outs are never shed (docs/decisions/0050).
 * server/overload/admission-queue.test.ts tests a burst from one person.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { signIn, signUp } from '#testing/people.ts'
import { type Program, clusterOfFile, hasPostgres, startBank } from '#tests/process/programs.ts'

/**
 * Upper limit for the number of requests that the server processes at once. The server has eight database connections
 * for requests, and a few more for its own work.
 */
const servedMax = 40
const asked = 800
const customersCount = 30
const cluster = clusterOfFile()

// A test cannot suspend the embedded engine, which runs inside the server's process.
test.skipIf(!hasPostgres)(
  'a slow database makes the server shed requests that would wait too long and serve all others',
  async () => {
    const program = await startBank({ DATABASE_URL: cluster().ownerUrl, AUTH_AUTOCONFIRM: 'true' })
    const { url } = program
    const apikey = await program.anonKey()
    const [admin, leaver] = [await signIn(program), await signIn(program)]
    // The requests come from many people, because a burst from one person delays only that person's requests.
    const people = await Promise.all(Array.from({ length: customersCount }, () => signUp(program)))
    const headersOf = (token: string) => ({ apikey, authorization: `Bearer ${token}` })
    const ask = (path: string, body: string, more: Record<string, string> = {}) => {
      const common = { ...headersOf(admin.session.access_token), origin: url }
      const headers = { ...common, 'content-type': 'application/json', ...more }
      return fetch(`${url}${path}`, { method: 'POST', headers, body })
    }
    // Sends a plain HTTP request, because the client library would retry automatically.
    const read = async (turn: number) => {
      const token = people[turn % people.length]?.session.access_token ?? ''
      const answer = await fetch(`${url}/rest/v1/budgets?select=balance`, { headers: headersOf(token) })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
    }
    // Warms up the server: the first request also reads the schema, and each person's first request verifies their
    // token.
    for (const { status } of await Promise.all(people.map((_, turn) => read(turn)))) expect(status).toBe(200)
    const signedOut: string[] = []
    admin.client.auth.onAuthStateChange((event) => void signedOut.push(event))

    await cluster().setStopped(true)
    onTestFinished(() => cluster().setStopped(false))
    const refused: (string | null)[] = []
    const reads = Array.from({ length: asked }, async (_, turn) => {
      const { status, retryAfter } = await read(turn)
      if (status === 503) refused.push(retryAfter)
      return status
    })
    // If the test fails before it awaits the reads, their errors must not become unhandled rejections.
    for (const each of reads) each.catch(() => undefined)
    const logout = ask('/auth/v1/logout?scope=local', '', headersOf(leaver.session.access_token))
    const turnedAway = Promise.all([
      ask('/rest/v1/transactions', '{}'),
      ask('/auth/v1/recover', '{"email":"nadie@banco.example"}', { 'x-supabase-api-version': '2024-01-01' }),
      ask('/functions/v1/manage-users', `{"action":"delete","userId":"${randomUUID()}"}`),
    ])
    const kept = sendOnOneConnection(program, headersOf(admin.session.access_token))
    const health = await fetch(`${url}/health`)
    // The server does not have to refuse the requests that already have a database connection. On a slow machine, it
    // can answer these requests while the test is still sending the others.
    await expect.poll(() => refused.length).toBeGreaterThanOrEqual(asked - servedMax)
    const refresh = admin.client.auth.refreshSession()
    const answers = await turnedAway
    const [first, second] = await kept
    await cluster().setStopped(false)
    const served = (await Promise.all(reads)).filter((status) => status === 200)

    expect(await Promise.all(answers.map(async (answer) => shapeOf(answer, url)))).toEqual([
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
    expect(served).toHaveLength(asked - refused.length)
    expect(served.length).toBeGreaterThan(0)
    // The HTTP connection stays usable after a refusal.
    expect([first?.status, second?.status]).toEqual([503, 200])
    expect(second?.port).toBe(first?.port)
    expect(health.status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    expect((await logout).status).toBe(204)
    expect((await refresh).error).toBeNull()
    expect(signedOut).not.toContain('SIGNED_OUT')
    const lines = program.output().split('"msg":').length - 1
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(refused.length / 2)
    expect((await read(0)).status).toBe(200)
  },
)

/** The properties of a refusal that matter to a page of the site. */
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

/**
 * Sends a request for rows and then a request for `/health` on one connection. Returns the status and the local port of
 * each request.
 */
async function sendOnOneConnection({ url }: Program, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const answers: { status: number | undefined; port: number | undefined }[] = []
  for (const path of ['/rest/v1/transactions', '/health']) {
    const [answer] = (await once(request(`${url}${path}`, { agent, headers }).end(), 'response')) as [
      IncomingMessage,
    ]
    answers.push({ status: answer.statusCode, port: answer.socket.localPort })
    await once(answer.resume(), 'end')
  }
  return answers
}
