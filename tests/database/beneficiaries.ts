/** Adds customers who may transfer money to each other: their balances, aliases and beneficiaries. */
import { sql } from '#server/database/database.ts'
import type { Bank } from './bank.ts'
import { type Person, addPerson, call, deposit, run } from './people.ts'

/** An account at another bank, as the database stores it. */
export type Destination = {
  bank: string
  kind: string
  number: string
  document_kind: string
  document: string
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
