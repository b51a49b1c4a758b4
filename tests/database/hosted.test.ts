/**
 * Applies the migrations in `supabase/` to a database like a hosted project's: `auth` has a different owner, the
 * migrating role is not a superuser, and the project grants rights on new objects by default. The tests then follow one customer from
 * sign-up to deletion.
 */
import { readFile, readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releasedMigrations } from '#server/database/migrate.ts'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import { findSupabaseCli, runSupabaseCli } from '#testing/hosted/programs.ts'
import { openTestDatabase } from './database.ts'

const admin = crypto.randomUUID()
const customer = crypto.randomUUID()
const { product } = releasedMigrations()
const audit = 'select * from public.audit_entries'
const hasCli = findSupabaseCli() !== undefined

test('config.toml sets the shared import map and requires a token for every function', async () => {
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

// Runs only on PostgreSQL, because hosted projects use PostgreSQL.
describe.skipIf(process.env['ENGINE'] !== 'postgres')('after the migrations', () => {
  let cluster: Cluster
  let superuser: pg.Client
  let push: string[]

  beforeAll(async () => {
    cluster = await startCluster({ isDurable: false })
    superuser = new pg.Client({ connectionString: cluster.url })
    await superuser.connect()
    await superuser.query(await readFile(new URL('hosted-project.sql', import.meta.url), 'utf8'))
    const password = crypto.randomUUID()
    await superuser.query(`alter role migrator password '${password}'`)
    const url = Object.assign(new URL(cluster.url), { username: 'migrator', password })
    url.searchParams.set('sslmode', 'disable')
    push = ['db', 'push', `--remote=${url.href}`]
    if (hasCli) {
      const { code, output } = await runSupabaseCli(push)
      expect(code, output).toBe(0)
      // The CLI does not fail on unknown keys in config.toml but only warns about them.
      expect(output).not.toMatch(/does not recognize/)
    } else await migrateAsCli()
    for (const [id, role] of [
      [admin, 'admin'],
      [customer, 'user'],
    ] as const) {
      await asAuthService(
        `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data, created_at)
         values ('${id}', '${id}@banco.example', '{"provider": "email"}', '{"full_name": "Ana Pérez"}', now())`,
      )
      // GoTrue's admin API inserts the user first and writes the custom metadata in a second statement.
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

  // Requires the CLI (npm ci --prefix testing/hosted/packages). Without the CLI, `migrateAsCli` has applied the
  // migrations.
  test.runIf(hasCli)('a second push to a hosted project finds no missing migration', async () => {
    expect(await runSupabaseCli(push)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/up to date/i),
    })
    const { rows } = await superuser.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by version',
    )
    expect(rows.map(({ version }) => version)).toEqual(product.map(({ version }) => version))
  })

  test('clients have the same rights in a hosted project as on our own server', async () => {
    const rights = `
      select format('%s may execute %s', r.rolname, p.oid::regprocedure) as allowed
      from pg_proc p, pg_roles r
      where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger')
        and r.rolname in ('anon', 'authenticated', 'service_role') and has_function_privilege(r.oid, p.oid, 'execute')
      union all
      select format('%s may %s %s.%s', r.rolname, action, c.oid::regclass, a.attname)
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      cross join pg_roles r cross join unnest(array['select', 'insert', 'update']) action
      where c.relnamespace::regnamespace::text in ('public', 'private', 'ledger') and c.relkind in ('r', 'v', 'p', 'm', 'f')
        and r.rolname in ('anon', 'authenticated', 'service_role')
        and has_column_privilege(r.oid, c.oid, a.attnum, action)
      union all
      select format('%s may %s %s', r.rolname, action, c.oid::regclass)
      from pg_class c cross join pg_roles r cross join unnest(array['delete', 'truncate', 'trigger', 'references']) action
      where c.relnamespace::regnamespace::text in ('public', 'private', 'ledger') and c.relkind in ('r', 'v', 'p', 'm', 'f')
        and r.rolname in ('anon', 'authenticated', 'service_role') and has_table_privilege(r.oid, c.oid, action)
      union all
      select format('%s may %s %s', r.rolname, action, c.oid::regclass)
      from pg_class c cross join pg_roles r cross join unnest(array['select', 'update', 'usage']) action
      where c.relnamespace::regnamespace::text in ('public', 'private', 'ledger') and c.relkind = 'S'
        and r.rolname in ('anon', 'authenticated', 'service_role') and has_sequence_privilege(r.oid, c.oid, action)
      order by 1`
    const own = await openTestDatabase()
    const ours = await own.owner.query<{ allowed: string }>({ text: rights, values: [] })
    await own.close()

    expect(ours.length).toBeGreaterThan(400)
    expect((await superuser.query(rights)).rows).toEqual(ours)
  })

  test('after the migrations, a hosted project grants its rights on new tables again', async () => {
    const { rows } = await superuser
      .query(`
      set role migrator;
      create table public.added_later ();
      reset role;
      select r.rolname as role, count(*)::integer as rights
      from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = 'public.added_later'::regclass and r.rolname in ('anon', 'authenticated', 'service_role')
      group by 1 order by 1`)
      .then((results) => (results as unknown as pg.QueryResult[]).at(-1) ?? { rows: [] })
    await superuser.query('drop table public.added_later')

    expect(rows.map(({ role }) => String(role))).toEqual(['anon', 'authenticated', 'service_role'])
    expect(Math.min(...rows.map(({ rights }) => Number(rights)))).toBeGreaterThanOrEqual(7)
  })

  test('after the migrations, a hosted project grants its rights on new functions again', async () => {
    const { rows } = await superuser
      .query(`
      set role migrator;
      create function public.added_later() returns integer return 1;
      create function private.added_later() returns integer return 1;
      reset role;
      select format('%s.%s', p.pronamespace::regnamespace, p.proname) as name, coalesce(r.rolname, 'PUBLIC') as role
      from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a left join pg_roles r on r.oid = a.grantee
      where p.proname = 'added_later' and a.grantee <> p.proowner order by 1, 2`)
      .then((results) => (results as unknown as pg.QueryResult[]).at(-1) ?? { rows: [] })
    await superuser.query('drop function public.added_later(); drop function private.added_later()')

    expect(rows).toEqual([
      { name: 'private.added_later', role: 'PUBLIC' },
      { name: 'public.added_later', role: 'PUBLIC' },
      { name: 'public.added_later', role: 'anon' },
      { name: 'public.added_later', role: 'authenticated' },
      { name: 'public.added_later', role: 'service_role' },
    ])
  })

  test('a hosted project creates a profile and a budget at sign-up, and lets only an administrator register a deposit', async () => {
    const { rows } = await superuser.query(
      'select p.full_name, p.role, b.balance from public.profiles p join public.budgets b on b.user_id = p.id where p.id = $1',
      [customer],
    )
    expect(rows).toEqual([{ full_name: 'Ana Pérez', role: 'user', balance: '0' }])

    await expect(deposit(customer, 100)).rejects.toMatchObject({ code: '42501' })
    await deposit(admin, 100)

    expect(await as(customer, 'select type, recorded_by from public.transactions')).toEqual([
      { type: 'deposit', recorded_by: 'bank' },
    ])
  })

  test('a hosted project lets a customer record, delete and restore an expense', async () => {
    const [row] = await as(
      customer,
      "insert into public.transactions (type, description, amount) values ('expense', 'Café', 3) returning id",
    )
    await as(customer, `delete from public.transactions where id = '${String(row?.['id'])}'`)
    await as(customer, `select public.restore_transaction('${String(row?.['id'])}')`)

    expect(await as(customer, 'select kind, balance_after from public.journal_entries order by seq')).toEqual(
      [
        { kind: 'deposit', balance_after: '100' },
        { kind: 'note', balance_after: '97' },
        { kind: 'reversal', balance_after: '100' },
        { kind: 'restoration', balance_after: '97' },
      ],
    )
  })

  test('a customer of a hosted project can transfer to a beneficiary that they confirm after a recent sign-in', async () => {
    const [beneficiary, planned] = [crypto.randomUUID(), crypto.randomUUID()]
    await expect(as(customer, 'select public.transfer_account()')).rejects.toMatchObject({ code: 'PT404' })
    await asAuthService(`update auth.users set email_confirmed_at = now() where id = '${admin}'`)
    await superuser.query('set role migrator')
    await superuser.query(`select private.set_settings('{"transferencias": "on", "notificaciones": "on"}')`)
    await superuser.query('reset role')
    await as(customer, `select public.add_beneficiary('${beneficiary}', 'Marta', '${admin}@banco.example')`)
    const confirmed = async (minutes: number) => {
      const timestamp = Math.floor(Date.now() / 1000) - minutes * 60
      const claims = { sub: customer, role: 'authenticated', session_id: await sessionOf(customer) }
      return request(
        { ...claims, amr: [{ method: 'password', timestamp }] },
        `select (public.confirm_beneficiary('${beneficiary}')).payee_name`,
      )
    }

    await expect(confirmed(11)).rejects.toMatchObject({ code: '42501', hint: 'reauthentication_needed' })
    expect(await confirmed(9)).toEqual([{ payee_name: 'A••• P•••' }])
    expect(
      await as(customer, `select (public.request_transfer(gen_random_uuid(), '${beneficiary}', 1)).status`),
    ).toEqual([{ status: 'done' }])
    await as(
      customer,
      `select public.request_transfer('${planned}', '${beneficiary}', 1, due_on => (now() at time zone 'America/Bogota')::date + 1)`,
    )
    await superuser.query('update public.requests set due_on = due_on - 1 where id = $1', [planned])
  })

  test('a hosted project records due expenses, posts batches and carries out transfers with a job of pg_cron', async () => {
    const { rows: jobs } = await superuser.query<{ name: string; command: string }>(
      'select name, command from cron.scheduled order by name',
    )
    expect(jobs.map(({ name }) => name)).toEqual(['finanzas'])
    await as(
      customer,
      `select public.save_recurring_expense(gen_random_uuid(), 'Luz', 1, 'weekly', current_date + 7, is_automatic => true)`,
    )
    await superuser.query('update public.recurring_expenses set next_due_on = current_date - 1')

    const lines = Array.from({ length: 150 }, (_, index) => ({
      line: index + 1,
      user_id: customer,
      amount: 0.01,
      description: 'Nómina',
    }))
    await as(admin, `select public.create_batch(gen_random_uuid(), 'nomina.csv', '${JSON.stringify(lines)}')`)

    await superuser.query('set role migrator')
    for (const { command } of jobs) await superuser.query(command)
    await superuser.query('reset role')

    expect(await as(customer, `select amount from public.transactions where description = 'Luz'`)).toEqual([
      { amount: '1' },
    ])
    expect(
      await as(admin, 'select posted, finished_at is not null as is_finished from public.batches'),
    ).toEqual([{ posted: 150, is_finished: true }])
    expect(
      await as(
        customer,
        `select sum(events)::int as deposits from public.notifications where kind = 'deposit'`,
      ),
    ).toEqual([{ deposits: 150 }])
    expect(await as(customer, 'select status, count(*)::int from public.requests group by status')).toEqual([
      { status: 'done', count: 2 },
    ])
  })

  test('a hosted project opens the accounts in a file, but refuses the bank’s own invitations', async () => {
    const id = crypto.randomUUID()
    const lines = [
      { line: 2, full_name: 'Luis Díaz', email: 'luis@correo.example', amount: 5 },
      { line: 3, full_name: 'Eva', email: 'eva@correo.example' },
    ]
    await as(admin, `select public.create_customers('${id}', 'clientes.csv', '${JSON.stringify(lines)}')`)
    await superuser.query(
      `insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'eva@correo.example', now())`,
    )

    await superuser.query('set role migrator; select private.post_batch_piece(100); reset role')

    expect(
      await as(admin, `select status, fault from public.batch_lines where batch_id = '${id}' order by line`),
    ).toEqual([
      { status: 'posted', fault: null },
      { status: 'failed', fault: 'Ya hay un usuario con este email.' },
    ])
    const { rows } = await superuser.query(`
      select u.aud, u.encrypted_password, u.confirmation_token, i.provider, p.full_name, b.balance
      from auth.users u join auth.identities i on i.user_id = u.id join public.profiles p on p.id = u.id
      join public.budgets b on b.user_id = u.id
      where u.email = 'luis@correo.example'`)
    expect(rows).toEqual([
      {
        aud: 'authenticated',
        encrypted_password: '',
        confirmation_token: '',
        provider: 'email',
        full_name: 'Luis Díaz',
        balance: '5',
      },
    ])
    await expect(as(admin, `select public.invite_customers('${id}')`)).rejects.toMatchObject({
      code: 'PT409',
    })
  })

  test('a hosted project refuses an administrator’s requests until they verify their second factor', async () => {
    await asAuthService(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), '${admin}', 'totp', 'verified', now(), now())`,
    )

    await expect(deposit(admin, 1)).rejects.toMatchObject({ code: '42501' })
    for (const person of [admin, customer])
      await expect(as(person, audit)).rejects.toMatchObject({ code: '42501' })
    await asAuthService(`update auth.sessions set aal = 'aal2' where user_id = '${admin}'`)
    await deposit(admin, 1)
    expect((await as(admin, audit)).length).toBeGreaterThan(0)

    await asAuthService(`delete from auth.mfa_factors where user_id = '${admin}'`)
  })

  test('a hosted project lets customers end their own sessions, and lets staff block customers and reset factors', async () => {
    const other = crypto.randomUUID()
    await asAuthService(
      `insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent, ip)
       values ('${other}', '${customer}', '2026-01-01T00:00Z', '2026-01-02 00:00', 'Firefox', '190.84.12.7')`,
    )
    const list = 'select is_present, last_used_at, network from public.own_sessions()'

    expect(await as(customer, list)).toEqual([
      { is_present: true, last_used_at: expect.any(Date), network: null },
      { is_present: false, last_used_at: new Date('2026-01-02T00:00Z'), network: '190.84.12.7' },
    ])
    await as(customer, `select public.end_session('${other}')`)
    expect(await as(customer, list)).toHaveLength(1)

    await asAuthService(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), '${customer}', 'totp', 'verified', now(), now())`,
    )
    await as(admin, `select public.reset_factor('${customer}')`)
    await as(admin, `select public.block_user('${customer}', 'other', 24)`)
    const { rows } = await superuser.query(
      `select u.banned_until > now() as banned, (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors,
         (select count(*)::int from auth.sessions where user_id = u.id) as sessions
       from auth.users u where u.id = $1`,
      [customer],
    )
    expect(rows).toEqual([{ banned: true, factors: 0, sessions: 0 }])
    await as(admin, `select public.unblock_user('${customer}')`)
  })

  test('a hosted project knows who typed a password, and forgets it only after a mailed link', async () => {
    const [user, byPassword, byLink] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const typed = async () =>
      (
        await superuser.query(
          `select (select count(*)::int from private.staff_passwords where user_id = $1) as typed,
             (select count(*)::int from private.access_acts where person = $1 and clerk = $2 and act = 'open') as opened`,
          [user, admin],
        )
      ).rows
    const setPassword = (session: string, method: string, hash: string) =>
      asAuthService(`
        insert into auth.sessions (id, user_id, created_at) values ('${session}', '${user}', now());
        insert into auth.mfa_amr_claims (session_id, authentication_method) values ('${session}', '${method}');
        begin;
        update auth.users set encrypted_password = '${hash}' where id = '${user}';
        delete from auth.sessions where user_id = '${user}' and id <> '${session}';
        commit`)

    await asFunctionOf(admin, (by) => `select public.begin_user_creation(${by}, '${user}', 'user')`)
    await asAuthService(
      `insert into auth.users (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data)
       values ('${user}', 'nueva@correo.example', 'hash', '{}', '{}')`,
    )
    expect(await typed()).toEqual([{ typed: 1, opened: 1 }])
    await setPassword(byPassword, 'password', 'other')
    expect(await typed()).toEqual([{ typed: 1, opened: 1 }])
    await setPassword(byLink, 'otp', 'own')
    expect(await typed()).toEqual([{ typed: 0, opened: 1 }])
    await asAuthService(`delete from auth.users where id = '${user}'`)
    expect(await typed()).toEqual([{ typed: 0, opened: 0 }])
  })

  test('a hosted project keeps only the journal of a deleted user, without the user’s name', async () => {
    await asFunctionOf(admin, (by) => `select public.delete_user(${by}, '${customer}')`)

    const { rows } = await superuser.query(
      'select (select count(*)::int from auth.users where id = $1) as users, (select count(*)::int from public.transactions where user_id = $1) as transactions, (select kind from ledger.journal where user_id = $1 order by seq desc limit 1) as last',
      [customer],
    )
    expect(rows).toEqual([{ users: 0, transactions: 0, last: 'closing' }])
  })

  /** Applies the migrations in the same way as the CLI, each file in its own database transaction. */
  async function migrateAsCli(): Promise<void> {
    await superuser.query('set session authorization migrator')
    for (const { name, text } of product)
      await superuser.query(`begin; ${text}; commit`).catch((cause: unknown) => {
        throw new Error(`${name}: ${cause instanceof Error ? cause.message : ''}`, { cause })
      })
    await superuser.query('reset session authorization')
  }

  /** Runs a statement for a user's request, in the same way as the table API. */
  async function as(person: string, text: string): Promise<Record<string, unknown>[]> {
    return request({ sub: person, role: 'authenticated', session_id: await sessionOf(person) }, text)
  }

  /**
   * Runs a statement for a function's request, in the same way as the table API. The request passes the user's id and
   * session id as arguments.
   */
  async function asFunctionOf(person: string, text: (by: string) => string): Promise<void> {
    await request({ role: 'service_role' }, text(`'${person}', '${await sessionOf(person)}'`))
  }

  function deposit(by: string, amount: number): Promise<void> {
    return asFunctionOf(
      by,
      (actor) =>
        `select public.register_transaction(${actor}, '${customer}', 'deposit', ${amount}, 'Nómina', now(), 'Deposito')`,
    )
  }

  async function sessionOf(person: string): Promise<string | undefined> {
    const { rows } = await superuser.query<{ id: string }>(
      'select id from auth.sessions where user_id = $1',
      [person],
    )
    return rows[0]?.id
  }

  /** Runs a statement in a database transaction with the given role and claims. */
  async function request(claims: { role: string; [claim: string]: unknown }, text: string) {
    await superuser.query('begin')
    try {
      await superuser.query("select set_config('role', $1, true)", [claims.role])
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
