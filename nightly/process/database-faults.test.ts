/**
 * Failures of the database: the database is killed, stopped, read-only or out of connections, or the connections to it
 * are cut, silent, slow or reset. The only errors that clients get are 503 with Retry-After. Clients stay signed in,
 * and no acknowledged write is lost. The first request succeeds within five seconds after the database is available
 * again. During any of these failures, the table API answers PGRST000.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AwakeClock } from '#testing/awake-clock.ts'
import type { Cluster } from '#testing/cluster.ts'
import { servingLoginOf, servingUrlOf, askPsql, superuserUrlOf } from '#testing/cluster-databases.ts'
import { type Person, signIn } from '#testing/people.ts'
import {
  type Program,
  clusterOfFile,
  deposit,
  hasPostgres,
  record,
  startOn,
} from '#tests/process/programs.ts'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'

const writers = 6
const faultMs = 1500
const returnMaxMs = 5000

// The cluster commits durably, because acknowledged writes must survive a crash of the database.
const cluster = clusterOfFile({ isDurable: true })
const asSuperuser = (statement: string) => askPsql(cluster(), cluster().url, statement)
const readyStatus = async ({ url }: Program) => (await fetch(`${url}/ready`)).status

/** Terminates the servers' connections, so that the servers must open new connections. */
const endConnectionsOf = (url: string) =>
  asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${servingLoginOf(url).name}'`,
  )

async function setConnectionLimit(url: string, limit: number): Promise<void> {
  await asSuperuser(`alter role ${servingLoginOf(url).name} connection limit ${limit}`)
  await endConnectionsOf(url)
}

type Fault = { begin: (by: Place) => unknown; end: (by: Place) => unknown }
type Place = { line: FaultyLine; cluster: Cluster; url: string }
const mend = ({ line }: Place) => line.mend()

