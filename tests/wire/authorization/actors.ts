/** The actors of the matrix over HTTP: signed up, promoted, demoted, banned, deleted. */
import { randomUUID } from 'node:crypto'
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import type { Session, SupabaseClient } from '@supabase/supabase-js'
import { inject } from 'vitest'
import type { Actor } from '#supabase/authorization/is-permitted.ts'
import { administrator, claimsOf, newEmail, operator, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'
import { importedRows } from './imported-rows.ts'

/** An actor, and the people and rows that its attempts are about. */
export type WireActor = {
  readonly name: Actor
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | null
  readonly password: string
  /** Id of the person; `null` for a key. */
  readonly own: string | null
  readonly other: string
  /** Deleted transactions of the actor and of the other person. */
  readonly deleted: { readonly own: string | null; readonly other: string }
  /** Sessions that no other attempt needs, of the actor and of the other person. */
  readonly sessions: { readonly own: string; readonly other: string }
  /** A row that the bank recorded for each of them, for a correction. */
  readonly banked: { readonly own: string | null; readonly other: string | null }
  /** Users that no other attempt needs: one for acts on access, one for the deletion. */
  readonly expendable: readonly string[]
  /** The administrator in whose name the service key acts. */
  readonly inName: { readonly actor: string; readonly session_id: string }
}

type SignedIn = { id: string; email: string; password: string; client: SupabaseClient; session: Session }

const claimsOfAdministrator = { app_metadata: { role: 'admin' }, user_metadata: { role: 'admin' } }

export async function makeActors(): Promise<readonly WireActor[]> {
  const office = (await administrator()).client
  const [customer, other, forger, banned, deleted] = (await Promise.all(
    Array.from({ length: 5 }, () => signUpCustomer()),
  )) as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn]
  const boss = await newAdministrator(office)
  const returning = await newAdministrator(office)
  const former = await newAdministrator(office)
  const expendable = await Promise.all([0, 1].map(() => newUser(office, 'user')))
  const expendableOfService = await Promise.all([0, 1].map(() => newUser(office, 'user')))
  const { session_id } = claimsOf(boss.session.access_token)
  const inName = { actor: boss.id, session_id }

  await forger.client.auth.updateUser({ data: { role: 'admin', is_admin: true } })
  const deletedRows = new Map<string, string>()
  const bankedRows = new Map<string, string>()
  const fill = async (person: SignedIn) => {
    const { deleted: row, banked } = await addRows(person, office)
    deletedRows.set(person.id, row)
    bankedRows.set(person.id, banked)
  }
  for (const person of [customer, other, forger, boss]) await fill(person)
  await done(office.from('profiles').update({ role: 'user' }).in('id', [former.id, returning.id]))
  const returned = await signIn(returning)
  await fill(returned)
  await operator().auth.admin.updateUserById(banned.id, { ban_duration: '24h' })
  await operator().auth.admin.deleteUser(deleted.id)

  const sessions = new Map<string, string>()
  for (const person of [customer, other, forger, boss, returned])
    sessions.set(person.id, claimsOf((await signIn(person)).session.access_token).session_id)
  const sessionsOf = (id: string | null, otherId: string) => ({
    own: sessions.get(id ?? '') ?? randomUUID(),
    other: sessions.get(otherId) ?? randomUUID(),
  })

  const { anonKey, serviceRoleKey } = inject('server')
  const deletedOf = (id: string | null, otherId: string) => ({
    own: id === null ? null : (deletedRows.get(id) ?? randomUUID()),
    other: deletedRows.get(otherId) ?? '',
  })
  const keyed = (name: Actor, headers: Record<string, string>): WireActor => ({
    name,
    headers,
    token: null,
    password: '',
    own: null,
    other: other.id,
    deleted: deletedOf(null, other.id),
    sessions: sessionsOf(null, other.id),
    banked: { own: null, other: bankedRows.get(other.id) ?? null },
    expendable: name === 'service' ? expendableOfService : [],
    inName,
  })
  const signedIn = (name: Actor, person: SignedIn, token = person.session.access_token): WireActor => {
    const otherId = person.id === other.id ? customer.id : other.id
    return {
      name,
      headers: { apikey: anonKey, authorization: `Bearer ${token}` },
      token,
      password: person.password,
      own: person.id,
      other: otherId,
      deleted: deletedOf(person.id, otherId),
      sessions: sessionsOf(person.id, otherId),
      banked: { own: bankedRows.get(person.id) ?? null, other: bankedRows.get(otherId) ?? null },
      expendable: name === 'administrator' ? expendable : [],
      inName,
    }
  }
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
    signedIn('former administrator', former),
    signedIn('deleted', deleted),
    signedIn('banned', banned),
    signedIn('expired', customer, await resigned(customer.session.access_token, { exp })),
    keyed('service', { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` }),
  ]
}

/** An expense that was edited, two deposits, of which one is corrected, an expense that was deleted, an import, a batch, a rule and a recurring expense of its id, a category and a limit. */
async function addRows(
  { client, id: user_id }: SignedIn,
  office: SupabaseClient,
): Promise<{ deleted: string; banked: string }> {
  const id = randomUUID()
  const expense = { user_id, type: 'expense', description: 'Café', amount: 2, category: 'Comida' }
  await done(
    client.from('transactions').insert([
      { ...expense, id: randomUUID() },
      { ...expense, id },
    ]),
  )
  await done(client.from('transactions').update({ category: 'Otro' }).neq('id', id))
  await done(client.from('transactions').delete().eq('id', id))
  await done(client.rpc('import_transactions', { id, rows: importedRows }))
  await done(client.rpc('save_recurring_expense', { ...recurring, id }))
  await done(client.from('categories').insert({ name: 'Mascotas' }))
  await done(client.rpc('set_category_budget', { category: 'Otro', monthly_limit: 100 }))
  await done(client.from('category_rules').insert({ id, contains: 'Gabrica', category: 'Mascotas' }))
  const deposit = { user_id, type: 'deposit', description: 'Nómina', amount: 50, category: 'Deposito' }
  const record = async () => {
    const body = { action: 'create', transactionData: deposit }
    const { data } = await office.functions.invoke<{ id: string }>('manage-transactions', { body })
    return data?.id ?? ''
  }
  const [mistake, banked] = [await record(), await record()]
  await done(office.rpc('correct_transaction', { user_id, transaction_id: mistake, reason: 'Duplicado' }))
  const lines = [{ line: 1, user_id, amount: 1, description: 'Nómina' }]
  await done(office.rpc('create_batch', { id, title: 'nomina.csv', lines }))
  return { deleted: id, banked }
}

/** Due today in Bogotá, and so recorded at once. */
const recurring = {
  description: 'Arriendo',
  amount: 5,
  rhythm: 'weekly',
  next_due_on: new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10),
}

async function newUser(office: SupabaseClient, role: 'user' | 'admin'): Promise<string> {
  return (await newAccount(office, role)).id
}

async function newAdministrator(office: SupabaseClient): Promise<SignedIn> {
  const { email, password } = await newAccount(office, 'admin')
  return signIn({ email, password })
}

async function newAccount(office: SupabaseClient, role: 'user' | 'admin') {
  const account = { email: newEmail(), password: `clave ${randomUUID()}` }
  const { data, error } = await office.functions.invoke<{ id: string }>('manage-users', {
    body: { action: 'create', ...account, role, user_metadata: { full_name: 'Inés Mora' } },
  })
  if (data === null) throw new Error('The user was not created.', { cause: error })
  return { ...account, id: data.id }
}

async function done(request: PromiseLike<{ error: unknown }>): Promise<void> {
  const { error } = await request
  if (error !== null) throw new Error('A row was refused.', { cause: error })
}
