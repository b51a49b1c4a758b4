/**
 * The password of the serving login. By default, the password is derived from the bank's data key, so that every server
 * knows the password even during a change of JWT_SECRET. If a pooler also needs the password, the operator can choose
 * it. The server sets the password only if the database refuses it. If a database session that logged in with another
 * password is open, the server does not set its own, because the server of that session could then not log in again
 * (docs/decisions/0043).
 */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Owner, SqlError, sql } from '#database/database.ts'
import { prepareServingLogin } from '#database/scope.ts'
import { connectOwner, mayLogIn } from './postgres.ts'

/** The bank's serving login, and the URLs that contain this login. */
export type ServingLogin = {
  readonly name: string
  /** The URL with which to serve requests. This URL may lead to a pooler. */
  readonly url: string
  /** The URL that leads directly to the database, with the same login and password. */
  readonly directUrl: string
  /** Sessions that logged in with this password have an `application_name` that ends with this mark. */
  readonly passwordMark: string
}

type Admission = 'let in already' | 'password set' | 'others have another password'

/** Returns the password derived from the bank's data key. */
export function derivedPassword(dataKey: string): string {
  return createHmac('sha256', dataKey).update('serving login').digest('base64url')
}

/**
 * Returns a mark that identifies a password. All servers compute the same mark, and it does not reveal the password.
 */
export function passwordMark(password: string, dataKey: string): string {
  return createHmac('sha256', dataKey).update(`password mark ${password}`).digest('hex').slice(0, 8)
}

/** Returns the name of the serving login for the database of this connection. */
export async function servingLoginOf(owner: Owner): Promise<string> {
  const [row] = await owner.query(sql<{ name: string }>`select auth.serving_login() as name`)
  return row?.name ?? ''
}

/**
 * Sets the login's password if the database refuses it. Does not set the password if a database session that logged in
 * with another password is open. Throws `DatabaseUnavailable`.
 */
export async function admit(
  owner: Owner,
  { name, directUrl, passwordMark: mark }: ServingLogin,
): Promise<Admission> {
  if (await mayLogIn(directUrl)) return 'let in already'
  const [others] = await owner.query(sql<{ count: number }>`
    select count(*) as count from pg_catalog.pg_stat_activity
    where usename = ${name} and application_name not like ${`% ${mark}`}`)
  if (others?.count !== 0) {
    // Another server may just have set the same password.
    return (await mayLogIn(directUrl)) ? 'let in already' : 'others have another password'
  }
  const literal = `'${decodeURIComponent(new URL(directUrl).password).replaceAll("'", "''")}'`
  await retryRoleChange(() => owner.script(`alter role ${quoted(name)} password ${literal}`))
  return 'password set'
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Maximum number of attempts to change roles, and the longest wait before a retry. */
const roleChangesMax = 10
const roleChangeWaitMs = 200

/**
 * Runs the change, and retries if another session changed roles at the same time. A lock cannot prevent such conflicts,
 * because roles belong to the cluster and a lock belongs to one database.
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

/** The outcome of a repair: `no owner` means that the server has no URL with a login that may set the password. */
export type LoginReport = {
  readonly login: string | null
  readonly outcome: Admission | 'no owner' | 'failed'
}

/**
 * Repairs the serving login after its password was changed or its role was dropped. Makes one attempt at a time and
 * pauses after each attempt, so that an outage does not fill the log.
 */
export class LoginKeeper {
  readonly #ownerUrl: string
  readonly #login: ServingLogin | null
  #listener: (report: LoginReport) => void = () => undefined
  #nextAt = 0
  #running: Promise<void> | null = null

  /** `login` is `null` if this server lacks the right to set the login's password. */
  constructor(ownerUrl: string, login: ServingLogin | null) {
    this.#ownerUrl = ownerUrl
    this.#login = login
  }

  /** Calls the listener after each attempt to repair the login. */
  onRefused(listener: (report: LoginReport) => void): void {
    this.#listener = listener
  }

  /** Starts a repair. Call this method when the database has refused the login. */
  refused(): void {
    if (this.#running !== null || performance.now() < this.#nextAt) return
    this.#running = this.#heal().finally(() => {
      this.#running = null
      this.#nextAt = performance.now() + pauseMs
    })
  }

  /** Waits until the running attempt has finished. */
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
      await retryRoleChange(() => owner.query(prepareServingLogin))
      return await admit(owner, login)
    } finally {
      await owner.close()
    }
  }
}
