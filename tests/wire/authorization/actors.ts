/**
 * Creates the actors of permissions.ts through the API: customers, administrators, and people who are banned or
 * deleted.
 */
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { inject } from 'vitest'
import type { Actor } from '#supabase/authorization/is-permitted.ts'
import { makeEverybody } from '#testing/population.ts'
import {
  type SignedIn,
  administrator,
  createAccount,
  operator,
  signIn,
  signUpCustomer,
} from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'

/** An actor, and the ids of the people whose data the actor tries to use. */
export type WireActor = {
  readonly name: Actor
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | null
  readonly password: string
  /** The actor's user id, or `null` if the actor is only an API key. */
  readonly own: string | null
  readonly other: string
}

const claimsOfAdministrator = { app_metadata: { role: 'admin' }, user_metadata: { role: 'admin' } }

export async function makeActors(): Promise<readonly WireActor[]> {
  const office = (await administrator()).client
  const everybody = await makeEverybody<SignedIn>({
    make: (described) =>
      described.role === 'admin'
        ? createAccount(office, described).then(signIn)
        : signUpCustomer(described.fullName),
    demote: async ({ id }) => office.from('profiles').update({ role: 'user' }).eq('id', id),
    signInAgain: signIn,
    ban: ({ id }) => operator().auth.admin.updateUserById(id, { ban_duration: '24h' }),
    remove: ({ id }) => operator().auth.admin.deleteUser(id),
  })
  const { customer, other, returned, former, banned, deleted } = everybody
  const forger = await signUpCustomer()
  await forger.client.auth.updateUser({ data: { role: 'admin', is_admin: true } })

  const { anonKey, serviceRoleKey } = inject('server')
  const keyed = (name: Actor, headers: Record<string, string>): WireActor => ({
    name,
    headers,
    token: null,
    password: '',
    own: null,
    other: other.id,
  })
  const signedIn = (name: Actor, person: SignedIn, token = person.session.access_token): WireActor => ({
    name,
    headers: { apikey: anonKey, authorization: `Bearer ${token}` },
    token,
    password: person.password,
    own: person.id,
    other: person.id === other.id ? customer.id : other.id,
  })
  const forged = (person: SignedIn) => resigned(person.session.access_token, claimsOfAdministrator)
  const exp = Math.floor(Date.now() / 1000) - clockSkewSeconds - 10
  return [
    keyed('nobody', {}),
    keyed('anonymous', { apikey: anonKey, authorization: `Bearer ${anonKey}` }),
    signedIn('customer', customer),
    signedIn('forger', forger, await forged(forger)),
    signedIn('other customer', other),
    signedIn('administrator', everybody.administrator),
    signedIn('returned administrator', returned, await forged(returned)),
    signedIn('former administrator', former, await forged(former)),
    signedIn('deleted', deleted),
    signedIn('banned', banned),
    signedIn('expired', customer, await resigned(customer.session.access_token, { exp })),
    keyed('service', { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` }),
  ]
}
