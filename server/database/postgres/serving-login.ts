/**
 * The password of the login that serves. It follows from the bank's data key, so every server knows the same one, also
 * while JWT_SECRET changes; or the operator chose it, for a pooler that must know it too. A password that works is never
 * set again, and one that sessions with another password came in with neither: they could not come in any more
 * (docs/decisions/0043).
 */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Owner, SqlError, sql } from '#database/database.ts'
import { connectOwner, mayLogIn } from './postgres.ts'

/** Addresses of a bank's serving login. */
export type ServingLogin = {
  readonly name: string
  /** The address from which to serve; a pooler may answer there. */
  readonly url: string
  /** The same login and password at the database itself. */
  readonly directUrl: string
  /** Ends the `application_name` of sessions that came in with this very password. */
  readonly passwordMark: string
}

/** Outcome of an attempt to let the login in. */
type Admission = 'let in already' | 'password set' | 'others have another password'

/** The password that follows from the bank's data key. */
export function derivedPassword(dataKey: string): string {
  return createHmac('sha256', dataKey).update('serving login').digest('base64url')
}

/** The same for each server that has this password, and no help in finding it. */
export function passwordMark(password: string, dataKey: string): string {
  return createHmac('sha256', dataKey).update(`password mark ${password}`).digest('hex').slice(0, 8)
}

/** The name of the login that serves the database of this connection. */
export async function servingLoginOf(owner: Owner): Promise<string> {
  const [row] = await owner.query(sql<{ name: string }>`select auth.serving_login() as name`)
  return row?.name ?? ''
}

/** Sets the login's password where it is refused with it, and no other session would suffer. Throws `DatabaseUnavailable`. */
export async function admit(
  owner: Owner,
  { name, directUrl, passwordMark: mark }: ServingLogin,
): Promise<Admission> {
  if (await mayLogIn(directUrl)) return 'let in already'
  const [others] = await owner.query(sql<{ count: number }>`
    select count(*) as count from pg_catalog.pg_stat_activity
    where usename = ${name} and application_name not like ${`% ${mark}`}`)
  if (others?.count !== 0) {
    // Another server that starts at this moment may have set the same password meanwhile.
    return (await mayLogIn(directUrl)) ? 'let in already' : 'others have another password'
  }
  const literal = `'${decodeURIComponent(new URL(directUrl).password).replaceAll("'", "''")}'`
  await retryRoleChange(() => owner.script(`alter role ${quoted(name)} password ${literal}`))
  return 'password set'
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Retries of a change of roles, and the longest wait before each. */
const roleChangesMax = 10
const roleChangeWaitMs = 200

/**
 * Makes the change, again where another session was changing roles: they belong to the cluster, and no lock that a
 * database has guards them.
 */
export async function retryRoleChange<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change()
    } catch (error) {
      if (!isOfAnotherSession(error) || attempt === roleChangesMax) throw error
      await setTimeout(Math.random() * roleChangeWaitMs)
    }
  }
}

function isOfAnotherSession(error: unknown): boolean {
  if (!(error instanceof SqlError)) return false
  const wasJustMade =
    error.sqlState === '23505' && /^pg_(?:authid|auth_members)_/.test(error.constraint ?? '')
  return wasJustMade || error.message === 'tuple concurrently updated'
}

const pauseMs = 30_000

/** Outcome of an attempt; `no owner` where the server lacks an address that may set the password. */
export type LoginReport = {
  readonly login: string | null
  readonly outcome: Admission | 'no owner' | 'failed'
}

/**
 * Heals the login when the database refuses it: a password that was changed by hand, or a dropped role. One attempt at a
 * time and a pause after each, so that an outage does not fill the log.
 */
export class LoginKeeper {
  readonly #ownerUrl: string
  readonly #login: ServingLogin | null
  #listener: (report: LoginReport) => void = () => undefined
  #nextAt = 0
  #running: Promise<void> | null = null

  /** `login` is `null` where its password is not this server's to set. */
  constructor(ownerUrl: string, login: ServingLogin | null) {
    this.#ownerUrl = ownerUrl
    this.#login = login
  }

  /** Calls back after each attempt. */
  onRefused(listener: (report: LoginReport) => void): void {
    this.#listener = listener
  }

  /** The database has refused the login. */
  refused(): void {
    if (this.#running !== null || performance.now() < this.#nextAt) return
    this.#running = this.#heal().finally(() => {
      this.#running = null
      this.#nextAt = performance.now() + pauseMs
    })
  }

  /** Waits for the attempt that runs. */
  async close(): Promise<void> {
    await this.#running
  }

  async #heal(): Promise<void> {
    const login = this.#login
    const outcome = login === null ? 'no owner' : await this.#admit(login).catch(() => 'failed' as const)
    this.#listener({ login: login?.name ?? null, outcome })
  }

  async #admit(login: ServingLogin): Promise<Admission> {
    const owner = await connectOwner(this.#ownerUrl)
    try {
      await retryRoleChange(() => owner.query(sql`select auth.prepare_serving_login()`))
      return await admit(owner, login)
    } finally {
      await owner.close()
    }
  }
}
