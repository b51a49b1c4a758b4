/** Accounts that an administrator creates through the API, and tests that start with these accounts. */
import type { SupabaseClient } from '@supabase/supabase-js'
import { type BrowserContext, type BrowserContextOptions, type Page, test as base } from '@playwright/test'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { type Person as Account, type Target, signIn } from '#testing/people.ts'
import { type Described, newEmail, population } from '#testing/population.ts'
import { password, watchForErrors } from './screens.ts'

/** A person with an account. `client` shares the session of the person's page. */
export type Person = Account & { fullName: string }

type Given = {
  /** A customer whose account is empty and is used only by this test. */
  customer: Person
  /** Another customer. */
  stranger: Person
  /** Opens a page in a new browser context, signed in as the person, or signed out if `person` is `null`. */
  openAs: (person: Person | null, options?: BrowserContextOptions) => Promise<Page>
}

/** A test that fails if a script on one of its pages fails. */
export const test = base.extend<Given, { administrator: SupabaseClient }>({
  administrator: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const secret = process.env['E2E_ADMIN_PASSWORD'] ?? ''
      const { client } = await signIn(server, { email: 'admin@banco.example', password: secret })
      await use(client)
    },
    { scope: 'worker' },
  ],
  customer: async ({ administrator }, use) => use(await newCustomer(administrator)),
  stranger: async ({ administrator }, use) => use(await newCustomer(administrator)),
  openAs: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (person, options) => {
      const storageState = person === null ? { cookies: [], origins: [] } : storedSession(person, baseURL)
      const context = await browser.newContext({ storageState, ...options })
      contexts.push(context)
      const page = await context.newPage()
      watchForErrors(page)
      return page
    })
    for (const context of contexts) await context.close()
  },
  page: async ({ page }, use) => {
    watchForErrors(page)
    await use(page)
  },
})

/** A test whose page is signed in as a new customer, Ana Pérez, with an empty account. */
export const customerTest = testAs(population.customer)

/** A test whose page is signed in as a new customer with three names, Laura Restrepo Gómez. */
export const threeNamesTest = testAs(population.customerOfThreeNames)

/** A test whose page is signed in as a new administrator, Marta Ríos. */
export const administratorTest = testAs(population.administrator)

function testAs(who: Described) {
  return test.extend<{ person: Person }>({
    person: async ({ administrator }, use) => use(await newPerson(administrator, who)),
    storageState: async ({ person }, use) => use(storedSession(person)),
  })
}

const url = `http://127.0.0.1:${process.env['E2E_PORT']}`
/** The server of the bank that all tests share. */
export const server = {
  url,
  anonKey: async () => ((await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }).anonKey,
}

/** Creates a person and signs the person in. By default, uses the bank that all tests share. */
export async function newPerson(
  administrator: SupabaseClient,
  { fullName, role }: Described,
  bank: Target = server,
): Promise<Person> {
  const credentials = { email: newEmail(), password }
  const { error } = await administrator.functions.invoke('manage-users', {
    body: { action: 'create', ...credentials, role, user_metadata: { full_name: fullName } },
  })
  if (error !== null) throw new Error('The user was not created.', { cause: error })
  return { ...(await signIn(bank, credentials)), fullName }
}

function newCustomer(administrator: SupabaseClient): Promise<Person> {
  return newPerson(administrator, { fullName: `Zoé ${crypto.randomUUID().slice(0, 8)}`, role: 'user' })
}

/** Adds an authenticator app and raises the person's session to aal2. */
export async function addApp(person: Person): Promise<void> {
  const { mfa } = person.client.auth
  const { data, error } = await mfa.enroll({ factorType: 'totp' })
  if (error !== null) throw new Error('The app could not be added.', { cause: error })
  const code = await new AuthenticatorApp(data.totp.secret).nextCode()
  const { error: refusal } = await mfa.challengeAndVerify({ factorId: data.id, code })
  const { data: now } = await person.client.auth.getSession()
  if (now.session === null) throw new Error('The first code was refused.', { cause: refusal })
  Object.assign(person, { session: now.session })
}

export async function recordByBank(
  administrator: SupabaseClient,
  person: Person,
  movement: { type: 'deposit' | 'expense'; description: string; amount: number; category: string },
): Promise<void> {
  const transactionData = { user_id: person.id, date: new Date().toISOString(), ...movement }
  const { error } = await administrator.functions.invoke('manage-transactions', {
    body: { action: 'create', transactionData },
  })
  if (error !== null) throw new Error('The transaction was not recorded.', { cause: error })
}

/** Records expenses for the person in a single write. */
export async function recordExpenses(
  { client, id }: Person,
  expenses: readonly { description: string; amount: number; category: string | null; date?: string }[],
): Promise<void> {
  const rows = expenses.map((expense) => ({ user_id: id, type: 'expense', ...expense }))
  const { error } = await client.from('transactions').insert(rows)
  if (error !== null) throw new Error('The expenses were not recorded.', { cause: error })
}

/** The storage key under which the client of a signed-in page keeps its session. */
export const sessionKey = 'sb-127-auth-token'

/**
 * Returns the browser storage of a page that is signed in as the person. By default, the page belongs to the bank that
 * all tests share.
 */
export function storedSession({ session }: Person, origin = url) {
  const localStorage = [{ name: sessionKey, value: JSON.stringify(session) }]
  return { cookies: [], origins: [{ origin, localStorage }] }
}
