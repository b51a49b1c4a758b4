/** Makes the calls about transfers, and reads the state of transfers and accounts. */
import { type SqlStatement, sql } from '#server/database/database.ts'
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { settings } from './bank-settings.ts'
import type { Bank } from './bank.ts'
import type { Destination } from './beneficiaries.ts'
import { clearingRules } from './clearing.ts'
import { type Person, call } from './people.ts'

export type Transfer = {
  id: string
  status: string
  payer: string
  payer_name: string | null
  /** `null` for a transfer to an account at another bank. `details` then describes the account. */
  payee: string | null
  payee_name: string | null
  payee_masked: string | null
  details: Destination | null
  amount: number
  description: string | null
  due_on: string | null
  risk: number
  decided_by: string | null
  reason: string | null
  ended_at: string | null
}

/** In these tests, the bank allows 100 without a decision, 1,000 for one transfer and 2,000 for one day. */
const rules = settings({
  ...withoutTransferLimits,
  transfer_automatic_max: 100,
  transfer_max: 1000,
  transfer_day_max: 2000,
  transfer_expires_hours: 72,
})

/** Enables transfers in a bank, with the limits of `rules`. */
export async function enableTransfers(bank: Bank): Promise<void> {
  await bank.asService(settings({ transferencias: 'on', notificaciones: 'off' }), rules, clearingRules)
}

type Wanted = { id?: string; description?: string | null; due_on?: string | null }

export const request = (
  payer: Person,
  beneficiary: string,
  amount: string,
  { id = crypto.randomUUID(), description = null, due_on = null }: Wanted = {},
) =>
  call<Transfer>(
    payer,
    sql`public.request_transfer(${id}, ${beneficiary}, ${amount}, ${description}, ${due_on}::date)`,
  )

export const cancel = (payer: Person, id: string) => call<Transfer>(payer, sql`public.cancel_transfer(${id})`)

export const returnTransfer = (administrator: Person, id: string, reason = 'Se pidió por error') =>
  call<Transfer>(administrator, sql`public.return_transfer(${id}, ${reason})`)

type Account = Record<string, number | null> & {
  limits: { name: string; bank_max: number; own_max: number | null; left_max: number }[]
}

/** Calls a function that returns the balance and the limits, and returns each value by a name of its own. */
export async function accountAfter(person: Person, statement: SqlStatement) {
  const { limits, ...amounts } = await call<Account>(person, statement)
  const named = limits.flatMap(({ name, bank_max, own_max, left_max }) => [
    [`bank_${name}_max`, bank_max],
    [`own_${name}_max`, own_max],
    [`${name}_left`, left_max],
  ])
  return { ...amounts, ...(Object.fromEntries(named) as Record<string, number | null>) }
}

export const account = (person: Person) => accountAfter(person, sql`public.transfer_account()`)

/** Carries out the due requests as the server does, as if it were `days` later. */
export const runDue = async (bank: Bank, days = 0) => {
  const [row] = await bank.owner.query(
    sql<{
      handled: number
    }>`select private.run_due_requests(1000, now() + make_interval(days => ${days})) as handled`,
  )
  return row?.handled
}

/** Returns the request as it is stored. */
export async function stored(bank: Bank, id: string): Promise<Transfer | undefined> {
  const [found] = await bank.owner.query(
    sql<{ row: Transfer }>`select to_jsonb(r) as row from public.requests r where r.id = ${id}`,
  )
  return found?.row
}

/** Returns today's date in Bogotá plus `days`. */
export async function day(bank: Bank, days: number): Promise<string> {
  const [row] = await bank.owner.query(
    sql<{
      day: string
    }>`select ((now() at time zone 'America/Bogota')::date + ${days}::integer)::text as day`,
  )
  return row?.day ?? ''
}

/** Returns the sum of all balances. */
export async function sumOf(bank: Bank): Promise<string> {
  const [row] = await bank.owner.query(
    sql<{ sum: string }>`select trim_scale(sum(balance))::text as sum from public.budgets`,
  )
  return row?.sum ?? ''
}
