import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { lookupQuery } from '#features/admin/users/users.ts'
import { formatDateTime, formatDateTimeShort } from '#format/dates.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import {
  actionInWords,
  actorInWords,
  auditQuery,
  changeInWords,
  moneyIn,
  namesOf,
  personInWords,
  readFilter,
  unnamedIn,
  writeFilter,
  type AuditEntry,
} from './audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import './audit.css'

/**
 * The audit log, with a filter that is stored in the URL. If `person` is set, the log shows only the entries about this
 * person.
 */
export function AuditCard({ person }: { person?: string }) {
  const [address, setAddress] = useSearchParameters()
  const filter = useMemo(() => {
    const chosen = readFilter(address)
    return person === undefined ? chosen : { ...chosen, person }
  }, [address, person])
  const audit = useInfiniteQuery(auditQuery(filter))
  const entries = audit.data?.pages.flat() ?? []
  const chosen = { ...filter, person: person === undefined ? filter.person : null }
  const active = Object.values(chosen).filter((value) => value !== null).length
  const lookup = useQuery({
    ...lookupQuery(unnamedIn(entries, [chosen.person, chosen.actor])),
    placeholderData: keepPreviousData,
  })
  const namesById = useMemo(() => namesOf(lookup.data ?? []), [lookup.data])
  const nameOf = (id: string | null) =>
    id === null ? '' : (namesById.get(id) ?? (lookup.isFetching ? '' : adminCopy.goneUser(id)))
  const retry = () => void (entries.length === 0 ? audit.refetch() : audit.fetchNextPage())

  return (
    <Card title={adminCopy.auditTitle}>
      <AuditFilters
        filter={filter}
        isAboutOne={person !== undefined}
        active={active}
        nameOf={nameOf}
        onChange={(change) => setAddress((current) => writeFilter(current, change))}
      />
      {entries.length > 0 && <AuditTable entries={entries} namesById={namesById} />}
      {audit.isError ? (
        <div className="grid min-h-24 place-content-center px-6">
          <RetryLine message={failureSentence(audit.error)} onRetry={retry} />
        </div>
      ) : audit.isPending ? (
        <div className="grid min-h-64 place-content-center">
          <Spinner label={adminCopy.auditLoading} />
        </div>
      ) : entries.length === 0 ? (
        <p className="grid min-h-40 place-content-center px-6 text-center text-muted">
          {active > 0 ? adminCopy.auditNoneFound : adminCopy.auditEmpty}
        </p>
      ) : (
        audit.hasNextPage && (
          <div className="flex justify-center border-t border-line p-4">
            <Button
              variant="outline"
              size="small"
              isBusy={audit.isFetchingNextPage}
              onClick={() => void audit.fetchNextPage()}
            >
              {adminCopy.showMore}
            </Button>
          </div>
        )
      )}
    </Card>
  )
}

/**
 * Returns the message for a failed read. The database refuses callers without the administrator role with code 42501,
 * so a retry would fail again.
 */
function failureSentence(error: unknown): string {
  return errorCode(error) === '42501' ? adminCopy.auditForbidden : adminCopy.auditFailed
}

type Names = { namesById: ReadonlyMap<string, string> }

const { auditColumns: columns } = adminCopy
const cell = 'audit-cell block min-w-0 align-baseline lg:table-cell lg:pl-6'

/** The audit entries, as a table on the desktop and as cards on a phone, like the user list. */
function AuditTable({ entries, namesById }: Names & { entries: readonly AuditEntry[] }) {
  return (
    <table role="table" className="audit-table block w-full text-left lg:table">
      <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
        <tr role="row" className="border-b border-line text-sm text-muted">
          {Object.values(columns).map((column) => (
            <th key={column} role="columnheader" className="py-2.5 pl-6 font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block divide-y divide-line lg:table-row-group">
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} namesById={namesById} />
        ))}
      </tbody>
    </table>
  )
}

function AuditRow({ entry, namesById }: Names & { entry: AuditEntry }) {
  const target = personInWords({ id: entry.target, name: entry.target_name }, namesById)
  // A deleted account does not have a page to link to.
  const isOpen = (id: string | null, name: string | null) =>
    id !== null && (name !== null || namesById.has(id))
  return (
    <tr
      role="row"
      className="audit-row grid grid-cols-1 gap-x-6 gap-y-1 px-4 py-4 text-sm sm:px-6 lg:table-row lg:p-0"
    >
      <td role="cell" className={`${cell} audit-when text-muted`}>
        <time
          dateTime={entry.recorded_at}
          title={formatDateTime(entry.recorded_at)}
          className="whitespace-nowrap"
        >
          {formatDateTimeShort(entry.recorded_at)}
        </time>
      </td>
      <td role="cell" className={`${cell} wrap-anywhere`} title={entry.actor ?? undefined}>
        <PhoneLabel>{columns.actor}</PhoneLabel>
        <PersonLink id={entry.actor} isOpen={isOpen(entry.actor, entry.actor_name)}>
          {actorInWords(entry, namesById)}
        </PersonLink>
      </td>
      <td role="cell" className={`${cell} audit-what wrap-anywhere`}>
        <span className="font-medium">{actionInWords(entry)}</span>
      </td>
      <td role="cell" className={`${cell} wrap-anywhere`} title={entry.target ?? undefined}>
        {target !== null && (
          <>
            <PhoneLabel>{columns.target}</PhoneLabel>
            <PersonLink id={entry.target} isOpen={isOpen(entry.target, entry.target_name)}>
              {target}
            </PersonLink>
          </>
        )}
      </td>
      <td role="cell" className={`${cell} wrap-anywhere`}>
        <Change entry={entry} />
      </td>
    </tr>
  )
}

function PersonLink({ id, isOpen, children }: { id: string | null; isOpen: boolean; children: string }) {
  if (id === null || !isOpen) return children
  return (
    <Link to={`/admin/clientes/${id}`} className="audit-link">
      {children}
    </Link>
  )
}

function Change({ entry }: { entry: AuditEntry }) {
  const words = changeInWords(entry)
  const money = moneyIn(entry.after) ?? moneyIn(entry.before)
  if (words === null || money === null) return words
  return (
    <span className="@container block">
      <MoneyText within={(amount) => words.replace(money, () => amount)}>{money}</MoneyText>
    </span>
  )
}

function PhoneLabel({ children }: { children: string }) {
  return <span className="text-sm text-muted lg:hidden">{`${children}: `}</span>
}
