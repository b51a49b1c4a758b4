import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000
/** Minimum time for which a server accepts a code after the app has shown it. */
const validMs = 10_000
/** Extra time to wait for the next code, because timers may fire slightly early. */
const marginMs = 50

/**
 * Shows a new code on each call. A server accepts the codes of the previous, the current and the next 30-second
 * step.
 */
export class AuthenticatorApp {
  readonly #totp: TOTP
  #lastStep = 0

  /** Reads the secret that the page shows. */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /**
   * Returns a code that has not been shown before. If several codes are requested within half a minute, a later
   * call may wait for the next step.
   */
  async nextCode(): Promise<string> {
    // A server accepts the code of the previous step until the current step ends.
    const step = Math.max(this.#lastStep + 1, Math.floor((Date.now() + validMs) / stepMs) - 1)
    this.#lastStep = step
    // The server accepts this step's code from the beginning of the previous step.
    const isDueAt = (step - 1) * stepMs + marginMs
    if (isDueAt > Date.now()) await wait(isDueAt - Date.now())
    return this.codeOf(step)
  }

  /** Returns the code that the app showed most recently. */
  lastCode(): string {
    return this.codeOf(this.#lastStep)
  }

  /** Returns the code that the app will show after this number of half-minute steps. */
  codeAhead(steps: number): string {
    return this.codeOf(Math.floor(Date.now() / stepMs) + steps)
  }

  private codeOf(step: number): string {
    return this.#totp.generate({ timestamp: step * stepMs })
  }
}
