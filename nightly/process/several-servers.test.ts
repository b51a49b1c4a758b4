/** Several servers before one PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { servingLoginOf } from '#testing/cluster.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { clusterOfFile } from '#tests/process/server-program.ts'
import { anonKeyOf, clientOf } from '#tests/process/client.ts'
import { openFaultyLine } from '#tests/process/faulty-line.ts'
import { carry, record, signIn, startOn } from '#tests/process/servers-of-one-bank.ts'

const hasPostgres = findPostgresBinaries() !== undefined
const cluster = clusterOfFile()

// The embedded engine has one server.
describe.skipIf(!hasPostgres)('several servers', () => {
  test('ten servers may start at once on an empty database', async () => {
    const url = await cluster().createDatabase('together')

    const programs = await Promise.all(Array.from({ length: 10 }, () => startOn({ DATABASE_URL: url })))

    const answers = await Promise.all(programs.map(async (program) => (await signIn(program)).userId))
    expect(new Set(answers).size).toBe(1)
  }, 120_000)

  test('what one server writes reaches the sockets of another before its clock would look, and a sign-out ends the session at both', async () => {
    const url = await cluster().createDatabase('pair')
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

  test('where the address leads to a server that only follows, writes are told to come again, and nobody is signed out', async () => {
    const url = await cluster().createDatabase('moved')
    const replica = await cluster().startReplica()
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
      const ownerUrl = await cluster().createDatabase('pooled')
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
