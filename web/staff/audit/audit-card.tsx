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
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import {
  auditKinds,
  auditQuery,
  foldReadings,
  namesOf,
  readFilter,
  shownKind,
  unnamedIn,
  writeFilter,
  type AuditFilter,
  type AuditKind,
  type FoldedEntry,
} from './audit.ts'
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
  const { kind: _, ...others } = filter
  const kind = shownKind(filter)
  const chosen = { ...others, person: person === undefined ? filter.person : null }
  const active = Object.values(chosen).filter((value) => value !== null).length
  const lookup = useQuery({
    ...lookupQuery(unnamedIn(entries, [chosen.person, chosen.actor])),
    placeholderData: keepPreviousData,
  })
  const namesById = useMemo(() => namesOf(lookup.data ?? []), [lookup.data])
  const nameOf = (id: string | null) =>
    id === null ? '' : (namesById.get(id) ?? (lookup.isFetching ? '' : adminCopy.goneUser(id)))

  const change = (changed: Partial<AuditFilter>) => setAddress((current) => writeFilter(current, changed))

  return (
    <Card title={adminCopy.audit}>
      <Kinds shown={kind} onChange={(chosenKind) => change({ kind: chosenKind, action: null })} />
      <AuditFilters
        filter={filter}
        isAboutOne={person !== undefined}
        active={active}
        nameOf={nameOf}
        onChange={change}
      />
      <ListTable
        name="audit"
        columns={columns}
        query={audit}
        isEmpty={entries.length === 0}
        empty={(active > 0 ? auditCopy.noneFound : auditCopy.empty)[kind]}
        loading={adminCopy.loading.audit}
        unread={refusalText(audit.error, refusals)}
      >
        {foldReadings(entries).map((entry) => (
          <AuditRow key={entry.id} entry={entry} namesById={namesById} />
        ))}
      </ListTable>
    </Card>
  )
}

/** Chooses between the acts that changed something and the readings, because the readings are many. */
function Kinds({ shown, onChange }: { shown: AuditKind; onChange: (kind: AuditKind) => void }) {
  return (
    <div role="group" aria-label={auditCopy.kind} className="flex flex-wrap gap-1 px-4 pt-3 sm:px-6">
      {auditKinds.map((kind) => (
        <Button
          key={kind}
          variant={kind === shown ? 'outline' : 'quiet'}
          size="small"
          className="max-lg:min-h-11"
          aria-pressed={kind === shown}
          onClick={() => onChange(kind)}
        >
          {auditCopy.kinds[kind]}
        </Button>
      ))}
    </div>
  )
}

const refusals: Refusals = { [forbiddenCode]: auditCopy.forbidden, otherwise: auditCopy.failed }

type Names = { namesById: ReadonlyMap<string, string> }

const { columns } = auditCopy
const cell = 'audit-cell block min-w-0 align-baseline lg:table-cell lg:pl-6'

/** An audit entry, as a row on the desktop and as a card on a phone. */
function AuditRow({ entry, namesById }: Names & { entry: FoldedEntry }) {
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

function Change({ entry }: { entry: FoldedEntry }) {
  if (entry.readings > 1) return <span className="text-muted">{auditCopy.readings(entry.readings)}</span>
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
