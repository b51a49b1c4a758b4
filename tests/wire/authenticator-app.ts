/** Helpers that add authenticator apps through the API. */
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { type Person, signIn, signUpCustomer } from './people.ts'

/** Adds an app to a person's account and sends its first code, which raises the client's session to aal2. */
export async function addApp({
  client,
}: Pick<Person, 'client'>): Promise<{ app: AuthenticatorApp; factorId: string }> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error !== null) throw new Error('The app could not be added.', { cause: error })
  const app = new AuthenticatorApp(data.totp.secret)
  const factorId = data.id
  const shown = await client.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })
  if (shown.error !== null) throw new Error('The first code was refused.', { cause: shown.error })
  return { app, factorId }
}

/**
 * Signs up a person with an authenticator app. The session of `client` has reached aal2. In the session of `halfway`,
 * only the password was verified.
 */
export async function signUpWithApp() {
  const person = await signUpCustomer()
  const added = await addApp(person)
  return { ...person, ...added, halfway: await signIn(person) }
}
