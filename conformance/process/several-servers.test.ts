/**
 * Several servers before one PostgreSQL. Seen red with the servers' messages to each other taken out, and with the
 * refusal of a server that only follows taken for one of the request's own; the second server behind PgBouncer did not
 * start where the first had named a statement. The silent replica: red where everybody asks it again after its rest;
 * the slow one where it kept the primary's five seconds for a statement.
 */
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#tools/postgres/binaries.ts'
import { type Cluster, servingLoginOf, startCluster } from '#tools/postgres/cluster.ts'
import { findPooler, startPooler } from '#tools/postgres/pooler.ts'
import { anonKeyOf, clientOf } from './client.ts'
import { openFaultyLine } from './faulty-line.ts'
import { askPsql } from './psql.ts'
import { carry, record, signIn, startOn } from './servers-of-one-bank.ts'

const hasPostgres = findPostgresBinaries() !== undefined
let cluster: Cluster

beforeAll(async () => {
  if (hasPostgres) cluster = await startCluster({ isDurable: false })
})
afterAll(async () => {
  if (hasPostgres) await cluster.stop()
})

/** What a database answers to a statement, as text. */
async function onDatabase(url: string, statement: string): Promise<string> {
  return (await askPsql(cluster, url, statement)).join('\n')
}

/** The last SQL statement of each connection that serves requests. */
function queriesOn(url: string): Promise<string> {
  const query = "select string_agg(query, ' ') from pg_stat_activity where application_name = 'finanzas'"
  return onDatabase(url, query)
}

