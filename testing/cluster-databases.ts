/** The databases of a cluster: creates them, names their logins, and runs SQL in them. */
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

/** The superuser's URL of a cluster, and the owner's URL for one of its databases, which others can be copied from. */
export type TemplateCluster = { readonly url: string; readonly ownerUrl: string }

/**
 * Creates a database that the owner owns, and returns the owner's URL for it. By default, the database has a new name
 * and is empty.
 */
export async function createDatabase(
  { url, ownerUrl }: TemplateCluster,
  { name, template }: { name?: string; template?: string | null },
): Promise<string> {
  const chosen = name ?? `test_${randomUUID().replaceAll('-', '')}`
  const maintenance = new pg.Client({ connectionString: url })
  await maintenance.connect()
  await maintenance.query(
    `create database ${identifier(chosen)} template ${identifier(template ?? 'template1')} owner finanzas_owner`,
  )
  await maintenance.end()
  return Object.assign(new URL(ownerUrl), { pathname: `/${chosen}` }).href
}

/** Returns the name of the serving login for the database in `url`, and a new random password. */
export function servingLoginOf(url: string): { name: string; password: string } {
  return {
    name: `authenticator_${new URL(url).pathname.slice(1)}`,
    password: randomBytes(16).toString('hex'),
  }
}

/** Returns the URL with which the serving login connects to the database in `url`. */
export function servingUrlOf(url: string): string {
  const { name: username, password } = servingLoginOf(url)
  return Object.assign(new URL(url), { username, password }).href
}

/**
 * Returns the superuser's URL for the database that `other` names, or by default for the database in the owner's URL.
 */
export function superuserUrlOf({ url, ownerUrl }: TemplateCluster, other = ownerUrl): string {
  return Object.assign(new URL(url), { pathname: new URL(other).pathname }).href
}

/**
 * Runs SQL with psql and returns the rows of the last query, one string per row. If the SQL fails, throws an error
 * with psql's output, which includes the SQLSTATE.
 */
export async function askPsql(
  { binaries }: { readonly binaries: string },
  url: string,
  sql: string,
): Promise<string[]> {
  const form = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align']
  const settings = ['--set=ON_ERROR_STOP=1', '--set=VERBOSITY=verbose']
  const program = path.join(binaries, 'psql')
  const { stdout } = await promisify(execFile)(program, [...form, ...settings, `--command=${sql}`, url])
  return stdout.split('\n').filter((line) => line !== '')
}

function identifier(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a plain database name: ${name}`)
  return `"${name}"`
}
