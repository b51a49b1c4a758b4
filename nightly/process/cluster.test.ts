import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { startCluster, type Cluster } from '#testing/cluster.ts'

// Without PostgreSQL on the machine there is nothing to start; vitest.config.ts says so and CI refuses it.
describe.skipIf(findPostgresBinaries() === undefined)('a temporary cluster', { timeout: 60_000 }, () => {
  let temporary = ''
  const remains = () => readdirSync(temporary)

  beforeEach(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'finanzas-cluster-test-'))
    chmodSync(temporary, 0o1777)
    vi.stubEnv('TMPDIR', temporary)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(temporary, { recursive: true })
  })

  test('a temporary cluster answers and leaves nothing behind', async () => {
    const cluster = await startCluster({ isDurable: false })
    expect(await ask(cluster, cluster.url, 'show is_superuser')).toBe('on')
    expect(await ask(cluster, cluster.ownerUrl, 'select current_user, current_database()')).toBe(
      'finanzas_owner|finanzas',
    )

    await cluster.stop()

    expect(remains()).toEqual([])
    await expect(ask(cluster, cluster.url, 'select 1')).rejects.toThrow(/refused/)
  })

  test('the owner of a new database may create roles and schemas but is no superuser', async () => {
    const cluster = await startCluster({ isDurable: false })
    try {
      const url = await cluster.createDatabase('branch_2')

      expect(await ask(cluster, url, 'create schema auth; create role teller')).toBe('')
      expect(await ask(cluster, url, 'show is_superuser')).toBe('off')
      await expect(cluster.createDatabase('branch"; drop database finanzas')).rejects.toThrow(/Not a plain/)
    } finally {
      await cluster.stop()
    }
  })

  test('a cluster whose server crashed can still be stopped', async () => {
    const cluster = await startCluster({ isDurable: true })

    await cluster.kill()

    await expect(ask(cluster, cluster.url, 'select 1')).rejects.toThrow(/refused/)
    await cluster.stop()
    expect(remains()).toEqual([])
  })

  test('a cluster whose server crashed can be started again where it was, with what was committed', async () => {
    const cluster = await startCluster({ isDurable: true })
    await ask(cluster, cluster.url, 'create table kept as select 7 as number')
    await cluster.kill()

    await cluster.restart()

    expect(await ask(cluster, cluster.url, 'table kept')).toBe('7')
    await cluster.stop()
    expect(remains()).toEqual([])
  })

  test('a cluster does not outlive a process that was killed', async () => {
    const module = path.join(import.meta.dirname, 'cluster.ts')
    const script = `import { startCluster } from ${JSON.stringify(module)}
      console.log((await startCluster({ isDurable: false })).url); setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [url] = await once(createInterface(owner.stdout), 'line')
    expect(url).toMatch(/^postgres:/)
    expect(remains()).toHaveLength(1)

    owner.kill('SIGKILL')

    await vi.waitUntil(() => remains().length === 0, { timeout: 30_000, interval: 100 })
    expect(remains()).toEqual([])
  })
})

const run = promisify(execFile)

async function ask(cluster: Cluster, url: string, sql: string): Promise<string> {
  const { stdout } = await run(path.join(cluster.binaries, 'psql'), ['-X', '-q', '-A', '-t', '-c', sql, url])
  return stdout.trim()
}
