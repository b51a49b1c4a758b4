/** The actors of permissions.ts on the wire: signed up, promoted, demoted, banned, deleted. */
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { inject } from 'vitest'
import type { Actor } from '#supabase/authorization/is-permitted.ts'
import {
  type SignedIn,
  administrator,
  createAccount,
  operator,
  signIn,
  signUpCustomer,
} from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'

/** An actor, and the people that its attempts are about. */
export type WireActor = {
  readonly name: Actor
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | null
  readonly password: string
  /** Id of the person; `null` for a key. */
  readonly own: string | null
  readonly other: string
}

const claimsOfAdministrator = { app_metadata: { role: 'admin' }, user_metadata: { role: 'admin' } }

export async function makeActors(): Promise<readonly WireActor[]> {
  const office = (await administrator()).client
  const [customer, other, forger, banned, deleted] = (await Promise.all(
    Array.from({ length: 5 }, () => signUpCustomer()),
  )) as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn]
  const [boss, returning, former] = [
    await createAccount(office, 'admin').then(signIn),
    await createAccount(office, 'admin').then(signIn),
    await createAccount(office, 'admin').then(signIn),
  ]
  await forger.client.auth.updateUser({ data: { role: 'admin', is_admin: true } })
  await office.from('profiles').update({ role: 'user' }).in('id', [former.id, returning.id])
  const returned = await signIn(returning)
  await operator().auth.admin.updateUserById(banned.id, { ban_duration: '24h' })
  await operator().auth.admin.deleteUser(deleted.id)

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
    signedIn('administrator', boss),
    signedIn('returned administrator', returned, await forged(returned)),
    signedIn('former administrator', former, await forged(former)),
    signedIn('deleted', deleted),
    signedIn('banned', banned),
    signedIn('expired', customer, await resigned(customer.session.access_token, { exp })),
    keyed('service', { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` }),
  ]
}
