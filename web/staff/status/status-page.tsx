import { useQuery } from '@tanstack/react-query'
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import {
  alarmsOf,
  factsOf,
  isAllWell,
  isServed,
  type BankState,
  type ShownAlarm,
} from '@finanzas/contract/operations/facts.ts'
import { AdminHeading } from '#staff/admin-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { statusCopy as copy } from './copy.ts'
import { statusQuery } from './status.ts'

/** The state of the bank: its open alarms with their remedies, the facts, and the alarms that ended in the last day. */
export function StatusPage() {
  const state = useQuery(statusQuery)
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="status" />
      <section aria-label={copy.title} className="rounded-lg border border-line bg-surface p-4 sm:p-6">
        {state.data !== undefined ? (
          <State state={state.data} />
        ) : state.isError ? (
          <RetryLine message={copy.failed} onRetry={() => void state.refetch()} />
        ) : (
          <Spinner label={copy.loading} />
        )}
      </section>
    </>
  )
}

function State({ state }: { state: BankState }) {
  const alarms = alarmsOf(state)
  const open = alarms.filter(({ ended }) => ended === null)
  const over = alarms.filter(({ ended }) => ended !== null)
  return (
    <div className="grid gap-6">
      <p role="status" className="text-lg font-semibold">
        {summaryOf(state)}
      </p>
      {open.length > 0 && <OpenAlarms alarms={open} />}
      <Facts state={state} />
      {over.length > 0 && <EndedAlarms alarms={over} />}
      <p className="text-xs text-muted">{copy.readAt(momentInWords(state.read_at))}</p>
    </div>
  )
}

function summaryOf(state: BankState): string {
  // The number also includes alarms that this release of the page cannot describe.
  const open = state.alarms.filter((alarm) => alarm.ended_at === null).length
  if (open > 0) return copy.open(open)
  if (!isServed(state)) return copy.unserved
  return isAllWell(state) ? copy.well : copy.broken
}

function OpenAlarms({ alarms }: { alarms: readonly ShownAlarm[] }) {
  return (
    <section aria-label={copy.alarms} className="grid gap-3">
      <ul className="grid gap-3">
        {alarms.map(({ code, title, begun, meaning, remedy }, index) => (
          <li
            key={`${code} ${index}`}
            className="grid gap-1 rounded-lg border border-line border-l-4 border-l-danger p-4"
          >
            <h2 className="font-semibold text-danger">{title}</h2>
            <p className="text-sm text-muted">{copy.since(begun)}</p>
            <p>{meaning}</p>
            <p>
              <strong className="font-semibold">{copy.remedy}</strong> {remedy}
            </p>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">{copy.forOperator}</p>
    </section>
  )
}

function Facts({ state }: { state: BankState }) {
  return (
    <section aria-label={copy.facts}>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {factsOf(state).map(({ label, lines }) => (
          <div key={label} className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
            <dt className="text-sm text-muted">{label}</dt>
            {lines.map((line) => (
              <dd key={line} className="min-w-0 text-sm sm:col-start-2">
                {line}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

function EndedAlarms({ alarms }: { alarms: readonly ShownAlarm[] }) {
  return (
    <section aria-label={copy.over}>
      <h2 className="text-sm font-semibold">{copy.over}</h2>
      <ul className="mt-2 grid gap-1 text-sm">
        {alarms.map(({ code, title, begun, ended }, index) => (
          <li key={`${code} ${index}`}>
            {title} <span className="text-muted">{copy.ended(begun, ended ?? '')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
