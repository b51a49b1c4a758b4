/** The PostgreSQL login that the server uses to serve requests, and its rights (security.md AZ-11). */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { servingUrlOf, askPsql, superuserUrlOf } from '#testing/cluster-databases.ts'
import { signIn } from '#testing/people.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { clusterOfFile, hasPostgres, record, startOn, startProgram } from './programs.ts'

const cluster = clusterOfFile()

/**
 * Creates an empty database. Returns the connection strings for the database's owner, a superuser and the serving
 * login.
 */
async function newDatabase() {
  const name = `bank_${randomUUID().replaceAll('-', '_')}`
  const owner = await cluster().createDatabase(name)
  const serving = servingUrlOf(owner)
  return {
    name,
    owner,
    superuser: superuserUrlOf(cluster(), owner),
    serving,
    login: new URL(serving).username,
  }
}

const refusedStart = async (variables: Record<string, string>) => {
  const program = await startProgram(variables)
  return { code: await program.ended, said: program.output() }
}

// The embedded engine has only one login.
describe.skipIf(!hasPostgres)('the serving login', () => {
  test.for<[string, RegExp, (address: Addresses) => Record<string, string>]>([
    [
      'a superuser in DATABASE_URL',
      /postgres es un superusuario.*DATABASE_URL.*DATABASE_ALLOW_SUPERUSER=true/,
      ({ superuser }) => ({ DATABASE_URL: superuser }),
    ],
    [
      'a superuser in DATABASE_DIRECT_URL',
      /postgres es un superusuario.*DATABASE_URL.*DATABASE_ALLOW_SUPERUSER=true/,
      ({ superuser, serving }) => ({ DATABASE_URL: serving, DATABASE_DIRECT_URL: superuser }),
    ],
    [
      'a superuser even if a superuser may prepare the database',
      /SUPERUSER.*Pon en DATABASE_URL el usuario authenticator_/,
      ({ superuser, owner }) => ({
        DATABASE_URL: superuser,
        DATABASE_DIRECT_URL: owner,
        DATABASE_ALLOW_SUPERUSER: 'true',
      }),
    ],
    [
      'the owner',
      /CREATEROLE, CREATEDB, BYPASSRLS, INHERIT, objetos propios.*Pon en DATABASE_URL el usuario authenticator_/,
      ({ owner }) => ({ DATABASE_URL: owner, DATABASE_DIRECT_URL: owner }),
    ],
  ])('cannot be %s', async ([name, sentence, variables]) => {
    const address = await newDatabase()

    const { code, said } = await refusedStart(variables(address))

    expect(code).toBe(1)
    expect(said).toMatch(sentence)
    expect(said).not.toContain(new URL(address.superuser).password)
    const isEmpty = await askPsql(cluster(), address.owner, "select to_regnamespace('auth') is null")
    expect(isEmpty).toEqual([name.includes('DATABASE') ? 't' : 'f'])
  })

  test('the server refuses a serving login with extra privileges, and the message names these privileges', async () => {
    const { owner, superuser, serving, login } = await newDatabase()
    const addresses = { DATABASE_URL: serving, DATABASE_DIRECT_URL: owner, JWT_SECRET: randomUUID() }
    await (await startOn(addresses)).stop()
    await askPsql(cluster(), superuser, `alter role ${login} inherit createdb`)

    const { code, said } = await refusedStart(addresses)

    expect(code).toBe(1)
    expect(said).toContain(`${login}, que puede más de lo que hace falta: CREATEDB, INHERIT.`)
  })

  // This test requires PgBouncer.
  test.skipIf(findPooler() === undefined)(
    'cannot be prepared by an owner behind a pooler, because migrations need their own connection',
    async () => {
      const { owner } = await newDatabase()
      const { username: name, password } = new URL(owner)
      const program = findPooler() ?? ''
      const pooler = await startPooler({ program, serverUrl: owner, login: { name, password } })
      onTestFinished(() => pooler.stop())

      const { code, said } = await refusedStart({ DATABASE_URL: pooler.url })

      expect(code).toBe(1)
      expect(said).toContain('DATABASE_DIRECT_URL')
    },
  )

  test.each([
    ['the owner', ({ owner }) => ({ DATABASE_URL: owner })],
    [
      'a permitted superuser',
      ({ superuser }) => ({ DATABASE_URL: superuser, DATABASE_ALLOW_SUPERUSER: 'true' }),
    ],
  ] as [string, (address: Addresses) => Record<string, string>][])(
    'the serving login serves requests after %s has prepared the database',
    async (_name, variables) => {
      const address = await newDatabase()
      const program = await startOn(variables(address))
      expect((await record(await signIn(program))).status).toBe(201)

      const logins = await askPsql(
        cluster(),
        address.superuser,
        `select distinct usename from pg_stat_activity where datname = '${address.name}' and pid <> pg_backend_pid()`,
      )

      expect(logins).toEqual([address.login])
    },
  )

  test('the serving login owns no objects and has exactly five rights and five roles', async () => {
    const { superuser, login } = await preparedAddresses()
    const asSuperuser = (sql: string) => askPsql(cluster(), superuser, sql)
    const attributes = `
      select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication or rolinherit
      from pg_roles where rolname = '${login}'`
    const depending = (kind: 'a' | 'o') => `
      select pg_describe_object(classid, objid, objsubid) from pg_shdepend
      where refclassid = 'pg_authid'::regclass and refobjid = '${login}'::regrole and deptype = '${kind}'
        and dbid = (select oid from pg_database where datname = current_database())
      order by 1`

    expect(await asSuperuser(attributes)).toEqual(['f'])
    expect(await asSuperuser(depending('o'))).toEqual([])
    expect(await asSuperuser(depending('a'))).toEqual([
      'function auth.require_session(uuid,uuid)',
      'function auth.require_session_aal1(uuid,uuid)',
      'function private.limit_refused_writes(text,text)',
      'schema auth',
      'schema private',
    ])
    // The login can assume five roles, which requests and services use. The login cannot grant these roles to others,
    // and the roles do not have special attributes.
    const roles = `
      select rolname from pg_roles
      where pg_has_role('${login}', oid, 'member') and rolname <> '${login}' order by 1`
    const handedOn = `select roleid::regrole from pg_auth_members where member = '${login}'::regrole and admin_option`
    const commanding = `${roles.replace('order by 1', '')}
        and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolcanlogin)`

    expect(await asSuperuser(roles)).toEqual([
      'anon',
      'authenticated',
      'service_role',
      'supabase_auth_admin',
      'supabase_realtime_admin',
    ])
    expect(await asSuperuser(handedOn)).toEqual([])
    expect(await asSuperuser(commanding)).toEqual([])
  })

  test('the serving login cannot read or change anything before it assumes a role', async () => {
    const { serving, login } = await preparedAddresses()
    const attempts = attemptsOf(login)

    const answers = await Promise.all(
      attempts.map(async (statement) => {
        const said = await askPsql(cluster(), serving, statement).then(String, String)
        return [statement, /ERROR: {2}(\w{5}): /.exec(said)?.[1] ?? said]
      }),
    )

    expect(answers).toEqual(attempts.map((statement) => [statement, '42501']))
  })
})

/** Returns statements that an attacker with the login's password could try. */
const attemptsOf = (login: string) => [
  'select from public.transactions',
  'select from public.budgets',
  'select from auth.users',
  'select from ledger.journal',
  'delete from ledger.audit',
  "select private.record_audit('change_role', null, null, null)",
  'create table public.mine ()',
  'create schema mine',
  'alter table auth.users disable row level security',
  'alter table public.transactions disable trigger all',
  'create role mine',
  `alter role ${login} bypassrls`,
  `grant finanzas_owner to ${login}`,
  'set role finanzas_owner',
  'set role postgres',
  'set session authorization postgres',
  "select pg_read_file('/etc/passwd')",
  "copy (select 1) to program 'true'",
  'alter system set fsync = off',
]

/**
 * Starts a server on a new database, with different logins for serving and for the owner. Returns the connection
 * strings.
 */
async function preparedAddresses(): Promise<Addresses> {
  const address = await newDatabase()
  await startOn({ DATABASE_URL: address.serving, DATABASE_DIRECT_URL: address.owner })
  return address
}

type Addresses = Awaited<ReturnType<typeof newDatabase>>
