import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000
/** Time for which a server certainly still accepts a code that the app has shown. */
const validMs = 10_000
/** Margin of the wait for the next code, because timers may end slightly early. */
const marginMs = 50

/**
 * Shows a new code on each call. A server accepts the codes of three steps: the previous, the present and the next one.
 */
export class AuthenticatorApp {
  readonly #totp: TOTP
  #lastStep = 0

  /** Reads the secret that the page shows. */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /**
   * Returns a code that was not shown before. The second or third code within half a minute may wait for the next step.
   */
  async nextCode(): Promise<string> {
    // A server accepts the code of the previous step until the present step is over.
    const step = Math.max(this.#lastStep + 1, Math.floor((Date.now() + validMs) / stepMs) - 1)
    this.#lastStep = step
    // The server accepts this step's code from the beginning of the previous step.
    const isDueAt = (step - 1) * stepMs + marginMs
    if (isDueAt > Date.now()) await wait(isDueAt - Date.now())
    return this.codeOf(step)
  }

  /** Returns the code that the app showed last. */
  lastCode(): string {
    return this.codeOf(this.#lastStep)
  }

  /** Returns the code of a later step, counted in half minutes from now. */
  codeAhead(steps: number): string {
    return this.codeOf(Math.floor(Date.now() / stepMs) + steps)
  }

  private codeOf(step: number): string {
    return this.#totp.generate({ timestamp: step * stepMs })
  }
}
