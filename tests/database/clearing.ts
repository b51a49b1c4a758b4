/** Makes the calls of administrators about clearing files. */
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { type Person, call } from './people.ts'

/** The data about the bank in the clearing files of these tests. */
export const clearingRules = settings({
  brand_name: 'Banco',
  clearing_account: 'NOTPROVIDED',
  display_currency: 'USD',
})

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
