/**
 * A rolling upgrade as docs/es/actualizar.md describes it: two servers of the release before serve one database, and are
 * replaced by servers of a later version one after the other, while customers work. The older version is the last
 * release or, before the first release, the commit with which the migrations of this tree came.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '#testing/data-directory.ts'
import { type Person, isolatedAuth, signIn, signUp } from '#testing/people.ts'
import { addRelease, copyCommit, copyProgram, gitOutput, linkPackages } from '#testing/program-copy.ts'
import { type TestServer, createServer, testEnvironment } from '#testing/server.ts'
import { addedMigrations } from '#tests/database/next-release.ts'
import { clusterOfFile, emptyDirectory, hasPostgres } from '#tests/process/programs.ts'
import { readReleases } from '#tools/release/releases.ts'

const cluster = clusterOfFile()
const olderCommit =
  readReleases().at(-1)?.commit ??
  gitOutput('log', '-1', '--format=%H', '--', 'supabase/migrations', 'server/database/platform')
const why = hasPostgres
  ? 'The history of git is missing, so that there is no older version.'
  : 'Several servers need PostgreSQL.'
const canRun = hasPostgres && olderCommit !== null && gitOutput('cat-file', '-e', olderCommit) !== null
if (!canRun) process.stderr.write(`The rolling upgrade was left out. ${why}\n`)

// The older server is started from the history of git, and both servers need PostgreSQL.
describe.skipIf(!canRun)('a rolling upgrade', () => {
  test(
    'customers lose nothing while servers of two versions serve one database',
    { timeout: 600_000 },
    async () => {
      const DATABASE_URL = await cluster().createDatabase('rolling')
      const environment = {
        ...testEnvironment,
        AUTH_AUTOCONFIRM: 'true',
        FEATURES: 'transferencias,notificaciones',
        JWT_SECRET: `a secret that all servers share ${randomUUID()}`,
        LOG_LEVEL: 'info',
        SITE_URL: 'http://localhost',
        DATABASE_URL,
      }
      const startFrom = async (root: string) => {
        const place = { environment: { DATA_DIR: await emptyDirectory() } }
        const server = await createServer({ place, environment, root })
        onTestFinished(() => server.remove())
        return server
      }
      const [older, newer] = [await newFolder(), await newFolder()]
      copyCommit(older, olderCommit ?? '')
      await linkPackages(older)
      await copyProgram(newer)
      addRelease(newer, { version: '99.0.0', migrations: addedMigrations })
      await linkPackages(newer)
      const [first, second, third, fourth] = [
        await startFrom(older),
        await startFrom(older),
        await startFrom(newer),
        await startFrom(newer),
      ]
      await first.start()
      await second.start()
      const traffic = await startTraffic(first)
      const serve = async (...servers: TestServer[]) => {
        traffic.servers = servers
        await traffic.untilWritten(12)
      }

      await serve(first, second)
      // The proxy takes a server out before it ends. The first newer server migrates the database.
      await serve(second)
      await first.stop()
      await third.start()
      await serve(second, third)
      expect([second, third].map((server) => server.output().includes('"version":"99.0.0"'))).toEqual([
        false,
        true,
      ])
      // A server of the older version that ends now does not start again.
      first.spawn()
      expect(await first.ended).toBe(1)
      expect(first.output()).toContain('Una versión más nueva de Finanzas ya migró esta base de datos')
      await serve(third)
      await second.stop()
      await fourth.start()
      await serve(third, fourth)
      const { acknowledged, refusals } = await traffic.end()

      expect(refusals).toEqual([])
      const person = await signIn(fourth, traffic.person)
      const { data } = await person.client
        .from('transactions')
        .select('id')
        .eq('type', 'expense')
        .limit(10_000)
      const ids = new Set((data ?? []).map(({ id }: { id: string }) => id))
      expect(acknowledged.length).toBeGreaterThanOrEqual(60)
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
      const program = ['server/operator/commands/verify-ledger.ts']
      const env = { ...environment, PATH: process.env['PATH'], DATA_DIR: await emptyDirectory() }
      const verified = await promisify(execFile)(process.execPath, program, { cwd: newer, env })
      expect(verified.stdout).toContain('Libro verificado')
    },
  )
})

async function newFolder(): Promise<string> {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  return path
}

type Traffic = {
  servers: readonly TestServer[]
  readonly person: Person
  untilWritten(count: number): Promise<void>
  end(): Promise<{ acknowledged: readonly string[]; refusals: readonly string[] }>
}

/**
 * Works as customers and staff do, at the servers in turn: signs in, records and deletes expenses, deposits, transfers
 * and reads. Every answer must be a success.
 */
async function startTraffic(server: TestServer): Promise<Traffic> {
  const [person, office] = [await signUp(server), await signIn(server)]
  const anonKey = await server.anonKey()
  const [acknowledged, refusals]: [string[], string[]] = [[], []]
  const ending = new AbortController()
  const traffic: Traffic = {
    servers: [server],
    person,
    async untilWritten(count) {
      const until = acknowledged.length + count
      while (acknowledged.length < until && refusals.length === 0) await pause(20)
    },
    async end() {
      ending.abort()
      await running
      return { acknowledged, refusals }
    },
  }
  const clientAt = async ({ url }: TestServer, { session }: Person) => {
    const client = createClient(url, anonKey, {
      auth: isolatedAuth,
      global: { headers: { Authorization: `Bearer ${session.access_token}` } },
    })
    return client
  }
  const work = async (round: number) => {
    const at = traffic.servers[round % traffic.servers.length] ?? server
    const [own, staff] = [await clientAt(at, person), await clientAt(at, office)]
    const id = randomUUID()
    const check = (name: string, { error }: { error: unknown }) => {
      if (error !== null) refusals.push(`${name} at ${at.url}: ${JSON.stringify(error)}`)
      return error === null
    }
    const expense = {
      user_id: person.id,
      type: 'expense',
      amount: '1.25',
      description: 'Café',
      category: 'Comida',
    }
    if (check('an expense', await own.from('transactions').insert({ id, ...expense }))) acknowledged.push(id)
    check('the balance', await own.from('budgets').select('*').single())
    check('the history', await own.from('transactions').select('*').order('date').limit(20))
    check('an edit', await own.rpc('amend_expense', { id, changes: { amount: '1.5' } }))
    check(
      'a limit',
      await own
        .from('budgets')
        .update({ monthly_limit: String(round + 1) })
        .eq('user_id', person.id),
    )
    check('the panel', await staff.rpc('list_customers'))
    const transactionData = { user_id: person.id, type: 'deposit', amount: '2', description: 'Nómina' }
    check(
      'a deposit',
      await staff.functions.invoke('manage-transactions', { body: { action: 'create', transactionData } }),
    )
    if (round % 10 === 0) {
      check('a statement', await own.functions.invoke('statement', { body: { month: thisMonth() } }))
      check(
        'a sign-in',
        await createClient(at.url, anonKey, { auth: isolatedAuth }).auth.signInWithPassword(person),
      )
    }
  }
  const running = (async () => {
    for (let round = 0; !ending.signal.aborted && refusals.length < 10; round += 1) await work(round)
  })()
  return traffic
}

const thisMonth = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)
