/**
 * The users in tests and measurements: their names, roles, email addresses and access states. The users are created by
 * tests/database/people.ts in SQL, by testing/people.ts over HTTP, by tests/e2e/people.ts for a browser, and by
 * bench/fixtures/customers.ts in thousands.
 */

export type Role = 'user' | 'admin'

export type Described = { readonly fullName: string; readonly role: Role }

export const population = {
  customer: { fullName: 'Ana Pérez', role: 'user' },
  customerOfThreeNames: { fullName: 'Laura Restrepo Gómez', role: 'user' },
  otherCustomer: { fullName: 'Luis Mora', role: 'user' },
  administrator: { fullName: 'Marta Ríos', role: 'admin' },
  secondAdministrator: { fullName: 'Inés Mora', role: 'admin' },
} as const satisfies Record<string, Described>

/** Returns an email address that no account uses. */
export function newEmail(): string {
  return `cliente-${crypto.randomUUID()}@banco.example`
}

export type Credentials = { readonly email: string; readonly password: string }

export function newCredentials(): Credentials {
  return { email: newEmail(), password: `clave ${crypto.randomUUID()}` }
}

/** Functions that create users and change their access. */
type Ways<P> = {
  readonly make: (described: Described) => Promise<P>
  readonly demote: (person: P) => Promise<unknown>
  /** Signs the user in again and returns the same user with the new session. */
  readonly signInAgain: (person: P) => Promise<P>
  readonly ban: (person: P) => Promise<unknown>
  readonly remove: (person: P) => Promise<unknown>
}

/** Creates the users of the authorization tests, one for each access state (supabase/authorization). */
export async function makeEverybody<P>(ways: Ways<P>) {
  const { customer, otherCustomer, administrator, secondAdministrator } = population
  const everybody = {
    customer: await ways.make(customer),
    other: await ways.make(otherCustomer),
    administrator: await ways.make(administrator),
    former: await ways.make(secondAdministrator),
    banned: await ways.make(customer),
    deleted: await ways.make(customer),
  }
  const returning = await ways.make(secondAdministrator)
  await ways.demote(returning)
  await ways.demote(everybody.former)
  await ways.ban(everybody.banned)
  await ways.remove(everybody.deleted)
  return { ...everybody, returned: await ways.signInAgain(returning) }
}
