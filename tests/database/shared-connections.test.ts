/** Several short reads can share one PostgreSQL connection. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DatabaseUnavailable,
  type Owner,
  type Scope,
  SqlError,
  type SqlStatement,
  sql,
} from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { useBank } from './database.ts'

// The embedded engine has only one connection.
describe.skipIf(process.env['ENGINE'] !== 'postgres')('on a shared connection', () => {
  const bank = useBank()
  let superuser: Owner
  beforeAll(async () => (superuser = await bank.connectSuperuser()))
  afterAll(() => superuser.close())

  const short: Scope = { ...asService('supabase_auth_admin', 'read'), isShort: true }
  const long: Scope = { ...short, isShort: false }
  const whichConnection = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const sleep = (seconds: number) =>
    sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(${seconds})`

  const ask = async <R>(scope: Scope, statement: SqlStatement<R>): Promise<R | undefined> => {
    const [rows] = await bank.database.transaction(scope, [statement])
    return rows[0]
  }
  const connectionOf = async (scope: Scope) => (await ask(scope, whichConnection))?.pid

  test('simultaneous short reads share a connection, each with its own rights and claims', async () => {
    const claims = Array.from({ length: 8 }, (_, index) => JSON.stringify({ sub: `customer ${index}` }))

    const answers = await Promise.all(
      claims.map((own, index) =>
        ask(
          { ...short, role: index % 2 === 0 ? 'anon' : 'authenticated', claims: own },
          sql<{ pid: number; role: string; claims: string }>`
            select pg_backend_pid() as pid, current_user as role, current_setting('request.jwt.claims') as claims`,
        ),
      ),
    )

    expect(new Set(answers.map((answer) => answer?.pid)).size).toBe(1)
    expect(answers.map((answer) => answer?.claims)).toEqual(claims)
    expect(answers.map((answer) => answer?.role)).toEqual(
      claims.map((_, index) => (index % 2 === 0 ? 'anon' : 'authenticated')),
    )
  })

  test('a connection is shared by at most sixteen reads', async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => ask(short, sleep(0.05))))

    const counts = Map.groupBy(answers, (answer) => answer?.pid)
    expect([...counts.values()].map(({ length }) => length)).toEqual([16, 16])
  })

  test('every connection is released after its reads', async () => {
    for (let burst = 0; burst < 15; burst += 1) {
      const reads = Array.from({ length: 1 + (burst % 5) * 8 }, (_, index) =>
        ask(short, sleep((index % 4) / 50)),
      )
      if (burst % 3 === 0) await Promise.all(reads)
      else await Promise.race(reads)
    }
    await ask(short, sleep(0.1))

    await expect.poll(() => bank.database.running()).toBe(0)
  })

  test('only short reads share connections', async () => {
    const connections = await Promise.all(Array.from({ length: 4 }, () => connectionOf(long)))

    expect(new Set(connections).size).toBe(4)
  })

  test('a failing read does not affect other reads on the same connection', async () => {
    const [before, failed, after] = await Promise.allSettled([
      connectionOf(short),
      ask(short, sql`select 1 / ${0}::integer`),
      connectionOf(short),
    ])

    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(SqlError) })
    expect(before).toEqual({ status: 'fulfilled', value: expect.any(Number) })
    expect(after).toEqual(before)
  })

  test('a write on a shared connection is refused and changes nothing', async () => {
    const [before, refused, after] = await Promise.allSettled([
      connectionOf(short),
      ask(short, sql`update auth.users set email = 'otra@banco.example'`),
      ask(short, sql`select 1 from auth.users where email = 'otra@banco.example'`),
    ])

    expect(refused).toMatchObject({ status: 'rejected', reason: { sqlState: '25006' } })
    expect([before.status, after]).toEqual(['fulfilled', { status: 'fulfilled', value: undefined }])
  })

  test('later reads do not use a connection on which a slow read is running', async () => {
    let isAnswered = false
    const slow = ask(short, sleep(1)).then(() => (isAnswered = true))
    await ask(long, sleep(0.05))

    await connectionOf(short)

    expect(isAnswered).toBe(false)
    await slow
  })

  test('a cancelled read does not affect other reads on the same connection', async () => {
    const outcomes = Promise.allSettled([ask(short, sleep(3)), connectionOf(short)])
    const pid = await sleeping()
    await superuser.query(sql`select pg_cancel_backend(${pid})`)

    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { sqlState: '57014' } },
      { status: 'fulfilled', value: pid },
    ])
  })

  test('requests on a broken connection fail as during an outage, but the next read succeeds', async () => {
    const asked = [ask(short, sleep(3)), connectionOf(short), connectionOf(short)]
    const outcomes = Promise.allSettled(asked)
    await superuser.query(sql`select pg_terminate_backend(${await sleeping()})`)

    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    expect(await connectionOf(short)).toEqual(expect.any(Number))
  })

  /** Returns the process id of the connection that runs `pg_sleep`. */
  async function sleeping(): Promise<number> {
    const find = () =>
      superuser.query<{ pid: number }>(sql`
        select pid from pg_stat_activity
        where wait_event = 'PgSleep' and datname = current_database()`)
    await expect.poll(find).toHaveLength(1)
    const [found] = await find()
    return found?.pid ?? 0
  }
})