// The embedded engine has no separate database server that could become unreachable.
describe.skipIf(!hasPostgres)('with a failing or limited database', () => {
  test.for<[string, Fault]>([
    ['the connections are cut', { begin: ({ line }) => line.cut(), end: mend }],
    ['the connections are silent', { begin: ({ line }) => line.silence(), end: mend }],
    ['every chunk of data takes 300 ms', { begin: ({ line }) => line.slow(300), end: mend }],
    ['the connections are reset once', { begin: ({ line }) => line.resetOnce(), end: mend }],
    [
      'the database is killed',
      { begin: ({ cluster }) => cluster.kill(), end: ({ cluster }) => cluster.restart() },
    ],
    [
      'the database is stopped',
      {
        begin: ({ cluster }) => cluster.setStopped(true),
        end: ({ cluster }) => cluster.setStopped(false),
      },
    ],
    [
      'the database accepts no more connections',
      { begin: ({ url }) => setConnectionLimit(url, 0), end: ({ url }) => setConnectionLimit(url, -1) },
    ],
  ])('%s: clients get only successes or 503 and lose no acknowledged write', async ([_name, fault]) => {
    const url = await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`)
    const line = await openFaultyLine(url)
    const place = { line, url, cluster: cluster() }
    const program = await startOn({ DATABASE_URL: line.urlOf(url), LOG_LEVEL: 'silent' })
    const people = await Promise.all(Array.from({ length: writers }, () => signIn(program)))
    const traffic = new Traffic(program, await program.anonKey(), people)
    const clock = new AwakeClock()
    onTestFinished(() => clock.stop())
    await traffic.untilAcknowledged(writers)

    await Promise.resolve(fault.begin(place))
    const refreshing = people.map(({ client }) => client.auth.refreshSession())
    await pause(faultMs)
    await Promise.resolve(fault.end(place))
    clock.restart()
    await traffic.untilAcknowledged(traffic.acknowledged.length + 1)
    const returnMs = clock.ms
    await traffic.stop()

    expect(traffic.unexpected).toEqual([])
    expect(returnMs).toBeLessThan(returnMaxMs)
    expect((await Promise.all(refreshing)).map(({ error }) => error)).toEqual(people.map(() => null))
    expect(traffic.signOuts).toBe(0)
    const kept = new Set(await askPsql(cluster(), url, 'select id from public.transactions'))
    expect(traffic.acknowledged.filter((id) => !kept.has(id))).toEqual([])
  })

  test('the server logs one ALARM with address and cause at the start of an outage, and one line at its end', async () => {
    const url = await cluster().createDatabase('outage')
    const line = await openFaultyLine(url)
    const program = await startOn({ DATABASE_URL: line.urlOf(url), LOG_LEVEL: 'info' })
    const linesOf = (msg: string) =>
      program
        .output()
        .split('\n')
        .filter((text) => text.includes(`"msg":"${msg}"`))
        .map((text) => JSON.parse(text) as Record<string, unknown>)

    line.cut()
    await pause(6 * faultMs)
    line.mend()
    await expect.poll(() => linesOf('the database answers again')).toHaveLength(1)

    const alarms = linesOf('ALARM: the database does not answer')
    expect(alarms).toMatchObject([{ level: 50, server: new URL(line.urlOf(url)).host, database: 'outage' }])
    expect(alarms[0]?.['cause']).not.toBe(null)
    expect(program.output()).not.toContain(new URL(url).password)
  })

  test('the table API answers 503 PGRST000 without a database and when no connection becomes free in time', async () => {
    const url = await cluster().createDatabase('table_api')
    const line = await openFaultyLine(url)
    const program = await startOn({
      DATABASE_URL: line.urlOf(url),
      DATABASE_POOL_SIZE: '1',
      LOG_LEVEL: 'silent',
    })
    const anonKey = await program.anonKey()
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${program.url}/rest/v1${path}`, { method, headers: { apikey: anonKey } })
      const { code } = (await answer.json()) as { code: string }
      const retryAfter = answer.headers.get('retry-after')
      return { status: answer.status, code, said: answer.headers.get('proxy-status'), retryAfter }
    }
    const unavailable = { status: 503, code: 'PGRST000', said: 'PostgREST; error=PGRST000', retryAfter: '2' }

    line.cut()
    // At this point the server has not cached the schema or any row.
    expect(await ask('GET', '/budgets')).toEqual(unavailable)
    line.mend()

    await askPsql(
      cluster(),
      superuserUrlOf(cluster(), url),
      "create function public.slow() returns void language sql as 'select pg_sleep(60)'",
    )
    await expect.poll(async () => (await ask('GET', '/rpc/slow')).code, { timeout: 40_000 }).toBe('PGRST101')
    const first = ask('POST', '/rpc/slow')
    const sleepers = "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'"
    await expect.poll(() => asSuperuser(sleepers)).toEqual(['1'])
    // When the first request ends, one of the two waiting requests may get the only connection and occupy it.
    const others = await Promise.all([ask('POST', '/rpc/slow'), ask('POST', '/rpc/slow')])

    expect(await first).toMatchObject({ status: 500, code: '57014' })
    expect(others).toContainEqual(unavailable)
  })

  test('with a read-only database, the server still serves reads and answers writes with 503 and Retry-After', async () => {
    const url = await cluster().createDatabase('reading')
    const program = await startOn({ DATABASE_URL: url })
    const person = await signIn(program)
    const setReadOnly = async (value: string) => {
      await asSuperuser(`alter database reading set default_transaction_read_only = ${value}`)
      await endConnectionsOf(url)
      await expect.poll(() => readyStatus(program)).toBe(200)
    }

    await setReadOnly('on')
    const refused = await deposit(program, person)
    const expense = await record(person)
    const read = await person.client.from('budgets').select('balance')

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(expense.status).toBe(503)
    expect(read.status).toBe(200)
    await setReadOnly('off')
    expect((await deposit(program, person)).status).toBe(200)
  })

  test('a server with a single database connection can serve calls that need two database transactions', async () => {
    const owner = await cluster().createDatabase('scarce')
    const program = await startOn({ DATABASE_URL: servingUrlOf(owner), DATABASE_DIRECT_URL: owner })
    const person = await signIn(program)
    await setConnectionLimit(owner, 1)
    await expect.poll(() => readyStatus(program)).toBe(200)

    const statuses: number[] = []
    for (let call = 0; call < 20; call += 1) statuses.push((await deposit(program, person)).status)

    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

/** Traffic from several people. Each person records one expense after the other until `stop` is called. */
class Traffic {
  readonly acknowledged: string[] = []
  /** The answers that are neither a success nor a correct 503. */
  readonly unexpected: string[] = []
  signOuts = 0
  #isStopped = false
  readonly #writing: Promise<unknown>

  constructor({ url }: Program, apikey: string, people: readonly Person[]) {
    this.#writing = Promise.all(
      people.map(({ client, id }) => {
        client.auth.onAuthStateChange((event) => {
          if (event === 'SIGNED_OUT') this.signOuts += 1
        })
        const token = async () => (await client.auth.getSession()).data.session?.access_token
        return this.#write(async (body) =>
          fetch(`${url}/rest/v1/transactions`, {
            method: 'POST',
            headers: {
              apikey,
              authorization: `Bearer ${await token()}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ ...body, user_id: id }),
          }),
        )
      }),
    )
  }

  async untilAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.length < count) await pause(10)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#writing
  }

  /** `send` makes a plain HTTP request, because the client library would retry and hide the answer. */
  async #write(send: (body: object) => Promise<Response>): Promise<void> {
    while (!this.#isStopped) {
      const id = randomUUID()
      const answer = await send({ id, type: 'expense', description: 'x', amount: 1 })
      await answer.arrayBuffer()
      const retryAfter = answer.headers.get('retry-after')
      if (answer.status === 201) this.acknowledged.push(id)
      else if (answer.status === 503 && retryAfter !== null) await pause(50)
      else this.unexpected.push(`${answer.status} ${retryAfter}`)
    }
  }
}
