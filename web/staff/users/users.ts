import { staffCopy } from '#staff/staff-copy.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/people/claims.ts'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { fold } from '#ui/format/text.ts'

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
  /** `null` if only the specified read answered. */
  figures: Figures | null
}

/** The part of a listed user that only `list_customers` reads. */
type Figures = {
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

/** The user after which a page begins. */
type PageEnd = { readonly after_key: string; readonly after_id: string }

/** Prefix of the key of every query that becomes stale when a user is created, changed or deleted. */
export const usersKey = ['users'] as const

/** Reads all users as the specification requires (docs/specification.md §7), up to the server's limit of 1,000 rows. */
export const specifiedUsersQuery = queryOptions({
  queryKey: [...usersKey, 'specified'],
  refetchOnMount: 'always',
  queryFn: async ({ signal }): Promise<ListedUser[]> => {
    const client = await backend()
    const read = client.from('profiles').select('id,full_name,role,user_safe(email,last_sign_in_at)')
    return unwrap(await read.abortSignal(signal)).map(specifiedUser)
  },
})

/**
 * Applies the search, filter and order to the specified read, for a project without `list_customers`. A filter or order
 * by a field that this read does not contain matches no user, or orders by name.
 */
export function selectUsers(users: readonly ListedUser[], selection: UserSelection): ListedUser[] {
  const { search, state, sort, isDescending } = selection
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  const textOf = (user: ListedUser) =>
    fold([user.fullName, user.email, staffCopy.roles[user.role], user.id].join(' '))
  const direction = isDescending ? -1 : 1
  return users
    .filter((user) => state === null || user.role === state)
    .filter((user) => words.every((word) => textOf(user).includes(word)))
    .sort(
      (one, other) =>
        direction * sortKey(one, sort).localeCompare(sortKey(other, sort), 'es') ||
        one.name.localeCompare(other.name, 'es'),
    )
}

function sortKey({ name, email, role, lastSignInAt }: ListedUser, sort: UserSelection['sort']): string {
  if (sort === 'name') return name
  if (sort === 'email') return email
  if (sort === 'role') return role
  return sort === 'last_sign_in' ? (lastSignInAt ?? '') : ''
}

/** Reads the users that match the search and filter, page by page. */
export function userListQuery({ search, state, sort, isDescending }: UserSelection) {
  return infiniteQueryOptions({
    queryKey: [...usersKey, 'list', search, state, sort, isDescending],
    initialPageParam: null as PageEnd | null,
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
            ...pageParam,
            rows_max: rowsStep,
          })
          .abortSignal(signal),
      )
    },
    getNextPageParam: ({ end_key, end_id }) =>
      end_key === null || end_id === null ? null : { after_key: end_key, after_id: end_id },
  })
}

/** Counts the users of each state, up to a maximum. Reads no user, so that the database adds no audit entry. */
export const userCountsQuery = queryOptions({
  queryKey: [...usersKey, 'counts'],
  queryFn: async ({ signal }): Promise<CustomerList> => {
    const client = await backend()
    return unwrap(await client.rpc('list_customers', { rows_max: 0 }).abortSignal(signal))
  },
})

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
  /** Whether the address was never confirmed, so that a file of new customers may still contain it. */
  readonly is_unclaimed: boolean
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
    figures: {
      balance: row.balance,
      last:
        row.last_date === null || row.last_description === null
          ? null
          : { date: row.last_date, description: row.last_description },
    },
  }
}

type SpecifiedRow = {
  id: string
  full_name: string | null
  role: string
  user_safe: { email: string; last_sign_in_at: string | null } | null
}

function specifiedUser({ id, full_name: fullName, role, user_safe: account }: SpecifiedRow): ListedUser {
  const email = account?.email ?? ''
  return {
    id,
    fullName: fullName?.trim() ?? '',
    name: nameOf(fullName, email),
    email,
    role: role === 'admin' ? 'admin' : 'user',
    lastSignInAt: account?.last_sign_in_at ?? null,
    isConfirmed: true,
    isBlocked: false,
    figures: null,
  }
}

export function nameOf(fullName: string | null, email: string): string {
  return fullName?.trim() || email || staffCopy.unnamed
}
