/**
 * `supabase/` as the Supabase CLI takes it: `db push` to a database prepared as a hosted project is, `functions deploy`
 * and `config push` to a stand-in of the platform. Seen red with: a migration renamed to a name that the CLI skips; the
 * import map of a function left out of config.toml; a key of config.toml misspelt.
 */
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { startManagementApi } from '#tools/hosted/management-api.ts'
import { findSupabaseCli } from '#tools/hosted/programs.ts'
import { projectRef, runSupabaseCli, siteUrl } from '#tools/hosted/supabase-cli.ts'
import { startCluster } from '#tools/postgres/cluster.ts'

const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
const toProject = `--remote=${projectRef}`

// Hosted projects run on PostgreSQL; without the CLI (npm ci --prefix tools/hosted/packages) there is nothing to try.
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

      const first = await runSupabaseCli('http://127.0.0.1:9', push)
      const second = await runSupabaseCli('http://127.0.0.1:9', push)

      expect(first).toMatchObject({ code: 0 })
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

  test('deploys the three functions with all that they import, and nothing of this server', async () => {
    const platform = await startManagementApi()

    const { code, output } = await runSupabaseCli(platform.url, [
      'functions',
      'deploy',
      '--use-api',
      toProject,
    ])
    platform.close()

    expect(code, output).toBe(0)
    expect([...platform.functions.keys()].sort()).toEqual([
      'delete-account',
      'manage-transactions',
      'manage-users',
    ])
    for (const [name, { entrypoint, importMap, files }] of platform.functions) {
      expect([entrypoint, importMap]).toEqual([
        `supabase/functions/${name}/index.ts`,
        'supabase/functions/deno.json',
      ])
      expect([...files.keys()]).toContain('server/functions/handlers/call.ts')
      expect(
        [...files.keys()].filter(
          (file) => !/^(?:supabase\/functions|server\/functions\/handlers|contract)\//.test(file),
        ),
      ).toEqual([])
    }
  }, 60_000)

  test('pushes the settings that the product rests on', async () => {
    const attributes = { api: { max_rows: 500 }, auth: { site_url: 'x', mailer_autoconfirm: true } }
    const platform = await startManagementApi({
      '/billing/addons': { selected_addons: [], available_addons: [] },
      '/config': { data: { type: 'project_config', id: projectRef, attributes } },
    })

    const { output } = await runSupabaseCli(platform.url, ['config', 'push', toProject])
    platform.close()

    const pushed = Object.assign({}, ...platform.changes.map(({ body }) => body)) as object
    expect(pushed, output).toMatchObject({
      db_schema: 'public',
      max_rows: 1000,
      site_url: siteUrl,
      mailer_autoconfirm: false,
      password_min_length: 8,
      security_update_password_require_reauthentication: true,
      mfa_totp_enroll_enabled: true,
      mfa_totp_verify_enabled: true,
      external_anonymous_users_enabled: false,
      jwt_exp: 3600,
    })
    expect(output).not.toMatch(/unknown|unrecognized|not recognised/i)
  }, 60_000)
})
