/**
 * Creates and uses passkeys. The client's own `mfa.webauthn` is not used, because it always asks for a security
 * key, and no option changes this.
 */
import { callAuth } from '#backend/client.ts'

/**
 * Makes the browser create the passkey for an unverified factor. Throws the errors of the browser and the auth service.
 */
export async function makePasskey(factorId: string, name: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'create') throw new Error('The passkey was made before.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialCreationOptions
  // A hosted Supabase project may leave the name empty, which browsers refuse.
  const user = { ...publicKey.user }
  if (user.name === '') user.name = name
  if (user.displayName === '') user.displayName = user.name
  const made = (await navigator.credentials.create({ publicKey: { ...publicKey, user } })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: made }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/** Makes the browser use any passkey of the account. Throws like `makePasskey`. */
export async function showPasskey(factorId: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'request') throw new Error('The passkey was never made.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialRequestOptions
  const shown = (await navigator.credentials.get({ publicKey })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: shown }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/** Returns whether the user or a timeout ended the browser's prompt, which is not a failure. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

async function challenge(factorId: string) {
  const { data } = await callAuth(({ mfa }) => mfa.challenge({ factorId, webauthn: ownSite() }))
  return data
}

/** Values that the client's types require. The service uses its own configuration instead. */
function ownSite() {
  return { rpId: window.location.hostname, rpOrigins: [window.location.origin] }
}
