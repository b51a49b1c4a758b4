/** Adds customers who transfer money to each other, and makes the calls of customers and administrators. */
import { type SqlStatement, sql } from '#server/database/database.ts'
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { settings } from './bank-settings.ts'
import type { Bank } from './bank.ts'
import { type Person, addPerson, call, callRows, deposit, run } from './people.ts'

/** An account at another bank, as the database stores it. */
export type Destination = {
  bank: string
  kind: string
  number: string
  document_kind: string
  document: string
}

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

export type Beneficiary = {
  id: string
  name: string
  address: string | null
  destination: Destination | null
  confirmed_at: string | null
  payee_name: string | null
  removed_at: string | null
}

/** In these tests, the bank allows 100 without a decision, 1,000 for one transfer and 2,000 for one day. */
const rules = settings({
  ...withoutTransferLimits,
  transfer_automatic_max: 100,
  transfer_max: 1000,
  transfer_day_max: 2000,
  transfer_expires_hours: 72,
})

/** The data about the bank in the clearing files of these tests. */
export const clearingRules = settings({
  brand_name: 'Banco',
  clearing_account: 'NOTPROVIDED',
  display_currency: 'USD',
})

/** Enables transfers in a bank, with the limits of `rules`. */
export async function enableTransfers(bank: Bank): Promise<void> {
  await bank.asService(settings({ transferencias: 'on', notificaciones: 'off' }), rules, clearingRules)
}

export const addressOf = ({ id }: Person) => `${id}@banco.example`

/** Adds a customer with a confirmed address and a balance. */
export async function addHolder(bank: Bank, balance = '5000'): Promise<Person> {
  const person = await addPerson(bank.database, 'user')
  await bank.asService(sql`update auth.users set email_confirmed_at = now() where id = ${person.id}`)
  if (balance !== '0') await run(bank.administrator, deposit(person, balance))
  // A test that counts notices does not count the one about this deposit.
  await bank.owner.query(sql`delete from private.notices where recipient = ${person.id}`)
  return person
}

export const add = (
  person: Person,
  address: string,
  { id = crypto.randomUUID(), name = 'Luis' }: { id?: string; name?: string } = {},
) => call<Beneficiary>(person, sql`public.add_beneficiary(${id}, ${name}, ${address})`)

/** An account of the customer `Lucía Ñañez` at another bank. */
export const accountElsewhere: Destination = {
  bank: '1007',
  kind: 'savings',
  number: '12345678901',
  document_kind: 'CC',
  document: '1020304050',
}

export const addElsewhere = (
  person: Person,
  account: Partial<Destination> = {},
  { id = crypto.randomUUID(), name = 'Lucía Ñañez' }: { id?: string; name?: string } = {},
) => {
  const { bank, kind, number, document_kind, document } = { ...accountElsewhere, ...account }
  return call<Beneficiary>(
    person,
    sql`public.add_account_beneficiary(${id}, ${name}, ${bank}, ${kind}, ${number}, ${document_kind}, ${document})`,
  )
}

/** Adds and confirms an account at another bank, and returns its id. */
export async function befriendElsewhere(payer: Person, account: Partial<Destination> = {}): Promise<string> {
  const { id } = await addElsewhere(payer, account)
  await confirm(payer, id)
  return id
}

/** Adds a customer with a confirmed account at another bank. */
export async function payerElsewhere(bank: Bank) {
  const payer = await addHolder(bank)
  return { payer, beneficiary: await befriendElsewhere(payer) }
}

export const confirm = (person: Person, id: string, again = false) =>
  call<Beneficiary>(person, sql`public.confirm_beneficiary(${id}, ${again})`)

export const removeBeneficiary = (person: Person, id: string) =>
  call<Beneficiary>(person, sql`public.remove_beneficiary(${id})`)

/** Adds and confirms a beneficiary, and returns its id. */
export async function befriend(payer: Person, payee: Person, name = 'Luis'): Promise<string> {
  const { id } = await add(payer, addressOf(payee), { name })
  await confirm(payer, id)
  return id
}

/** Adds a payer with a balance, a payee without money, and the payer's confirmed beneficiary. */
export async function addPair(bank: Bank, balance = '5000') {
  const [payer, payee] = [await addHolder(bank, balance), await addHolder(bank, '0')]
  return { payer, payee, beneficiary: await befriend(payer, payee) }
}

type AliasState = { alias: string | null; changes_left: number; is_taken: boolean }

export const setAlias = (person: Person, alias: string | null) =>
  call<AliasState>(person, sql`public.set_alias(${alias})`)

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

export const decide = (
  administrator: Person,
  ids: readonly string[],
  approves: boolean,
  reason: string | null = approves ? null : 'Pídela en la sucursal',
) =>
  callRows<Transfer>(
    administrator,
    sql`public.decide_requests(${`{${ids.join()}}`}::uuid[], ${approves}, ${reason})`,
  )

export const returnTransfer = (administrator: Person, id: string, reason = 'Se pidió por error') =>
  call<Transfer>(administrator, sql`public.return_transfer(${id}, ${reason})`)

export type Listed = Transfer & {
  kind: string
  asked_at: string
  payer_name: string | null
  facts: {
    balance: number | null
    available_after: number | null
    usual_max: number | null
    transfers_today: number | null
    payee_since: string | null
  } | null
}

/** Returns the queue of waiting requests that an administrator reads. */
export const waitingRequests = (person: Person, rowsMax = 100) =>
  call<{ total: number; requests: Listed[] }>(person, sql`public.list_waiting_requests(${rowsMax}::integer)`)

/** Returns the page of decided requests that follows the given request. */
export const decidedRequests = (
  person: Person,
  {
    state = '',
    after = null,
    rowsMax = 50,
  }: { state?: string; after?: Listed | null; rowsMax?: number } = {},
) =>
  callRows<Listed>(
    person,
    sql`public.list_decided_requests(
      ${state}, coalesce(${after?.asked_at ?? null}::timestamptz, 'infinity'), ${after?.id ?? null}::uuid,
      ${rowsMax}::integer
    )`,
  )

export type ClearingFile = {
  number: number
  transfers: number
  amount: number
  csv: string | null
  xml: string | null
  csv_hash: string | null
  xml_hash: string | null
  returned: number | null
  unreturned: readonly { id: string; amount: number; reason: string }[] | null
}

type Clearing = {
  next_number: number
  waiting: number
  waiting_amount: number
  waiting_since: string | null
  handed_amount: number
  files: ClearingFile[]
  has_account: boolean
}

export const clearing = (person: Person) => call<Clearing>(person, sql`public.list_clearing()`)

/** Closes the clearing file with this number, or the next file if no number is given. */
export const closeFile = async (person: Person, number?: number) =>
  call<ClearingFile>(
    person,
    sql`public.close_clearing_file(${number ?? (await clearing(person)).next_number}::integer)`,
  )

export const readFile = (person: Person, number: number) =>
  call<ClearingFile>(person, sql`public.read_clearing_file(${number}::integer)`)

export const returnFile = (person: Person, number: number, reason = 'La compensación lo rechazó') =>
  call<{ transfers: number; amount: number; left_out: number; is_waiting: boolean }>(
    person,
    sql`public.return_clearing_file(${number}::integer, ${reason})`,
  )

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
