import { backend, callAuth } from '#api/client.ts'

/**
 * An authenticator app that has not been confirmed yet: the QR code, the URL in that code, and the secret that can be
 * typed instead.
 */
export type NewApp = { factorId: string; picture: string; address: string; secret: string }

export async function addApp(): Promise<NewApp> {
  const { data } = await callAuth((auth) => auth.mfa.enroll({ factorType: 'totp' }))
  const { qr_code, uri, secret } = data.totp
  return { factorId: data.id, picture: qr_code, address: uri, secret }
}

/** Confirms the app with its first code, which activates the second factor. */
export async function confirmApp(factorId: string, code: string): Promise<void> {
  await callAuth((auth) => auth.mfa.challengeAndVerify({ factorId, code }))
}

/** Creates the user's first recovery codes, or replaces the old codes. The server returns the codes only once. */
export async function makeRecoveryCodes(): Promise<string[]> {
  const { data } = await callAuth(async ({ mfa: { recoveryCodes } }) => {
    const first = await recoveryCodes.generate()
    return first.error?.code === 'mfa_verified_factor_exists' ? recoveryCodes.regenerate() : first
  })
  return data.codes
}

/** Removes an app or a passkey. The session is then refreshed, and the page shows the change. */
export async function removeFactor(factorId: string): Promise<void> {
  await callAuth((auth) => auth.mfa.unenroll({ factorId }))
  const { auth } = await backend()
  await auth.refreshSession()
}
