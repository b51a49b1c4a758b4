/**
 * Tests several servers on one PostgreSQL database, with and without a pooler. In some tests, one of the servers fails.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { servingLoginOf, askPsql } from '#testing/cluster-databases.ts'
import { carrySession, signIn } from '#testing/people.ts'
import { newCredentials } from '#testing/population.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import {
  type Program,
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  joinedSocket,
  record,
  runCommand,
  startOn,
  startProgram,
  startReady,
} from '#tests/process/programs.ts'
import { openFaultyLine } from './faulty-line.ts'

const clockLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const cluster = clusterOfFile()

// The embedded engine supports only one server.
describe.skipIf(!hasPostgres)('several servers', () => {
  test('ten servers can start simultaneously on an empty database', async () => {
    const url = await cluster().createDatabase('together')

    const programs = await Promise.all(Array.from({ length: 10 }, () => startOn({ DATABASE_URL: url })))

    const ids = await Promise.all(programs.map(async (program) => (await signIn(program)).id))
    expect(new Set(ids).size).toBe(1)
  })

  test('a write at one server reaches another server’s sockets at once, and a sign-out ends the session at both servers', async () => {
    const url = await cluster().createDatabase('pair')
    const [first, second] = [await startOn({ DATABASE_URL: url }), await startOn({ DATABASE_URL: url })]
    const person = await signIn(first)
    const { client: elsewhere } = await carrySession(person, second)
    const arrived = new Map<string, (at: number) => void>()
    const channel = elsewhere
      .channel('own')
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'transactions', filter: `user_id=eq.${person.id}` },
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
      await record(person, id)
      const writtenAt = performance.now()
      delays.push((await arrival) - writtenAt)
    }
    // If no notification arrived, a server would wait for its polling timer, and the median of these waits would be a
    // quarter of a second.
    expect(delays.toSorted((a, b) => a - b)[10]).toBeLessThan(100)

    await person.client.auth.signOut({ scope: 'local' })
    expect((await elsewhere.from('budgets').select('balance')).status).toBe(401)
    await elsewhere.removeAllChannels()
  })

  test('a server that loses its database closes its sockets, and other servers keep their own sockets open', async () => {
    const url = await cluster().createDatabase('alone')
    const line = await openFaultyLine(url)
    const well = await startOn({ DATABASE_URL: url })
    const alone = await startOn({ DATABASE_URL: line.urlOf(url) })
    const { session } = await signIn(well)
    const closed: [server: string, code: number][] = []
    for (const [name, program] of Object.entries({ well, alone })) {
      const socket = await joinedSocket(program, session.access_token)
      socket.on('close', (code) => closed.push([name, code]))
    }
    const readyStatus = async () => (await fetch(`${alone.url}/ready`)).status

    line.cut()

    await expect.poll(() => closed, { timeout: 20_000 }).toEqual([['alone', 1001]])
    expect(alone.output()).toContain('sockets closed after an outage')
    expect(await readyStatus()).toBe(503)
    await expect.poll(() => alone.output()).toContain('request failed')
    line.mend()
    await expect.poll(readyStatus).toBe(200)
  })

  // libfaketime is a Debian package that is not installed on every machine.
  test.skipIf(!existsSync(clockLibrary))(
    'a server whose clock is five minutes behind reports the delay and is not ready',
    async () => {
      const DATABASE_URL = await cluster().createDatabase('late')
      const late = await startProgram({ DATABASE_URL, LD_PRELOAD: clockLibrary, FAKETIME: '-5m' })
      const ask = () =>
        fetch(`${late.url}/ready`).then(
          async (answer) => [answer.status, await answer.json()],
          () => null,
        )

      await expect.poll(ask, { timeout: 30_000 }).toEqual([503, { status: 'clock' }])

      const alarm = /^.*ALARM: the clock.*$/m.exec(late.output())?.[0] ?? '{}'
      expect((JSON.parse(alarm) as { offsetSeconds: number }).offsetSeconds).toBeCloseTo(300, -1)
      expect((await fetch(`${late.url}/health`)).status).toBe(200)
    },
  )

  test('writes to a read-only replica get a retryable error and do not end a session', async () => {
    const url = await cluster().createDatabase('moved')
    const replica = await cluster().startReplica()
    const line = await openFaultyLine(url)
    const program = await startOn({ DATABASE_URL: line.urlOf(url) })
    const person = await signIn(program)
    await record(person)

    line.leadTo(replica.urlOf(url))
    const write = await record(person)
    // Sends a plain HTTP request, because the client library would keep retrying automatically.
    const refresh = await fetch(`${program.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: await program.anonKey(), 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: person.session.refresh_token }),
    })
    line.leadTo(url)

    expect([write.status, refresh.status]).toEqual([503, 503])
    await expect.poll(async () => (await record(person)).status).toBe(201)
  })

  // PgBouncer is a package that is not installed on every machine.
  describe.skipIf(findPooler() === undefined)('behind PgBouncer in transaction mode', () => {
    async function poolerFor(serverUrl: string, login: { name: string; password: string }) {
      const pooler = await startPooler({ program: findPooler() ?? '', serverUrl, login })
      onTestFinished(() => pooler.stop())
      return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: serverUrl }
    }

    test('customers can read only their own rows, and no recorded transaction is lost', async () => {
      const ownerUrl = await cluster().createDatabase('pooled')
      const addresses = await poolerFor(ownerUrl, servingLoginOf(ownerUrl))
      const programs = [await startOn(addresses), await startOn(addresses)] as const
      const { client: admin } = await signIn(programs[0])
      const people = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const credentials = newCredentials()
          const user_metadata = { full_name: 'Ana Pérez' }
          await admin.functions.invoke('manage-users', {
            body: { action: 'create', ...credentials, role: 'user', user_metadata },
          })
          return signIn(programs[index % 2 === 0 ? 0 : 1], credentials)
        }),
      )

      const rowsOf = await Promise.all(
        people.map(async (person) => {
          const answers = await Promise.all(
            Array.from({ length: 25 }, async () => {
              const { status } = await record(person)
              const { data } = await person.client.from('transactions').select('user_id')
              return { status, owners: (data ?? []).map((row) => row.user_id as string) }
            }),
          )
          const { data: budget } = await person.client.from('budgets').select('balance').single()
          return { id: person.id, answers, balance: budget?.balance as number }
        }),
      )

      for (const { id, answers, balance } of rowsOf) {
        expect(answers.every(({ status }) => status === 201)).toBe(true)
        expect(new Set(answers.flatMap(({ owners }) => owners))).toEqual(new Set([id]))
        expect(balance).toBe(-25)
      }
    })

    test('servers can switch to the pooler and back one by one while the other servers keep serving', async () => {
      const ownerUrl = await cluster().createDatabase('exchanged')
      const past = { DATABASE_URL: ownerUrl, JWT_SECRET: randomUUID() }
      const servers: [Program, Program] = [await startReady(past), await startReady(past)]
      const keys = await runCommand('admin', ['keys', '--json'], {
        ...past,
        DATA_DIR: await emptyDirectory(),
      })
      const { login, serviceRoleKey } = JSON.parse(keys.stdout) as {
        login: { name: string; password: string }
        serviceRoleKey: string
      }
      const behind = { ...past, ...(await poolerFor(ownerUrl, login)) }
      const asSuperuser = (statement: string) => askPsql(cluster(), cluster().url, statement)
      // Closes the pooler's connections to the database, as the pooler itself does after an hour.
      const endConnections = () =>
        asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login.name}'`)
      const alarms: string[] = []

      for (const [step, place, variables] of [
        ['behind', 0, behind],
        ['behind', 1, behind],
        ['past', 0, past],
        ['past', 1, past],
      ] as const) {
        await servers[place].stop()
        servers[place] = await startReady(variables)
        await endConnections()
        for (const server of servers) {
          const isReady = async () => (await fetch(`${server.url}/ready`)).ok
          await expect.poll(isReady, { timeout: 5000 }).toBe(true)
          if (server.output().includes('ALARM')) alarms.push(`${step} ${place}: ${server.output()}`)
        }
      }

      expect(alarms).toEqual([])
      const users = await fetch(`${servers[0].url}/auth/v1/admin/users`, {
        headers: { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` },
      })
      expect(users.status).toBe(200)

      await asSuperuser(`alter role ${login.name} nologin`)
      await endConnections()
      const refused = await runCommand('admin', ['list'], {
        DATA_DIR: await emptyDirectory(),
        DATABASE_URL: behind.DATABASE_URL,
      })
      expect(refused.code).toBe(1)
      expect(refused.stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^PostgreSQL (?:no responde en|en \S+ no deja entrar)/),
      ])
    })
  })
})
