/** Dependencies of the endpoints of `/auth/v1`. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#database/database.ts'
import type { Origins } from '#http/cors.ts'
import type { Passwords } from '#people/password/passwords.ts'
import type { Mailer } from '#mail/mailer.ts'
import { runInBackground } from '#overload/admission.ts'
import type { Throttle } from '#throttle/throttle.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Keys } from '#tokens/keys.ts'
import type { RefreshTokenKey } from '#tokens/refresh-token.ts'
import type { SignInTurns } from './sign-in-turns.ts'

export type AuthServices = {
  readonly database: Database
  readonly tokenKey: TokenKey
  readonly refreshTokenKey: RefreshTokenKey
  readonly keys: Keys
  readonly apiKeys: AcceptedApiKeys
  readonly passwords: Passwords
  readonly mailer: Mailer
  readonly throttle: Throttle
  readonly signInTurns: SignInTurns
  readonly backgroundTasks: BackgroundTasks
  /**
   * Origins to which a mailed link is allowed to lead. These are the origins of the site, but not the other origins
   * whose pages can call the server.
   */
  readonly redirectOrigins: Origins
  readonly config: {
    readonly siteUrl: string
    readonly isDefaultSite: boolean
    readonly port: number
    readonly brandName: string
    /** The bank's contact details in the operator's own words; empty if the operator has not set any. */
    readonly supportContact: string
    readonly autoconfirm: boolean
  }
}

/**
 * Jobs that run after the answer has been sent. Mails are sent in these jobs, so that the response time does not reveal
 * whether an address is known (security.md AN-05). The server closes only after the running jobs have ended.
 */
export class BackgroundTasks {
  readonly #running = new Set<Promise<void>>()

  run(job: () => Promise<void>, log: FastifyBaseLogger): void {
    const running = new Promise((resolve) => setImmediate(resolve))
      .then(() => runInBackground(job))
      .catch((error: unknown) => log.error(error, 'a mail could not be sent'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits until no job is running. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
