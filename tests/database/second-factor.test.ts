// Our own server refuses every call of a session that has not passed its second factor. A hosted project serves these
// sessions, so the functions in this test must refuse them.
import { expect, test } from 'vitest'
import { permissions } from '#supabase/authorization/permissions.ts'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { enableNotifications } from './notifications.ts'
import { nullCalls } from './null-calls.ts'
import { type Person, addPerson, run } from './people.ts'

const bank = useBank(enableNotifications)

test.for([
  'public.confirm_beneficiary(gen_random_uuid())',
  'public.set_alias(null)',
  'public.set_transfer_reception(1, true)',
  'public.request_transfer(gen_random_uuid(), gen_random_uuid(), 1)',
  `public.set_notifications('{deposit}')`,
  'public.decide_requests(array[gen_random_uuid()], true)',
  `public.return_transfer(gen_random_uuid(), 'Error')`,
  `public.return_clearing_file(1, 'Error')`,
  'public.list_waiting_requests()',
  'public.list_decided_requests()',
  'public.read_bank_state()',
])('a session without the second factor gets the hint to give it for %s', async (call) => {
  await expect(callWithoutFactor(call)).rejects.toMatchObject({ sqlState: '42501', hint: 'insufficient_aal' })
})

test('an administrator cannot call any function for administrators in a session without the second factor', async () => {
  // Customers can also call receipt and balance_certificate for themselves. The next test calls the functions that need an opened page.
  const names = permissions
    .flatMap((sentence) => /^administrators may call (\w+)\b(?!\.)/.exec(sentence)?.[1] ?? [])
    .filter(
      (name) => name !== 'receipt' && name !== 'balance_certificate' && !name.startsWith('read_customer_'),
    )
  const calls = await nullCalls(bank.owner, names)

  expect(calls.map(({ name }) => name)).toEqual(names.toSorted())
  for (const { call } of calls)
    await expect(callWithoutFactor(call), call).rejects.toMatchObject({ sqlState: '42501' })
})

test.for(['read_customer_balance', 'read_customer_transactions', 'read_customer_journal'])(
  'an administrator who opened a customer’s page cannot call %s once a second factor exists that the session has not passed',
  async (name) => {
    const [administrator, customer] = [await addPerson(bank.database, 'admin'), await bank.addCustomer()]
    await run(administrator, sql`select public.open_customer(${customer.id})`)
    const read = () => callAs(administrator, `(select count(*) from public.${name}('${customer.id}'))`)
    await expect(read()).resolves.toHaveLength(1)

    await addFactor(administrator)

    await expect(read()).rejects.toMatchObject({ sqlState: '42501' })
  },
)

/** Calls a function as an administrator whose session has not passed the second factor. */
async function callWithoutFactor(call: string) {
  const administrator = await addPerson(bank.database, 'admin')
  await addFactor(administrator)
  return callAs(administrator, call)
}

const addFactor = ({ id }: Person) =>
  bank.asService(
    sql`insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${id}, 'totp', 'verified', 'x')`,
  )

/** Calls a function as a hosted project does, which does not check the session first. */
const callAs = ({ id, sessionId }: Person, call: string) =>
  bank.owner.query({
    text: `with claims as materialized (select set_config('request.jwt.claims', $1, true)) select ${call} from claims`,
    values: [JSON.stringify({ sub: id, session_id: sessionId })],
  })
