/**
 * The database killed, stopped, out of connections, and a line to it that is cut, silent, slow or reset: clients see
 * 503 with Retry-After and nothing else, no session ends, nothing acknowledged is lost, and the first success
 * comes within five seconds of the database's return. The table API says PGRST000 for all of it.
 */
import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AwakeClock } from '#testing/awake-clock.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import { anonKeyOf, clientOf, transactionIds } from '#tests/process/client.ts'
import { type FaultyLine, openFaultyLine } from '#tests/process/faulty-line.ts'
import { askPsql } from '#tests/process/psql.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }
const secret = `a secret of several programs ${randomUUID()}`
const writers = 6
const faultMs = 1500
const returnMaxMs = 5000

// The embedded engine has no server that could be away.
describe.skipIf(findPostgresBinaries() === undefined)('while the database is in trouble', () => {
  let cluster: Cluster
  let line: FaultyLine

  beforeAll(async () => {
    // Durable: what was acknowledged must survive the database's own crash.
    cluster = await startCluster({ isDurable: true })
    line = await openFaultyLine(cluster.ownerUrl)
  }, 60_000)
  afterAll(async () => {
    await line.close()
    await cluster.stop()
  })

  test.each<[string, () => unknown, () => unknown]>([
    ['the line is cut', () => line.cut(), () => line.mend()],
    ['the line is silent', () => line.silence(), () => line.mend()],
    ['every piece takes 300 ms', () => line.slow(300), () => line.mend()],
    ['connections are reset', () => line.resetOnce(), () => undefined],
    ['the database is killed', () => cluster.kill(), () => cluster.restart()],
    ['the database is stopped', () => cluster.setStopped(true), () => cluster.setStopped(false)],
    ['there are no more connections', () => leaveNoConnections(cluster), () => giveConnections(cluster)],
  ])('%s: 503 or an answer, nobody signed out, nothing lost', async (_name, begin, end) => {
    const program = await startProgram({
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: line.urlOf(cluster.ownerUrl),
      ADMIN_PASSWORD: administrator.password,
      JWT_SECRET: secret,
      AUTH_RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
    })
    await untilReady(program)
    const people = await Promise.all(Array.from({ length: writers }, () => signIn(program)))
    const traffic = new Traffic(people)
    const clock = new AwakeClock()
    onTestFinished(() => clock.stop())
    await traffic.untilAcknowledged(writers)

    await Promise.resolve(begin())
    const refreshing = people.map(({ client }) => client.auth.refreshSession())
    await new Promise((resolve) => setTimeout(resolve, faultMs))
    await Promise.resolve(end())
    clock.restart()
    await traffic.untilAcknowledged(traffic.acknowledged.length + 1)
    const returnMs = clock.ms
    await traffic.stop()

    expect(traffic.unexpected).toEqual([])
    expect(returnMs).toBeLessThan(returnMaxMs)
    expect((await Promise.all(refreshing)).map(({ error }) => error)).toEqual(people.map(() => null))
    expect(traffic.signOuts).toBe(0)
    const kept = await transactionIds((people[0] as Person).client)
    expect(traffic.acknowledged.filter((id) => !kept.has(id))).toEqual([])
  })
})

