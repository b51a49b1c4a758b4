import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000
/** Least time for which a server still accepts a shown code. */
const validMs = 10_000
/** Margin of a wait for the next code, because timers may end a moment early. */
const marginMs = 50

/** Shows a new code each time it is asked, of the steps that a server takes: one aside of the present one. */
export class AuthenticatorApp {
  readonly #totp: TOTP
  #lastStep = 0

  /** Reads what the screen shows. */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /** A code that was not shown before. After two or three of them within half a minute it takes until the next half. */
  async nextCode(): Promise<string> {
    // The first step that a server takes is the one before the present one, until the present one is over.
    const step = Math.max(this.#lastStep + 1, Math.floor((Date.now() + validMs) / stepMs) - 1)
    this.#lastStep = step
    // The last one is the one after the present one.
    const isDueAt = (step - 1) * stepMs + marginMs
    if (isDueAt > Date.now()) await wait(isDueAt - Date.now())
    return this.codeOf(step)
  }

  /** The code that the app showed last. */
  lastCode(): string {
    return this.codeOf(this.#lastStep)
  }

  /** The code of a later step, counted in half minutes from now. */
  codeAhead(steps: number): string {
    return this.codeOf(Math.floor(Date.now() / stepMs) + steps)
  }

  private codeOf(step: number): string {
    return this.#totp.generate({ timestamp: step * stepMs })
  }
}
