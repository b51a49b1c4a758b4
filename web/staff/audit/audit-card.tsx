import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { forbiddenCode } from '#api/error-codes.ts'
import { refusalText, type Refusals } from '#api/refusals.ts'
import { adminCopy } from '#staff/copy.ts'
import { Cell, Row } from '#ui/table.tsx'
import { auditCopy } from './copy.ts'
import { ListTable } from '#staff/lists/list-table.tsx'
import { lookupQuery } from '#staff/users/users.ts'
import { formatDateTime, formatDateTimeShort } from '#ui/format/dates.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Card } from '#ui/card.tsx'
import { auditQuery, namesOf, readFilter, unnamedIn, writeFilter, type AuditEntry } from './audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import { actionInWords, actorInWords, changeInWords, moneyIn, personInWords } from './words.ts'
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

  return (
    <Card title={adminCopy.audit}>
      <AuditFilters
        filter={filter}
        isAboutOne={person !== undefined}
        active={active}
        nameOf={nameOf}
        onChange={(change) => setAddress((current) => writeFilter(current, change))}
      />
      <ListTable
        name="audit"
        columns={columns}
        query={audit}
        isEmpty={entries.length === 0}
        empty={active > 0 ? auditCopy.noneFound : auditCopy.empty}
        loading={adminCopy.auditLoading}
        unread={refusalText(audit.error, refusals)}
      >
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} namesById={namesById} />
        ))}
      </ListTable>
    </Card>
  )
}

const refusals: Refusals = { [forbiddenCode]: auditCopy.forbidden, otherwise: auditCopy.failed }

type Names = { namesById: ReadonlyMap<string, string> }

const { columns } = auditCopy
const cell = 'audit-cell block min-w-0 align-baseline lg:table-cell lg:pl-6'

/** An audit entry, as a row on the desktop and as a card on a phone. */
function AuditRow({ entry, namesById }: Names & { entry: AuditEntry }) {
  const target = personInWords({ id: entry.target, name: entry.target_name }, namesById)
  // A deleted account does not have a page to link to.
  const isOpen = (id: string | null, name: string | null) =>
    id !== null && (name !== null || namesById.has(id))
  return (
    <Row className="audit-row grid grid-cols-1 gap-x-6 gap-y-1 px-4 py-4 text-sm sm:px-6 lg:table-row lg:p-0">
      <Cell className={`${cell} audit-when text-muted`}>
        <time
          dateTime={entry.recorded_at}
          title={formatDateTime(entry.recorded_at)}
          className="whitespace-nowrap"
        >
          {formatDateTimeShort(entry.recorded_at)}
        </time>
      </Cell>
      <Cell className={`${cell} wrap-anywhere`} title={entry.actor ?? undefined}>
        <PhoneLabel>{columns.actor}</PhoneLabel>
        <PersonLink id={entry.actor} isOpen={isOpen(entry.actor, entry.actor_name)}>
          {actorInWords(entry, namesById)}
        </PersonLink>
      </Cell>
      <Cell className={`${cell} audit-what wrap-anywhere`}>
        <span className="font-medium">{actionInWords(entry)}</span>
      </Cell>
      <Cell className={`${cell} wrap-anywhere`} title={entry.target ?? undefined}>
        {target !== null && (
          <>
            <PhoneLabel>{columns.target}</PhoneLabel>
            <PersonLink id={entry.target} isOpen={isOpen(entry.target, entry.target_name)}>
              {target}
            </PersonLink>
          </>
        )}
      </Cell>
      <Cell className={`${cell} wrap-anywhere`}>
        <Change entry={entry} />
      </Cell>
    </Row>
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
