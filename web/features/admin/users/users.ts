import { staffCopy } from '#features/admin/staff-copy.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/access/claims.ts'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

type CustomerList = Database['public']['Functions']['list_customers']['Returns']
type ListedCustomer = CustomerList['customers'][number]

export type ListedUser = {
  id: string
  fullName: string
  name: string
  email: string
  role: Role
  lastSignInAt: string | null
  isConfirmed: boolean
  isBlocked: boolean
  /** In whole units. */
  balance: number
  /** The newest transaction, or `null` if the user does not have any. */
  last: { date: string; description: string } | null
}

export const sorts = ['name', 'email', 'role', 'balance', 'last_transaction', 'last_sign_in'] as const
export const userStates = ['user', 'admin', 'overdrawn', 'blocked', 'unconfirmed'] as const

export type UserSelection = {
  search: string
  state: (typeof userStates)[number] | null
  sort: (typeof sorts)[number]
  isDescending: boolean
}

const rowsStep = 50

/** Prefix of the key of every query that becomes stale when a user is created, changed or deleted. */
export const usersKey = ['users'] as const

/** Reads the users that match the search and filter, page by page. */
export function userListQuery({ search, state, sort, isDescending }: UserSelection) {
  return infiniteQueryOptions({
    queryKey: [...usersKey, 'list', search, state, sort, isDescending],
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }): Promise<CustomerList> => {
      const client = await backend()
      return unwrap(
        await client
          .rpc('list_customers', {
            search,
            ...(state !== null && { state }),
            sort,
            is_descending: isDescending,
            first_row: pageParam,
            rows_max: rowsStep,
          })
          .abortSignal(signal),
      )
    },
    getNextPageParam: ({ total }, pages) => {
      const read = pages.length * rowsStep
      return read < total ? read : undefined
    },
  })
}

/** Maximum number of users that a field suggests. */
const suggestedMax = 8

/** Reads the users that a field suggests for a typed text. */
export function peopleQuery(search: string) {
  return queryOptions({
    queryKey: [...usersKey, 'suggested', search],
    enabled: search !== '',
    queryFn: async ({ signal }): Promise<ListedUser[]> => {
      const client = await backend()
      const list = client.rpc('list_customers', { search, rows_max: suggestedMax })
      return unwrap(await list.abortSignal(signal)).customers.map(listedUser)
    },
  })
}

/** A user as returned by `find_customers`. `name` is the e-mail address or id that was looked up. */
export type FoundUser = {
  readonly name: string
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly is_blocked: boolean
}

/** Looks up users by their e-mail addresses or ids, at most 10,000 at a time. The result omits unknown users. */
export function lookupQuery(names: readonly string[]) {
  return queryOptions({
    queryKey: [...usersKey, 'found', names],
    enabled: names.length > 0,
    // The result never becomes stale, so that the same users are requested only once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<FoundUser[]> => {
      const client = await backend()
      const found = await client.rpc('find_customers', { names: [...names] }).abortSignal(signal)
      return unwrap(found) as unknown as FoundUser[]
    },
  })
}

export function listedUser(row: ListedCustomer): ListedUser {
  return {
    id: row.id,
    fullName: row.full_name?.trim() ?? '',
    name: nameOf(row.full_name, row.email),
    email: row.email,
    role: row.role === 'admin' ? 'admin' : 'user',
    lastSignInAt: row.last_sign_in_at,
    isConfirmed: row.is_confirmed,
    isBlocked: row.is_blocked,
    balance: row.balance,
    last:
      row.last_date === null || row.last_description === null
        ? null
        : { date: row.last_date, description: row.last_description },
  }
}

export function nameOf(fullName: string | null, email: string): string {
  return fullName?.trim() || email || staffCopy.unnamed
}
