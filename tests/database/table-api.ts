/** Serves `/rest/v1` without a network port. Tests can create any object in the API's database and run SQL directly. */
import { randomUUID } from 'node:crypto'
import { type SqlStatement, SqlError } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { openSurfaces } from '#testing/surfaces.ts'
import type { TestDatabase } from '#testing/database.ts'

export type ApiAnswer = { readonly status: number; readonly text: string; readonly range: string | null }
type Asked = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

export type TableApi = Awaited<ReturnType<typeof openTableApi>>

/** Quotes a text as a SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Quotes a text as a name in a query string. */
export function fieldName(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Opens a table API that uses the service key. Closing the API does not close `bank`. */
export async function openTableApi(bank: TestDatabase) {
  /**
   * The role that owns the objects created by `make`. The role's name is random, because roles are shared by all
   * databases of a cluster.
   */
  const maker = `maker_${randomUUID().replaceAll('-', '')}`
  const superuser = await bank.connectSuperuser()
  await superuser.script(`
    create role ${maker} nologin; grant create, usage on schema public to ${maker};
    grant ${maker} to current_user; grant service_role to ${maker};`)
  let server = await newServer(bank)

  return {
    /** Runs SQL as the superuser. */
    script: (text: string) => superuser.script(text),
    /** Creates an object that `removeAll` removes. Returns false when PostgreSQL refuses to create the object. */
    async make(text: string): Promise<boolean> {
      try {
        await superuser.script(`begin; set local role ${maker}; ${text}; commit`)
        return true
      } catch (error) {
        if (!(error instanceof SqlError)) throw error
        await superuser.script('rollback')
        return false
      }
    },
    async removeAll(): Promise<void> {
      await superuser.script(
        `drop owned by ${maker} cascade; grant create, usage on schema public to ${maker};`,
      )
    },
    /** Grants the service role all rights, and replaces the server with a new one, which reads the schema again. */
    async restart(): Promise<void> {
      await superuser.script(`
        grant all on all tables in schema public to service_role;
        grant execute on all functions in schema public to service_role;`)
      await server.close()
      server = await newServer(bank)
    },
    ask: (method: Method, path: string, asked: Asked = {}) => ask(server, { method, path, ...asked }),
    direct: (text: string, values: SqlStatement['values'] = []) => direct(bank, text, values),
    async close(): Promise<void> {
      await server.close()
      await superuser.close()
    },
  }
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
type Server = Awaited<ReturnType<typeof newServer>>

/** Creates a server that has not yet read the database schema. */
function newServer({ database }: TestDatabase) {
  return openSurfaces(database, { throttle: unlimited })
}

async function ask(
  { inject, apiKeys }: Server,
  { method, path, body, headers = {} }: Asked & { method: Method; path: string },
): Promise<ApiAnswer> {
  const answer = await inject({
    method,
    url: `/rest/v1${path}`,
    headers: {
      apikey: apiKeys.serviceRoleKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  const range = answer.headers['content-range']
  return { status: answer.statusCode, text: answer.body, range: typeof range === 'string' ? range : null }
}

/**
 * Runs SQL as the service role. Returns the column `answer` of the first row as text, or the SQLSTATE if the SQL
 * failed.
 */
async function direct(
  bank: TestDatabase,
  text: string,
  values: SqlStatement['values'],
): Promise<{ text: string } | { state: string }> {
  try {
    const scope = asCaller({ role: 'service_role' }, 'write')
    const statement: SqlStatement<{ answer: string | null }> = { text, values }
    const [rows] = await bank.database.transaction(scope, [statement])
    return { text: rows[0]?.answer ?? '' }
  } catch (error) {
    if (error instanceof SqlError) return { state: error.sqlState }
    throw error
  }
}
