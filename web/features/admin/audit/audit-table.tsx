import { adminCopy } from '#features/admin/copy.ts'
import { formatDateTime } from '#format/dates.ts'
import type { AuditEntry } from './audit.ts'
import { actionInWords, actorInWords, changeInWords, personInWords } from './wording.ts'

type Names = { namesById: ReadonlyMap<string, string> }

const { auditColumns: columns } = adminCopy
const cell = 'block min-w-0 align-baseline sm:col-span-full lg:table-cell lg:py-3.5 lg:pl-6 lg:last:pr-6'

/** The entries as a table on the desktop and as cards on the phone, like the users. */
export function AuditTable({ entries, namesById }: Names & { entries: readonly AuditEntry[] }) {
  return (
    <table role="table" className="block w-full table-fixed text-left lg:table">
      <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
        <tr role="row" className="border-b border-line text-sm text-muted">
          {Object.values(columns).map((column) => (
            <th
              key={column}
              role="columnheader"
              className="py-2.5 pl-6 font-medium first:w-50 last:w-62 last:pr-6"
            >
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
  return (
    <tr
      role="row"
      className="grid grid-cols-1 gap-x-6 gap-y-1 px-4 py-4 sm:grid-cols-[1fr_auto] sm:px-6 lg:table-row lg:p-0"
    >
      <td role="cell" className={`${cell} order-last text-sm text-muted sm:col-start-2 sm:row-start-1`}>
        <time dateTime={entry.recorded_at}>{formatDateTime(entry.recorded_at)}</time>
      </td>
      <td role="cell" className={`${cell} wrap-anywhere`} title={entry.actor ?? undefined}>
        <PhoneLabel>{columns.actor}</PhoneLabel>
        {actorInWords(entry, namesById)}
      </td>
      <td role="cell" className={`${cell} -order-1 wrap-anywhere sm:col-end-2`}>
        <span className="font-medium">{actionInWords(entry)}</span>
      </td>
      <td role="cell" className={`${cell} wrap-anywhere`} title={entry.target ?? undefined}>
        <PhoneLabel>{columns.target}</PhoneLabel>
        {target ?? <span className="text-muted">{adminCopy.nobody}</span>}
      </td>
      <td role="cell" className={`${cell} text-sm wrap-anywhere empty:hidden lg:empty:table-cell`}>
        {changeInWords(entry)}
      </td>
    </tr>
  )
}

/** What the heading of the column says where there is none. */
function PhoneLabel({ children }: { children: string }) {
  return <span className="text-sm text-muted lg:hidden">{`${children}: `}</span>
}
