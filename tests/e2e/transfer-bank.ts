/**
 * A separate bank that has enabled transfers and notifications. The bank of all other tests has not enabled these
 * features.
 */
import { createClient } from '@supabase/supabase-js'
import { isolatedAuth, signIn } from '#testing/people.ts'
import { type Described, newEmail } from '#testing/population.ts'
import { startServer, testEnvironment } from '#testing/server.ts'
import { type Person, recordByBank, test as base } from './people.ts'
import { password } from './screens.ts'

type TransferBank = {
  url: string
  /** Creates a person, and deposits the balance to their account. */
  newPerson: (described: Described, balance?: number) => Promise<Person>
  /** Deposits the amount to the person's account, as the bank. */
  deposit: (person: Person, amount: number) => Promise<unknown>
  /** Makes the payee a confirmed beneficiary of the payer by calling the API, and returns the beneficiary's id. */
  confirmBeneficiary: (payer: Person, payee: Person) => Promise<string>
}

/** A test whose pages belong to this bank. Unlike in other tests, `bank.newPerson` creates the people. */
export const transferTest = base.extend<object, { bank: TransferBank }>({
  bank: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const server = await startServer({
        environment: { ...testEnvironment, FEATURES: 'transferencias,notificaciones' },
      })
      const { client: administrator } = await signIn(server)
      // A customer whose password an administrator typed could not transfer, and this administrator could not decide.
      const service = createClient(server.url, await server.serviceRoleKey(), { auth: isolatedAuth })
      const deposit = (person: Person, amount: number) =>
        recordByBank(administrator, person, {
          type: 'deposit',
          description: 'Nómina',
          amount,
          category: 'Deposito',
        })
      await use({
        url: server.url,
        deposit,
        newPerson: async ({ fullName, role }, balance = 0) => {
          const credentials = { email: newEmail(), password }
          const { error } = await service.auth.admin.createUser({
            ...credentials,
            email_confirm: true,
            user_metadata: { full_name: fullName },
            app_metadata: role === 'admin' ? { role } : {},
          })
          if (error !== null) throw new Error('The user was not created.', { cause: error })
          const person = { ...(await signIn(server, credentials)), fullName }
          if (balance > 0) await deposit(person, balance)
          return person
        },
        confirmBeneficiary: async ({ client }, { fullName, email }) => {
          const id = crypto.randomUUID()
          const added = await client.rpc('add_beneficiary', { id, name: fullName, address: email })
          const confirmed = await client.rpc('confirm_beneficiary', { id })
          const error = added.error ?? confirmed.error
          if (error !== null) throw new Error('The beneficiary was not confirmed.', { cause: error })
          return id
        },
      })
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ bank }, use) => use(bank.url),
})