// Nor has it connections that could be busy.
describe.skipIf(findPostgresBinaries() === undefined)('the table API without a connection', () => {
  let cluster: Cluster
  let line: FaultyLine
  beforeAll(async () => {
    cluster = await startCluster({ isDurable: false })
    line = await openFaultyLine(cluster.ownerUrl)
  }, 60_000)
  afterAll(async () => {
    await line.close()
    await cluster.stop()
  })

  test('answers 503 PGRST000 when the database is away, and when no connection becomes free in time', async () => {
    const program = await startProgram({
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: line.urlOf(cluster.ownerUrl),
      DATABASE_POOL_SIZE: '1',
      LOG_LEVEL: 'silent',
    })
    await untilReady(program)
    const anonKey = await anonKeyOf(program)
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${program.url}/rest/v1${path}`, { method, headers: { apikey: anonKey } })
      const { code } = (await answer.json()) as { code: string }
      const retryAfter = answer.headers.get('retry-after')
      return { status: answer.status, code, said: answer.headers.get('proxy-status'), retryAfter }
    }
    const unavailable = { status: 503, code: 'PGRST000', said: 'PostgREST; error=PGRST000', retryAfter: '2' }

    line.cut()
    // Neither the schema nor the rows are cached yet.
    expect(await ask('GET', '/budgets')).toEqual(unavailable)
    line.mend()

    await asSuperuser(
      cluster,
      "create function public.slow() returns void language sql as 'select pg_sleep(60)'",
    )
    await expect.poll(async () => (await ask('GET', '/rpc/slow')).code, { timeout: 40_000 }).toBe('PGRST101')
    const first = ask('POST', '/rpc/slow')
    await expect.poll(() => sleepers(cluster)).toBe('1')
    // One of the two may get the connection after the first one, and keep it.
    const others = await Promise.all([ask('POST', '/rpc/slow'), ask('POST', '/rpc/slow')])

    expect(await first).toMatchObject({ status: 500, code: '57014' })
    expect(others).toContainEqual(unavailable)
  })
})

type Person = { client: SupabaseClient; userId: string; url: string; anonKey: string }

async function signIn(program: Program): Promise<Person> {
  const client = await clientOf(program)
  const { data, error } = await client.auth.signInWithPassword(administrator)
  if (data.user === null) throw new Error('Signing in failed.', { cause: error })
  return { client, userId: data.user.id, url: program.url, anonKey: await anonKeyOf(program) }
}

/** People who record expenses one after the other, each until they are stopped. */
class Traffic {
  readonly acknowledged: string[] = []
  /** Answers that are neither success nor an honest 503. */
  readonly unexpected: string[] = []
  signOuts = 0
  #isStopped = false
  readonly #writing: Promise<unknown>

  constructor(people: readonly Person[]) {
    for (const { client } of people) {
      client.auth.onAuthStateChange((event) => {
        if (event === 'SIGNED_OUT') this.signOuts += 1
      })
    }
    this.#writing = Promise.all(people.map((person) => this.#write(person)))
  }

  async untilAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#writing
  }

  async #write({ client, userId, url, anonKey }: Person): Promise<void> {
    while (!this.#isStopped) {
      const { data } = await client.auth.getSession()
      const id = randomUUID()
      // Not through the client: it would try again by itself, and hide what it was answered.
      const answer = await fetch(`${url}/rest/v1/transactions`, {
        method: 'POST',
        headers: {
          apikey: anonKey,
          authorization: `Bearer ${data.session?.access_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ id, user_id: userId, type: 'expense', description: 'x', amount: 1 }),
      })
      await answer.arrayBuffer()
      if (answer.status === 201) this.acknowledged.push(id)
      else if (answer.status !== 503 || answer.headers.get('retry-after') === null) {
        this.unexpected.push(`${answer.status} ${answer.headers.get('retry-after')}`)
      } else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function leaveNoConnections(cluster: Cluster): Promise<void> {
  await asSuperuser(cluster, 'alter role authenticator_finanzas connection limit 0')
  await asSuperuser(
    cluster,
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator_finanzas'",
  )
}

async function giveConnections(cluster: Cluster): Promise<void> {
  await asSuperuser(cluster, 'alter role authenticator_finanzas connection limit -1')
}

function sleepers(cluster: Cluster): Promise<string> {
  return asSuperuser(
    cluster,
    "select count(*) from pg_stat_activity where state = 'active' and usename = 'authenticator_finanzas' and wait_event = 'PgSleep'",
  )
}

/** Runs the SQL; answers the one value that it comes to, if any. */
async function asSuperuser(cluster: Cluster, sql: string): Promise<string> {
  const { pathname } = new URL(cluster.ownerUrl)
  const address = Object.assign(new URL(cluster.url), { pathname }).href
  return (await askPsql(cluster, address, sql)).join('\n')
}
