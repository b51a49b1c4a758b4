/** Adds authenticator apps through the API. */
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

/** Signs up a person with an app. `client` has a session at aal2, and `halfway` one with the password alone. */
export async function signUpWithApp() {
  const person = await signUpCustomer()
  const added = await addApp(person)
  return { ...person, ...added, halfway: await signIn(person) }
}
