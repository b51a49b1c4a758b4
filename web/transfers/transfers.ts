/** Reads the customer's transfers, beneficiaries and limits. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Database, Json } from '@finanzas/contract/database-types.ts'
import { readAccount, type Account } from '@finanzas/contract/transfers/account.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys, untilRead } from '#data/queries.ts'
import { readingClient } from '#data/wait-for-live-channel.ts'
import { readMinor } from '#amounts/amounts.ts'

type Tables = Database['public']['Tables']
type AccountRow = Database['public']['Functions']['transfer_account']['Returns']

export type Transfer = Pick<
  Tables['requests']['Row'],
  | 'id'
  | 'status'
  | 'payer'
  | 'payee_name'
  | 'payee_masked'
  | 'amount'
  | 'description'
  | 'due_on'
  | 'asked_at'
  | 'expires_at'
  | 'ended_at'
  | 'reason'
>

export type Beneficiary = Pick<
  Tables['beneficiaries']['Row'],
  'id' | 'name' | 'address' | 'confirmed_at' | 'payee_name'
> & {
  /** The account at another bank. `null` for a customer of this bank, because such a beneficiary has an address. */
  destination: Account | null
}

/** A limit of a customer's transfers. copy.ts has the texts about each limit by its name. */
export type TransferLimit = {
  name: string
  bankMinor: MinorUnits
  /** `null` until the customer sets their own limit. */
  ownMinor: MinorUnits | null
  /** The applicable limit: the lower of the bank's limit and the customer's own limit. */
  maxMinor: MinorUnits
  /** The part of the limit that is still available. */
  leftMinor: MinorUnits
}

/** The amounts that limit a customer's transfers. */
export type TransferAccount = {
  balanceMinor: MinorUnits
  reservedMinor: MinorUnits
  availableMinor: MinorUnits
  limits: readonly TransferLimit[]
  /** Largest amount that a customer can still transfer today without the bank's approval, and the limit of a day. */
  automaticMaxMinor: MinorUnits
  automaticDayMaxMinor: MinorUnits
  /** Whether the bank refuses transfers until the customer sets a password through a mailed link. */
  needsOwnPassword: boolean
  /** The smallest transfer that the customer receives, or `null` if the customer receives every amount. */
  receiveMinMinor: MinorUnits | null
  /** Whether the customer receives transfers only from people that they have paid or named as a beneficiary. */
  receivesFromKnown: boolean
}

export type Transfers = {
  account: TransferAccount
  beneficiaries: readonly Beneficiary[]
  /** The transfers that wait for an approval or for the day on which they are sent, newest first. */
  open: readonly Transfer[]
}

const openStatuses = ['waiting', 'scheduled'] as const
const transferColumns =
  'id,status,payer,payee_name,payee_masked,amount,description,due_on,asked_at,expires_at,ended_at,reason'

/** The ended transfers that the page shows. Each press of the button adds twenty. */
export const endedShown = { first: 20, max: 200, next: (rowsMax: number) => rowsMax + 20 }

/** Reads everything about the customer's transfers except those that have ended. */
export function transfersQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    // Every transaction changes the balance, and therefore the available amount.
    queryKey: [...dataKeys.refetchedOnChange(userId), 'transfers'],
    queryFn: async ({ signal }): Promise<Transfers> => {
      const client = await readingClient()
      const [account, beneficiaries, open] = await Promise.all([
        client.rpc('transfer_account', undefined, { get: true }).abortSignal(signal),
        client
          .from('beneficiaries')
          .select('id,name,address,destination,confirmed_at,payee_name')
          .eq('user_id', userId)
          .is('removed_at', null)
          .order('name')
          .abortSignal(signal),
        client
          .from('requests')
          .select(transferColumns)
          .eq('payer', userId)
          .eq('kind', 'transfer')
          .in('status', openStatuses)
          .order('asked_at', { ascending: false })
          .abortSignal(signal),
      ])
      return {
        account: accountOf(unwrap(account)),
        beneficiaries: unwrap(beneficiaries).map(beneficiaryOf),
        open: unwrap(open),
      }
    },
  })
}

/** Reads the latest transfers that have ended, newest first. */
export function endedTransfersQuery(userId: string, rowsMax: number) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'ended transfers', rowsMax],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Transfer[]> => {
      const client = await readingClient()
      return unwrap(
        await client
          .from('requests')
          .select(transferColumns)
          .eq('payer', userId)
          .eq('kind', 'transfer')
          .not('ended_at', 'is', null)
          .order('ended_at', { ascending: false })
          .limit(rowsMax)
          .abortSignal(signal),
      )
    },
  })
}

type BeneficiaryRow = Omit<Beneficiary, 'destination'> & { destination: Json | null }

export function beneficiaryOf(row: BeneficiaryRow): Beneficiary {
  return { ...row, destination: readAccount(row.destination) }
}

/** Returns the limit with this name. */
export function limitNamed({ limits }: TransferAccount, name: 'transfer' | 'day'): TransferLimit {
  const found = limits.find((each) => each.name === name)
  if (found === undefined) throw new Error(`The bank returned no limit "${name}".`)
  return found
}

function limitOf({ name, bank_max, own_max, left_max }: AccountRow['limits'][number]): TransferLimit {
  const bankMinor = readMinor(bank_max)
  const ownMinor = own_max === null ? null : readMinor(own_max)
  const maxMinor = ownMinor === null || ownMinor > bankMinor ? bankMinor : ownMinor
  return { name, bankMinor, ownMinor, maxMinor, leftMinor: readMinor(left_max) }
}

export function accountOf(row: AccountRow): TransferAccount {
  return {
    balanceMinor: readMinor(row.balance),
    reservedMinor: readMinor(row.reserved),
    availableMinor: readMinor(row.available),
    limits: row.limits.map(limitOf),
    automaticMaxMinor: readMinor(row.automatic_max),
    automaticDayMaxMinor: readMinor(row.automatic_day_max),
    needsOwnPassword: row.needs_own_password,
    receiveMinMinor: row.receive_min === null ? null : readMinor(row.receive_min),
    receivesFromKnown: row.receives_from_known,
  }
}
