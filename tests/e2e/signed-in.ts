/** Tests that begin where the reader is already signed in: as a customer of their own, or as an administrator. */
import type { SupabaseClient } from '@supabase/supabase-js'
import { test } from '@playwright/test'
import { type Person, administratorClient, newPerson, storedSession } from './accounts.ts'
import { watchForErrors } from './screens.ts'

type Given = {
  /** The browser's account, which no other test has. */
  person: Person
}
type GivenToAll = { administrator: SupabaseClient }

/** A test as a new customer, Laura Restrepo Gómez, with an empty account. */
export const customerTest = testAs({ fullName: 'Laura Restrepo Gómez', role: 'user' })

/** A test as a new administrator. */
export const administratorTest = testAs({ fullName: 'Marta Ríos', role: 'admin' })

function testAs(who: { fullName: string; role: 'user' | 'admin' }) {
  return test.extend<Given, GivenToAll>({
    administrator: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
      async ({}, use) => {
        await use(await administratorClient())
      },
      { scope: 'worker' },
    ],
    person: async ({ administrator }, use) => {
      await use(await newPerson(administrator, who))
    },
    storageState: async ({ person }, use) => {
      await use(storedSession(person))
    },
    page: async ({ page }, use) => {
      watchForErrors(page)
      await use(page)
    },
  })
}
