import { backend } from '#backend/client.ts'

/** Shows the account's password once more, or a mailed code. */
export async function prove(proof: { current_password: string } | { nonce: string }): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.updateUser(proof)
  if (error !== null) throw error
}

export async function mailCode(): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.reauthenticate()
  if (error !== null) throw error
}

/** An app that was added and has not shown a code yet: the picture to scan, and the secret to type. */
export type NewApp = { factorId: string; picture: string; secret: string }

/** Each call throws the auth surface's error. */
export async function addApp(): Promise<NewApp> {
  const client = await backend()
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error !== null) throw error
  return { factorId: data.id, picture: data.totp.qr_code, secret: data.totp.secret }
}

/** The first code of the app, which turns the second step on. */
export async function confirmApp(factorId: string, code: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
  if (error !== null) throw error
}

/** The user's first recovery codes, or new ones that replace the old. They are answered once. */
export async function makeRecoveryCodes(): Promise<string[]> {
  const client = await backend()
  const { recoveryCodes } = client.auth.mfa
  const first = await recoveryCodes.generate()
  const { data, error } =
    first.error?.code === 'mfa_verified_factor_exists' ? await recoveryCodes.regenerate() : first
  if (error !== null) throw error
  return data.codes
}

/** Turns the second step off; the refresh shows it on the page. */
export async function removeApp(factorId: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.unenroll({ factorId })
  if (error !== null) throw error
  await client.auth.refreshSession()
}
