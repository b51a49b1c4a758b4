/** `supabase/` as the Supabase CLI takes it: `db push` to a database prepared as a hosted project is. */
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { findSupabaseCli, runSupabaseCli } from '#testing/hosted/programs.ts'
import { startCluster } from '#testing/cluster.ts'

const migrations = fileURLToPath(new URL('../../supabase/migrations', import.meta.url))

// Hosted projects run on PostgreSQL; without the CLI (npm ci --prefix testing/hosted/packages) there is nothing to try.
describe.skipIf(process.env['ENGINE'] !== 'postgres' || findSupabaseCli() === undefined)('the CLI', () => {
  test('applies every migration to a hosted project, and finds nothing more to do', async () => {
    const cluster = await startCluster({ isDurable: false })
    const superuser = new pg.Client({ connectionString: cluster.url })
    await superuser.connect()
    try {
      await superuser.query(await readFile(new URL('hosted-project.sql', import.meta.url), 'utf8'))
      const password = crypto.randomUUID()
      await superuser.query(`alter role migrator password '${password}'`)
      const url = Object.assign(new URL(cluster.url), { username: 'migrator', password })
      url.searchParams.set('sslmode', 'disable')
      const push = ['db', 'push', `--remote=${url.href}`]

      const first = await runSupabaseCli(push)
      const second = await runSupabaseCli(push)

      expect(first).toMatchObject({ code: 0 })
      // The CLI names keys of config.toml that it does not know, and goes on.
      expect(first.output).not.toMatch(/does not recognize/)
      expect(second).toMatchObject({ code: 0, output: expect.stringMatching(/up to date/i) })
      const { rows } = await superuser.query<{ file: string }>(
        `select version || '_' || name || '.sql' as file from supabase_migrations.schema_migrations order by version`,
      )
      expect(rows.map(({ file }) => file)).toEqual((await readdir(migrations)).sort())
    } finally {
      await superuser.end()
      await cluster.stop()
    }
  }, 60_000)
})

test('config.toml deploys every function, with the one import map and asking for a token', async () => {
  const config = await readFile(new URL('../../supabase/config.toml', import.meta.url), 'utf8')
  const folders = await readdir(new URL('../../supabase/functions', import.meta.url), { withFileTypes: true })
  const names = folders
    .filter((each) => each.isDirectory() && each.name !== '_project')
    .map(({ name }) => name)

  expect(names.length).toBeGreaterThan(0)
  for (const name of names)
    expect(config).toContain(`[functions.${name}]
verify_jwt = true
entrypoint = "./functions/${name}/index.ts"
import_map = "./functions/deno.json"
`)
})
