/**
 * Creates and uses passkeys. The module does not use the client's own `mfa.webauthn`, because that function always asks
 * for a security key.
 */
import { callAuth } from '#api/client.ts'

/** Lets the browser create a passkey for an unverified factor. Throws errors from the browser and the auth service. */
export async function makePasskey(factorId: string, name: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'create') throw new Error('The passkey was made before.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialCreationOptions
  // A hosted Supabase project may leave the name empty, but browsers refuse an empty name.
  const user = { ...publicKey.user }
  if (user.name === '') user.name = name
  if (user.displayName === '') user.displayName = user.name
  const made = (await navigator.credentials.create({ publicKey: { ...publicKey, user } })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: made }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/** Lets the browser use one of the account's passkeys. Throws errors from the browser and the auth service. */
export async function showPasskey(factorId: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'request') throw new Error('The passkey was never made.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialRequestOptions
  const shown = (await navigator.credentials.get({ publicKey })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: shown }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/**
 * Returns whether the browser's prompt was cancelled by the user or by a timeout. A cancelled prompt does not count as
 * a failure.
 */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

async function challenge(factorId: string) {
  const { data } = await callAuth(({ mfa }) => mfa.challenge({ factorId, webauthn: ownSite() }))
  return data
}

/**
 * Returns values that the client's types require. The auth service ignores these values and uses its own configuration.
 */
function ownSite() {
  return { rpId: window.location.hostname, rpOrigins: [window.location.origin] }
}
