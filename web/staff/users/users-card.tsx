import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, SearchX } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { adminCopy } from '#staff/copy.ts'
import { Table } from '#ui/table.tsx'
import { usersCopy as copy, usersInWords } from './copy.ts'
import { KeyHints } from '#staff/lists/key-hints.tsx'
import { MoreRows } from '#staff/lists/more-rows.tsx'
import { handleListKey, useOpenFirst } from '#ui/palette/list-keys.ts'
import { useGo } from '#ui/address/address.tsx'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { FiltersButton } from '#ui/filters-button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { UserRow, type RowActions } from './user-row.tsx'
import { useUserSelection } from './user-selection.ts'
import {
  listedUser,
  selectUsers,
  sorts,
  specifiedUsersQuery,
  userListQuery,
  userStates,
  type UserSelection,
} from './users.ts'

const keys = [
  ['↑ ↓', copy.keys.move],
  ['Intro', copy.keys.open],
  ['D', copy.keys.deposit],
  ['G', copy.keys.expense],
  ['/', copy.keys.search],
] as const

export function UsersCard({ onCreate, ...actions }: RowActions & { onCreate: () => void }) {
  const { selection, select, typed, setTyped, isCurrent } = useUserSelection()
  const { list, users, pages, counts, isError, isUnread, isPending, retry } = useUsers(selection)
  const go = useGo()
  const openFirst = useOpenFirst(users[0], isCurrent && !list.isPlaceholderData && !isPending, ({ id }) =>
    go(`/admin/clientes/${id}`),
  )
  const isFiltered = selection.search !== '' || selection.state !== null

  return (
    <section
      aria-label={adminCopy.users}
      className="rounded-lg border border-line bg-surface"
      onKeyDown={(event) => handleListKey(event, openFirst)}
    >
      <Tools {...{ selection, select, typed, setTyped, counts, onCreate }} />
      {isPending ? (
        <div className="grid min-h-64 place-content-center">
          <Spinner label={copy.loading} />
        </div>
      ) : users.length === 0 ? (
        <EmptyList isSearched={selection.search !== ''} onClear={() => setTyped('')}>
          {isError || isUnread ? (
            <RetryLine message={copy.noUsers} onRetry={() => void retry()} />
          ) : (
            <p>{isFiltered ? copy.empty : copy.noUsers}</p>
          )}
        </EmptyList>
      ) : (
        <Table
          className="users-table block w-full text-left text-sm lg:table"
          headClassName="max-lg:hidden lg:table-header-group"
          headersClassName="border-b border-line text-xs text-muted"
          bodyClassName="block divide-y divide-line lg:table-row-group"
          columns={[
            ...sorts.map((sort) => sortedColumn(sort, selection, select)),
            { name: copy.actions, header: <span className="sr-only">{copy.actions}</span> },
          ]}
        >
          {users.map((user) => (
            <UserRow key={user.id} user={user} {...actions} />
          ))}
        </Table>
      )}
      {isUnread && users.length > 0 ? (
        <div className="px-4 py-2 sm:px-6">
          <RetryLine message={copy.noFigures} onRetry={() => void list.refetch()} />
        </div>
      ) : (
        pages.length > 0 && <MoreRows pages={list} unread={copy.unread} />
      )}
      <footer className="users-foot">
        <KeyHints keys={keys} />
        <p role="status" className="figures">
          {isPending ? null : countInWords(counts, users.length, list.hasNextPage)}
        </p>
      </footer>
    </section>
  )
}

/**
 * Reads the list with the customers' figures and, as the specification requires, the users. If the list with figures
 * cannot be read, the users are shown without figures.
 */
function useUsers(selection: UserSelection) {
  const list = useInfiniteQuery(userListQuery(selection))
  const specified = useQuery(specifiedUsersQuery)
  const { isError, errorUpdatedAt } = specified
  // A failure to read a further page, or the pages again, keeps the pages that are shown.
  const isUnread = list.isError && list.data === undefined
  const isPending = !isError && (isUnread ? specified.isPending : list.isPending)
  const retry = () => Promise.all([specified.refetch(), list.refetch()])

  useEffect(() => {
    if (isError) showFailure({ title: copy.loadFailedTitle, description: copy.loadFailedText })
  }, [isError, errorUpdatedAt])

  // If the specified read fails, the list becomes empty (docs/specification.md §8), even if the other read succeeded.
  const pages = isError || isUnread ? [] : (list.data?.pages ?? [])
  const users =
    isUnread && !isError
      ? selectUsers(specified.data ?? [], selection)
      : pages.flatMap((page) => page.customers.map(listedUser))
  const counts = pages[0]
  return { list, users, pages, counts, isError, isUnread, isPending, retry }
}

type ToolsProps = Pick<ReturnType<typeof useUserSelection>, 'selection' | 'select' | 'typed' | 'setTyped'> & {
  counts: Counts | undefined
  onCreate: () => void
}

