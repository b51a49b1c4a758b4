import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasFeature, hasRequestQueue } from '#api/configuration.ts'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { BalancesSentence } from '#staff/bank/balances-sentence.tsx'
import { bankQuery } from '#staff/bank/bank.ts'
import { bankCopy } from '#staff/bank/copy.ts'
import { clearingQuery } from '#staff/clearing/clearing.ts'
import { Amount } from '#staff/orders/amount.tsx'
import { expiryInWords } from '#staff/orders/expiry.ts'
import { Consequences, Signs } from '#staff/orders/grounds.tsx'
import { People, useRequestName } from '#staff/orders/people.tsx'
import { linkedParameter, waitingQuery, type Queued } from '#staff/orders/requests.ts'
import { statusQuery } from '#staff/status/status.ts'
import { usersInWords } from '#staff/users/copy.ts'
import { userCountsQuery } from '#staff/users/users.ts'
import { Link } from '#ui/address/link.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { linkClass } from '#ui/page-heading.tsx'
import { Plate } from '#ui/plate.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { todayCopy as copy } from './copy.ts'
import { dayQuery } from './day.ts'
import './today.css'

/**
 * The work of an administrator today: the most urgent requests, other work, the sum that the bank owes, and the
 * administrator's own acts.
 */
export function Today() {
  return (
    <div className="today">
      <div className="grid min-w-0 content-start gap-4">
        {hasRequestQueue() && <WaitingCard />}
        <AttendCard />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <DebtPlate />
        <DayCard />
      </div>
    </div>
  )
}

/** Number of requests that the card shows. */
const shownMax = 2

/** The requests that expire first of those that were read. The page of the requests orders them by their risk. */
function WaitingCard() {
  const waiting = useQuery(waitingQuery)
  const { requests = [], total = 0, sumMinor, firstExpiresAt = null } = waiting.data ?? {}
  const now = new Date(waiting.dataUpdatedAt)
  const urgent = requests.toSorted((one, other) => (one.expires_at < other.expires_at ? -1 : 1))
  const [first] = urgent
  return (
    <Card
      title={waiting.data === undefined ? copy.waitingTitle : copy.waiting(total)}
      action={
        sumMinor !== undefined &&
        firstExpiresAt !== null && (
          <p className="today-sum">
            <MoneyText>{displayedMinor(sumMinor)}</MoneyText>
            {` · ${copy.first(expiryInWords(firstExpiresAt, now))}`}
          </p>
        )
      }
    >
      {first === undefined ? (
        <Nothing query={waiting} />
      ) : (
        <>
          <ul className="divide-y divide-line">
            {urgent.slice(0, shownMax).map((request) => (
              <Waiting key={request.id} request={request} />
            ))}
          </ul>
          <p className="flex flex-wrap items-center gap-x-4 border-t border-line px-4 text-sm text-muted sm:px-6">
            {total > requests.length && <span>{copy.ofRiskiest(requests.length)}</span>}
            <Link to="/admin/solicitudes" className={linkClass}>
              {copy.all}
            </Link>
          </p>
        </>
      )}
    </Card>
  )
}

type Read = { isPending: boolean; isError: boolean; refetch: () => unknown }

function Nothing({ query }: { query: Read }) {
  if (query.isPending) return <Spinner label={copy.loading} />
  return (
    <div className="px-4 py-4 text-muted sm:px-6">
      {query.isError ? (
        <RetryLine message={copy.unread} onRetry={() => void query.refetch()} />
      ) : (
        copy.nothingWaiting
      )}
    </div>
  )
}

function Waiting({ request }: { request: Queued }) {
  const object = useRequestName(request)
  return (
    <li className="px-4 py-3 text-sm sm:px-6">
      <div className="today-request">
        <div className="grid min-w-0 gap-1">
          <div>
            <People request={request} />
          </div>
          <Signs request={request} />
          <Consequences request={request} />
        </div>
        <div className="@container grid content-start justify-items-end gap-2">
          <Amount className="font-semibold">{request.amountMinor}</Amount>
          <Link
            to={`/admin/solicitudes?${linkedParameter}=${request.id}`}
            aria-label={copy.reviewOf(object)}
            className={buttonClass({ variant: 'outline', size: 'small' })}
          >
            {copy.review}
          </Link>
        </div>
      </div>
    </li>
  )
}

