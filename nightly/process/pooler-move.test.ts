/** To a pooler and back, by a rolling restart (docs/operations.md, "A pooler"). */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startCluster } from '#testing/cluster.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { runCommand } from '#tests/process/operator-program.ts'
import { askPsql } from '#tests/process/psql.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

// PgBouncer is a package of its own that a machine may not have.
test.skipIf(findPooler() === undefined)(
  'servers go behind a pooler and past it again one after the other, those that are not exchanged yet go on, and a command that it refuses ends in a sentence',
  async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const { ownerUrl } = cluster
    const secret = { JWT_SECRET: randomUUID() }
    const start = async (addresses: Record<string, string>) => {
      const program = await startProgram({ DATA_DIR: await emptyDirectory(), ...secret, ...addresses })
      await untilReady(program)
      return program
    }
    const past = { DATABASE_URL: ownerUrl }
    const servers: [Program, Program] = [await start(past), await start(past)]
    const keys = await runCommand('admin', ['keys', '--json'], {
      DATA_DIR: await emptyDirectory(),
      ...secret,
      ...past,
    })
    const { login, serviceRoleKey } = JSON.parse(keys.stdout) as {
      login: { name: string; password: string }
      serviceRoleKey: string
    }
    const pooler = await startPooler({ program: findPooler() ?? '', serverUrl: ownerUrl, login })
    onTestFinished(() => pooler.stop())
    const behind = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: ownerUrl }
    const notReady: string[] = []

    for (const [step, place, addresses] of [
      ['behind', 0, behind],
      ['behind', 1, behind],
      ['past', 0, past],
      ['past', 1, past],
    ] as const) {
      servers[place].process.kill('SIGTERM')
      await servers[place].ended
      servers[place] = await start(addresses)
      // As the hour after which a pooler makes its connections anew.
      await askPsql(
        cluster,
        cluster.url,
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login.name}'`,
      )
      for (const server of servers) {
        const isReady = async () => (await fetch(`${server.url}/ready`)).status === 200
        await expect.poll(isReady, { timeout: 5000 }).toBe(true)
        if (server.output().includes('ALARM')) notReady.push(`${step} ${place}: ${server.output()}`)
      }
    }

    expect(notReady).toEqual([])
    const users = await fetch(`${servers[0].url}/auth/v1/admin/users`, {
      headers: { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` },
    })
    expect(users.status).toBe(200)

    await askPsql(cluster, cluster.url, `alter role ${login.name} nologin`)
    await askPsql(
      cluster,
      cluster.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login.name}'`,
    )
    const refused = await runCommand('admin', ['list'], {
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: pooler.url,
    })
    expect(refused.code).toBe(1)
    expect(refused.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^PostgreSQL (?:no responde en|en \S+ no deja entrar)/),
    ])
  },
  240_000,
)
