/**
 * Heals the serving login when the database refuses it: a password that was changed by hand, or a dropped role. One attempt
 * at a time and a pause after each, so that an outage does not fill the log.
 */
import { type Admission, type ServingLogin, admit } from './serving-login.ts'
import { sql } from '#database/database.ts'
import { connectOwner } from './postgres.ts'
import { retryRoleChange } from './role-changes.ts'

const pauseMs = 30_000

/** What an attempt came to; `no owner` where the server knows no address that may set the password. */
export type LoginReport = {
  readonly login: string | null
  readonly outcome: Admission | 'no owner' | 'failed'
}

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
