/**
 * The product's migrations on a database prepared as a hosted project is: `auth` has another owner, the
 * role that migrates is no superuser, nothing is granted by default. Then the life of a customer in it.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#testing/cluster.ts'

const migrations = fileURLToPath(new URL('../../supabase/migrations', import.meta.url))
const admin = crypto.randomUUID()
const customer = crypto.randomUUID()

// Hosted projects run on PostgreSQL.
describe.skipIf(process.env['ENGINE'] !== 'postgres')('a hosted project', () => {
  let cluster: Cluster
  let superuser: pg.Client

  beforeAll(async () => {
    cluster = await startCluster({ isDurable: false })
    superuser = new pg.Client({ connectionString: cluster.url })
    await superuser.connect()
    await superuser.query(await readFile(new URL('hosted-project.sql', import.meta.url), 'utf8'))
    await superuser.query('set session authorization migrator')
    for (const file of (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()) {
      // One file is one database transaction, as the Supabase CLI applies it.
      const text = await readFile(join(migrations, file), 'utf8')
      await superuser.query(`begin; ${text}; commit`).catch((cause: unknown) => {
        throw new Error(`${file}: ${cause instanceof Error ? cause.message : ''}`, { cause })
      })
    }
    await superuser.query('reset session authorization')
    for (const [id, role] of [
      [admin, 'admin'],
      [customer, 'user'],
    ] as const) {
      await asAuthService(
        `insert into auth.users (instance_id, id, aud, role, email, raw_app_meta_data, raw_user_meta_data, created_at)
         values ('00000000-0000-0000-0000-000000000000', '${id}', 'authenticated', 'authenticated', '${id}@banco.example',
           '{"provider": "email", "providers": ["email"]}', '{"full_name": "Ana Pérez"}', now())`,
      )
      // The admin API adds the custom metadata in a second statement.
      await asAuthService(
        `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "${role}"}' where id = '${id}'`,
      )
      await asAuthService(
        `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), '${id}', now())`,
      )
    }
  }, 60_000)
  afterAll(async () => {
    await superuser.end()
    await cluster.stop()
  })

  test('a sign-up gets its profile and its budget', async () => {
    const { rows } = await superuser.query(
      'select p.full_name, p.role, b.balance from public.profiles p join public.budgets b on b.user_id = p.id where p.id = $1',
      [customer],
    )

    expect(rows).toEqual([{ full_name: 'Ana Pérez', role: 'user', balance: '0' }])
  })

  test('an administrator registers a deposit, and nobody else does', async () => {
    const deposit = `select public.register_transaction('${customer}', 'deposit', 100, 'Nómina', now(), 'Deposito')`

    await expect(as(customer, deposit)).rejects.toMatchObject({ code: '42501' })
    await as(admin, deposit)

    expect(await as(customer, 'select balance from public.budgets')).toEqual([{ balance: '100' }])
    expect(await as(customer, 'select type, recorded_by from public.transactions')).toEqual([
      { type: 'deposit', recorded_by: 'bank' },
    ])
  })

  test('a customer records an expense, deletes it, and has it back', async () => {
    const [row] = await as(
      customer,
      "insert into public.transactions (type, description, amount) values ('expense', 'Café', 3) returning id",
    )
    await as(customer, `delete from public.transactions where id = '${String(row?.['id'])}'`)
    expect(await as(customer, 'select balance from public.budgets')).toEqual([{ balance: '100' }])

    await as(customer, `select public.restore_transaction('${String(row?.['id'])}')`)

    expect(await as(customer, 'select balance from public.budgets')).toEqual([{ balance: '97' }])
    expect(await as(customer, 'select kind from public.journal_entries order by seq')).toEqual([
      { kind: 'deposit' },
      { kind: 'expense' },
      { kind: 'reversal' },
      { kind: 'restoration' },
    ])
  })

  test('an administrator reads the audit, and a customer is refused aloud', async () => {
    await expect(as(customer, 'select * from public.audit_entries')).rejects.toMatchObject({ code: '42501' })

    expect((await as(admin, 'select * from public.audit_entries')).length).toBeGreaterThan(0)
  })

  test('an administrator with a second factor is none until it was shown, though the platform serves the session', async () => {
    const deposit = `select public.register_transaction('${customer}', 'deposit', 1, 'Ajuste', now(), 'Deposito')`
    await asAuthService(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), '${admin}', 'totp', 'verified', now(), now())`,
    )

    await expect(as(admin, deposit)).rejects.toMatchObject({ code: '42501' })
    await expect(as(admin, 'select * from public.audit_entries')).rejects.toMatchObject({ code: '42501' })
    await asAuthService(`update auth.sessions set aal = 'aal2' where user_id = '${admin}'`)
    await as(admin, deposit)

    await asAuthService(`delete from auth.mfa_factors where user_id = '${admin}'`)
  })

  test('a deleted user leaves the journal behind and nothing that names them', async () => {
    await as(admin, `select public.delete_user('${customer}')`)

    const { rows } = await superuser.query(
      'select (select count(*)::int from auth.users where id = $1) as users, (select count(*)::int from public.transactions where user_id = $1) as transactions, (select kind from ledger.journal where user_id = $1 order by seq desc limit 1) as last',
      [customer],
    )
    expect(rows).toEqual([{ users: 0, transactions: 0, last: 'closing' }])
  })

  /** As the table API runs a request: the role and the claims, for one database transaction. */
  async function as(person: string, text: string): Promise<Record<string, unknown>[]> {
    const { rows } = await superuser.query<{ id: string }>(
      'select id from auth.sessions where user_id = $1',
      [person],
    )
    const claims = { sub: person, role: 'authenticated', session_id: rows[0]?.id }
    await superuser.query('begin')
    try {
      await superuser.query("select set_config('role', 'authenticated', true)")
      await superuser.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)])
      const answer = await superuser.query<Record<string, unknown>>(text)
      await superuser.query('commit')
      return answer.rows
    } catch (error) {
      await superuser.query('rollback')
      throw error
    }
  }

  async function asAuthService(text: string): Promise<void> {
    await superuser.query('set session authorization supabase_auth_admin')
    try {
      await superuser.query(text)
    } finally {
      await superuser.query('reset session authorization')
    }
  }
})