// The embedded engine has one server.
describe.skipIf(!hasPostgres)('several servers', () => {
  test('ten servers may start at once on an empty database', async () => {
    const url = await cluster.createDatabase('together')

    const programs = await Promise.all(Array.from({ length: 10 }, () => startOn({ DATABASE_URL: url })))

    const answers = await Promise.all(programs.map(async (program) => (await signIn(program)).userId))
    expect(new Set(answers).size).toBe(1)
  }, 120_000)

  test('what one server writes reaches the sockets of another before its clock would look, and a sign-out ends the session at both', async () => {
    const url = await cluster.createDatabase('pair')
    const first = await startOn({ DATABASE_URL: url })
    const second = await startOn({ DATABASE_URL: url })
    const { client, userId } = await signIn(first)
    const elsewhere = await carry(client, second)
    const arrived = new Map<string, (at: number) => void>()
    const channel = elsewhere
      .channel('own')
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'transactions', filter: `user_id=eq.${userId}` },
        ({ new: row }) => arrived.get((row as { id: string }).id)?.(performance.now()),
      )
    await new Promise<void>((resolve) => {
      channel.subscribe((state) => {
        if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
      })
    })

    const delays: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const id = randomUUID()
      const arrival = new Promise<number>((resolve) => arrived.set(id, resolve))
      await record(client, userId, id)
      const writtenAt = performance.now()
      delays.push((await arrival) - writtenAt)
    }
    // The clock alone would take a quarter of a second in the middle.
    expect(delays.toSorted((a, b) => a - b)[10]).toBeLessThan(100)

    await client.auth.signOut({ scope: 'local' })
    expect((await elsewhere.from('budgets').select('balance')).status).toBe(401)
    await elsewhere.removeAllChannels()
  })

  test('reads go to a replica, and nobody reads less than what was acknowledged: behind, away or signed out', async () => {
    const url = await cluster.createDatabase('followed')
    const replica = await cluster.startReplica()
    const database = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replica.urlOf(url) }
    const writing = await startOn(database)
    const reading = await startOn(database)
    const { client, userId } = await signIn(writing)
    const elsewhere = await carry(client, reading)
    const countThere = async () => {
      const { data, status } = await elsewhere.from('transactions').select('id')
      return status === 200 ? data?.length : status
    }

    await record(client, userId)
    expect(await countThere()).toBe(1)
    await expect
      .poll(async () => {
        await countThere()
        return await queriesOn(replica.urlOf(cluster.url))
      })
      .toContain('transactions')

    await replica.setPaused(true)
    await record(client, userId)
    expect(await countThere()).toBe(2)
    await replica.setPaused(false)

    await replica.kill()
    await record(client, userId)
    expect(await countThere()).toBe(3)

    await client.auth.signOut({ scope: 'local' })
    expect(await countThere()).toBe(401)
  })

  test('a replica that says nothing costs a reader one second, and then one reader at a time; it is used again when it speaks', async () => {
    const url = await cluster.createDatabase('silent')
    const replica = await cluster.startReplica()
    const program = await startOn({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replica.urlOf(url) })
    const { client, userId } = await signIn(program)
    await record(client, userId)
    const readOnce = async () => {
      const startedAt = performance.now()
      const { data, status } = await client.from('transactions').select('id')
      return { startedAt, ms: performance.now() - startedAt, isRight: status === 200 && data?.length === 1 }
    }
    const isUsed = () =>
      expect
        .poll(
          async () => {
            await readOnce()
            return await queriesOn(replica.urlOf(cluster.url))
          },
          { timeout: 15_000, interval: 100 },
        )
        .toContain('transactions')
    const readers = async (ms: number) => {
      const until = performance.now() + ms
      const each = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const reads = [await readOnce()]
          while (performance.now() < until) reads.push(await readOnce())
          return reads
        }),
      )
      return each.flat()
    }
    await isUsed()
    await readers(500)

    await replica.setStopped(true)
    onTestFinished(() => replica.setStopped(false))
    const stoppedAt = performance.now()
    const reads = await readers(15_000)
    await replica.setStopped(false)

    const late = reads.filter(({ ms }) => ms > 700)
    const later = late.filter(({ startedAt }) => startedAt > stoppedAt + 1000)
    const longest = Math.max(...reads.map(({ ms }) => ms))
    process.stdout.write(
      `a silent replica: ${reads.length} reads, ${late.length} late, ${later.length} after the first second, the longest ${Math.round(longest)} ms\n`,
    )
    expect(reads.every(({ isRight }) => isRight)).toBe(true)
    expect(longest).toBeLessThan(2000)
    // Each reader once; then the probes, after 6 s and after 12 s.
    expect(late.length).toBeLessThanOrEqual(8 + 2)
    expect(later.length).toBeLessThanOrEqual(2)
    await isUsed()
  }, 60_000)

  test('what takes a replica longer than a second ends there, and the primary answers', async () => {
    const url = await cluster.createDatabase('slow')
    const replica = await cluster.startReplica()
    const program = await startOn({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replica.urlOf(url) })
    const { client } = await signIn(program)
    await onDatabase(
      url,
      `create function public.who_answers() returns text stable language plpgsql as $$
        begin
          if not pg_is_in_recovery() then return 'primary'; end if;
          perform pg_sleep(30);
          return 'replica';
        end $$`,
    )
    await onDatabase(url, 'grant execute on function public.who_answers() to authenticated')
    const ask = async () => {
      const startedAt = performance.now()
      const { data } = await client.rpc('who_answers', {}, { get: true })
      return { answer: data as unknown, ms: performance.now() - startedAt }
    }
    const isLate = async () => {
      const { answer, ms } = await ask()
      return answer === 'primary' && ms > 900
    }
    await expect.poll(isLate, { timeout: 30_000, interval: 200 }).toBe(true)
    // What ran on the replica for nobody would still sleep.
    const asleep = `select count(*) from pg_stat_activity where query like '%who\\_answers%' and state = 'active'
      and application_name = 'finanzas'`
    await expect
      .poll(() => onDatabase(replica.urlOf(cluster.url), asleep), { timeout: 1500, interval: 100 })
      .toBe('0')

    const { answer, ms } = await ask()

    expect(answer).toBe('primary')
    expect(ms).toBeLessThan(700)
  }, 60_000)

  test('where the address leads to a server that only follows, writes are told to come again, and nobody is signed out', async () => {
    const url = await cluster.createDatabase('moved')
    const replica = await cluster.startReplica()
    const line = await openFaultyLine(url)
    try {
      const program = await startOn({ DATABASE_URL: line.urlOf(url) })
      const { client, userId } = await signIn(program)
      await record(client, userId)

      line.leadTo(replica.urlOf(url))
      const write = await record(client, userId)
      const { data } = await client.auth.getSession()
      // Not through the client: it would go on trying by itself.
      const refresh = await fetch(`${program.url}/auth/v1/token?grant_type=refresh_token`, {
        method: 'POST',
        headers: { apikey: await anonKeyOf(program), 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: data.session?.refresh_token }),
      })
      line.leadTo(url)

      expect(write.status).toBe(503)
      expect(refresh.status).toBe(503)
      await expect.poll(async () => (await record(client, userId)).status).toBe(201)
    } finally {
      await line.close()
    }
  })

  // Without PgBouncer's program there is nothing to stand behind.
  test.skipIf(findPooler() === undefined)(
    'behind PgBouncer in transaction mode nobody gets another customer’s rows, and what was recorded is there',
    async () => {
      const ownerUrl = await cluster.createDatabase('pooled')
      const login = servingLoginOf(ownerUrl)
      const pooler = await startPooler({ program: findPooler() ?? '', serverUrl: ownerUrl, login })
      try {
        const addresses = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: ownerUrl }
        const program = await startOn(addresses)
        const second = await startOn(addresses)
        const { client: admin } = await signIn(program)
        const people = await Promise.all(
          Array.from({ length: 6 }, async () => {
            const email = `cliente-${randomUUID()}@banco.example`
            const password = `clave ${randomUUID()}`
            await admin.functions.invoke('manage-users', {
              body: {
                action: 'create',
                email,
                password,
                role: 'user',
                user_metadata: { full_name: 'Ana Pérez' },
              },
            })
            const client = await clientOf(Math.random() < 0.5 ? program : second)
            const { data } = await client.auth.signInWithPassword({ email, password })
            return { client, userId: data.user?.id ?? '' }
          }),
        )

        const rowsOf = await Promise.all(
          people.map(async ({ client, userId }) => {
            const answers = await Promise.all(
              Array.from({ length: 25 }, async () => {
                const { status } = await record(client, userId)
                const { data } = await client.from('transactions').select('user_id')
                return { status, owners: (data ?? []).map((row) => row.user_id as string) }
              }),
            )
            const { data: budget } = await client.from('budgets').select('balance').single()
            return { userId, answers, balance: budget?.balance as number }
          }),
        )

        for (const { userId, answers, balance } of rowsOf) {
          expect(answers.every(({ status }) => status === 201)).toBe(true)
          expect(new Set(answers.flatMap(({ owners }) => owners))).toEqual(new Set([userId]))
          expect(balance).toBe(-25)
        }
      } finally {
        await pooler.stop()
      }
    },
  )
})
