/**
 * Codes of authenticator apps: six digits that change every 30 seconds (RFC 6238). The hash function is SHA-1, because
 * apps expect SHA-1.
 */
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const stepSeconds = 30
/** Length of a secret in bytes (RFC 4226, section 4). */
const secretBytes = 20
/** Number of steps before and after the current step whose codes are valid too, because the clocks of phones differ. */
const stepsAside = 1

export function newTotpSecret(): Uint8Array {
  return new Secret({ size: secretBytes }).bytes
}

/** Returns the data with which the user sets up an app: the QR code to scan, and the `secret` in base32 to type. */
export function totpEnrolment(
  secret: Uint8Array,
  { issuer, label }: { issuer: string; label: string },
): { readonly qr_code: string; readonly secret: string; readonly uri: string } {
  const totp = totpOf(secret, { issuer, label })
  const uri = totp.toString()
  return { qr_code: renderSVG(uri, { border: 2 }), secret: totp.secret.base32, uri }
}

/**
 * Returns the 30-second step to which the code belongs, or `null` if the code is not valid at `nowMs` (milliseconds
 * since 1970).
 */
export function matchingStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  // The library throws on non-ASCII digits.
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret, {}).validate({ token: code, window: stepsAside, timestamp: nowMs })
  return delta === null ? null : Math.floor(nowMs / 1000 / stepSeconds) + delta
}

function totpOf(secret: Uint8Array, names: { issuer?: string; label?: string }): TOTP {
  const { buffer } = Uint8Array.from(secret)
  return new TOTP({ ...names, secret: new Secret({ buffer }), digits: 6, period: stepSeconds })
}