/** The search field, the filter, the order on a phone, and the button for a new user. */
function Tools({ selection, select, typed, setTyped, counts, onCreate }: ToolsProps) {
  const fieldsId = useId()
  // On a phone, the fields are hidden until the button opens them.
  const [isOpen, setIsOpen] = useState(false)
  return (
    <search className="users-tools border-b border-line">
      <SearchField
        label={copy.search}
        placeholder={copy.searchHint}
        value={typed}
        onChange={setTyped}
        className="min-w-0"
      />
      <FiltersButton
        active={selection.state === null ? 0 : 1}
        className="lg:hidden"
        aria-expanded={isOpen}
        aria-controls={fieldsId}
        onClick={() => setIsOpen(!isOpen)}
      />
      <Button className="px-3" onClick={onCreate}>
        <Plus aria-hidden="true" className="size-4.5" />
        <span className="sr-only sm:not-sr-only">{copy.createUser}</span>
      </Button>
      <div id={fieldsId} className="users-fields" data-open={isOpen || undefined}>
        <StateField {...{ selection, select, counts }} />
        <OrderField {...{ selection, select }} />
      </div>
    </search>
  )
}

function StateField({ selection, select, counts }: Pick<ToolsProps, 'selection' | 'select' | 'counts'>) {
  return (
    <SelectField
      label={copy.filter}
      isLabelHidden
      value={selection.state ?? 'all'}
      onChange={({ target }) => select({ state: userStates.find((state) => state === target.value) ?? null })}
    >
      {(['all', ...userStates] as const).map((state) => (
        <option key={state} value={state}>
          {stateInWords(state, counts)}
        </option>
      ))}
    </SelectField>
  )
}

/** The order on a phone. On larger screens, the headings of the columns choose the order. */
function OrderField({ selection, select }: Pick<ToolsProps, 'selection' | 'select'>) {
  const orderBy = (wanted: string) =>
    select(
      ordered(
        selection,
        sorts.find((sort) => sort === wanted),
      ),
    )
  return (
    <SelectField
      label={copy.order}
      isLabelHidden
      className="lg:hidden"
      value={selection.sort}
      onChange={({ target }) => orderBy(target.value)}
    >
      {sorts.map((sort) => (
        <option key={sort} value={sort}>
          {copy.columns[sort]}
        </option>
      ))}
    </SelectField>
  )
}

type EmptyProps = { isSearched: boolean; onClear: () => void; children: ReactNode }

/** Explains why the list is empty, and offers to clear the search. */
function EmptyList({ isSearched, onClear, children }: EmptyProps) {
  return (
    <div className="grid min-h-40 place-content-center justify-items-center gap-4 p-6 text-center text-muted">
      <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
      {children}
      {isSearched && (
        <Button variant="outline" onClick={onClear}>
          {uiCopy.clearSearch}
        </Button>
      )}
    </div>
  )
}

/** Returns a column whose header is a button that sorts by the column. */
function sortedColumn(
  sort: UserSelection['sort'],
  selection: UserSelection,
  select: (change: Partial<UserSelection>) => void,
) {
  const isSorted = sort === selection.sort
  const Arrow = selection.isDescending ? ArrowDown : ArrowUp
  return {
    name: copy.columns[sort],
    header: (
      <button
        type="button"
        className="flex h-8 items-center gap-1 hover:text-ink"
        onClick={() => select(ordered(selection, sort))}
      >
        {copy.columns[sort]}
        {isSorted && <Arrow aria-hidden="true" className="size-4" />}
      </button>
    ),
    className: 'font-medium',
    ...(isSorted && ({ 'aria-sort': selection.isDescending ? 'descending' : 'ascending' } as const)),
  }
}

/**
 * Returns the sort order after a click on a column header. Times are sorted newest first, and a second click reverses
 * the order.
 */
function ordered(
  { sort: current, isDescending }: UserSelection,
  sort: UserSelection['sort'] = 'name',
): Partial<UserSelection> {
  if (sort === current) return { sort, isDescending: !isDescending }
  return { sort, isDescending: sort === 'last_transaction' || sort === 'last_sign_in' }
}

/** Each number is `null` if the bank did not read all users who match. */
type Counts = Readonly<Record<'total' | 'overdrawn' | 'blocked' | 'unconfirmed', number | null>>

function countInWords(counts: Counts | undefined, shown: number, hasMore: boolean): string {
  const total = counts?.total ?? null
  if (total !== null) return copy.count(total)
  return hasMore ? copy.countMore(shown) : copy.count(shown)
}

function stateInWords(state: 'all' | (typeof userStates)[number], counts: Counts | undefined): string {
  if (state === 'all' || state === 'user' || state === 'admin') return copy.states[state]
  const users = counts?.[state] ?? null
  return copy.states[state](users === null ? '' : ` · ${usersInWords(users)}`)
}
