/**
 * Passkeys in the browser. The client's own `mfa.webauthn` is not used: it asks for security keys alone, and that cannot be
 * taken back.
 */
import { callAuth } from '#backend/client.ts'

/** Has the browser make the passkey of a factor that was begun. Throws what the browser or the service says. */
export async function makePasskey(factorId: string, name: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'create') throw new Error('The passkey was made before.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialCreationOptions
  // A hosted project may know no name of the person's, and browsers want one.
  const user = { ...publicKey.user }
  if (user.name === '') user.name = name
  if (user.displayName === '') user.displayName = user.name
  const made = (await navigator.credentials.create({ publicKey: { ...publicKey, user } })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: made }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/** Has the browser show a passkey of the account, that of the factor or another. Throws as `makePasskey` does. */
export async function showPasskey(factorId: string): Promise<void> {
  const { id: challengeId, webauthn } = await challenge(factorId)
  if (webauthn.type !== 'request') throw new Error('The passkey was never made.')
  const publicKey = webauthn.credential_options.publicKey as PublicKeyCredentialRequestOptions
  const shown = (await navigator.credentials.get({ publicKey })) as never
  const answer = { type: webauthn.type, ...ownSite(), credential_response: shown }
  await callAuth(({ mfa }) => mfa.verify({ factorId, challengeId, webauthn: answer }))
}

/** True when the person or a timeout ended the browser's prompt, which is not a failure. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

async function challenge(factorId: string) {
  const { data } = await callAuth(({ mfa }) => mfa.challenge({ factorId, webauthn: ownSite() }))
  return data
}

/** Required by the client's types; the service uses its own configuration. */
function ownSite() {
  return { rpId: window.location.hostname, rpOrigins: [window.location.origin] }
}