/** Other work that waits, one line for each kind. A kind without work has no line. */
function AttendCard() {
  const status = useQuery(statusQuery)
  const users = useQuery(userCountsQuery)
  const clearing = useQuery({ ...clearingQuery, enabled: hasFeature('transferencias') })
  const day = useQuery(dayQuery)
  const lines = [
    ['alarms', '/admin/estado', status.data?.alarms.filter((alarm) => alarm.ended_at === null).length],
    ['clearing', '/admin/solicitudes?vista=compensacion', clearing.data?.waiting],
    ['overdrawn', '/admin?mostrar=negativo', users.data?.overdrawn],
    ['blocked', '/admin?mostrar=bloqueados', users.data?.blocked],
    ['unanswered', `/admin/abonos?lote=${day.data?.unanswered_batch}`, day.data?.unanswered],
    ['unconfirmed', '/admin?mostrar=sin-confirmar', users.data?.unconfirmed],
  ] as const
  const found = lines.flatMap(([name, to, count]) =>
    (count ?? 0) > 0 ? [{ name, to, count: usersInWords(count ?? 0) }] : [],
  )
  const reads = [status, users, day, ...(hasFeature('transferencias') ? [clearing] : [])]
  return (
    <Card title={copy.attend}>
      <ul className="divide-y divide-line">
        {found.map(({ name, to, count }) => (
          <li key={name}>
            <Link to={to} className="flex min-h-11 items-center justify-between gap-4 px-4 py-2 sm:px-6">
              <span className="min-w-0 wrap-anywhere">{copy.lines[name]}</span>
              <span className="font-semibold">{count}</span>
            </Link>
          </li>
        ))}
        <AttendRest reads={reads} isEmpty={found.length === 0} />
      </ul>
    </Card>
  )
}

function AttendRest({ reads, isEmpty }: { reads: readonly Read[]; isEmpty: boolean }) {
  const line = (words: ReactNode) => <li className="px-4 py-3 text-muted sm:px-6">{words}</li>
  const failed = reads.filter(({ isError }) => isError)
  if (failed.length > 0)
    return line(
      <RetryLine message={copy.failed} onRetry={() => failed.forEach((read) => void read.refetch())} />,
    )
  if (reads.some(({ isPending }) => isPending)) return line(<Spinner size="small" label={copy.attend} />)
  return isEmpty ? line(copy.nothing) : null
}

/** The sum that the bank owes its customers, and how it differs from the sum of the balances. */
function DebtPlate() {
  const { data: bank, isError, refetch } = useQuery(bankQuery)
  if (bank === undefined && !isError) return null
  return (
    <Plate
      aria-label={copy.owed}
      rosette="-top-20 -right-24 size-80"
      className="grid content-start gap-1 p-5 sm:p-6"
    >
      {bank === undefined ? (
        <>
          <h2 className="text-sm">{copy.owed}</h2>
          <RetryLine look="block" message={bankCopy.failed} onRetry={() => void refetch()} />
        </>
      ) : (
        <>
          <h2 className="text-sm">{`${copy.owed} · ${bankCopy.customers(bank.customers)}`}</h2>
          <p className="@container text-2xl font-semibold">
            <MoneyText>{displayedMinor(bank.owedMinor)}</MoneyText>
          </p>
          <BalancesSentence sums={bank} className="text-sm text-on-vault-muted" />
        </>
      )}
      <Link to="/admin?vista=deuda" className="inline-flex min-h-11 items-center text-sm hover:underline">
        {copy.days}
      </Link>
    </Plate>
  )
}

/** The administrator's acts of today by kind, and the amount that is left without a second administrator. */
function DayCard() {
  const { data: day, isError, refetch } = useQuery(dayQuery)
  if (day === undefined)
    return isError ? (
      <Card title={copy.day.title}>
        <div className="px-4 py-4 sm:px-6">
          <RetryLine onRetry={() => void refetch()} />
        </div>
      </Card>
    ) : null
  const lines = [
    ['deposits', day.deposits, day.deposited],
    ['expenses', day.expenses, day.spent],
    ['corrections', day.corrections, null],
    ['batches', day.batches, day.batched],
    ['decisions', day.decisions, null],
    ['others', day.others, null],
  ] as const
  const done = lines.filter(([, count]) => count > 0)
  return (
    <Card title={copy.day.title}>
      <ul className="divide-y divide-line">
        {done.map(([name, count, amount]) => (
          <li
            key={name}
            className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-4 py-2 sm:px-6"
          >
            <span className="min-w-0 wrap-anywhere">{copy.day.lines[name](count)}</span>
            {amount !== null && <MoneyText className="font-semibold">{displayedMoney(amount)}</MoneyText>}
          </li>
        ))}
        {done.length === 0 && <li className="px-4 py-3 text-muted sm:px-6">{copy.day.nothing}</li>}
      </ul>
      <p className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 text-sm text-muted sm:px-6">
        {day.left_alone !== null && (
          <span className="py-2">
            <MoneyText within={copy.day.left}>{displayedMoney(day.left_alone)}</MoneyText>
          </span>
        )}
        <Link to="/admin?vista=registro" className={linkClass}>
          {copy.day.register}
        </Link>
      </p>
    </Card>
  )
}
