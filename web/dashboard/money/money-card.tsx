import { useQuery } from '@tanstack/react-query'
import { Link } from '#ui/address/link.tsx'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { failureMessage, lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { useDeferredArrival } from '#ui/use-deferred-arrival.ts'
import { moneyCopy } from './copy.ts'

/** The charts' code loads after the page is on screen, and only if there are data to draw. */
const moneyPictures = lazyCode(() => import('./money-pictures.tsx'), 'MoneyPictures')

type Props = { userId: string; now: Date; className: string }

/** Charts of the customer's money over time. The charts load after the page, which reserves space for them. */
export function MoneyCard({ userId, now, className }: Props) {
  const sums = useQuery(dashboardSumsQuery(userId, now))
  const isEmpty = sums.data?.balanceMinor === 0 && sums.data.months.every(({ parts }) => parts.length === 0)
  const pictures = useLazyCode(moneyPictures, sums.data !== undefined && !isEmpty)
  const readings = [sums, pictures]
  const isThere = sums.data !== undefined && pictures.data !== undefined
  const drawn = useDeferredArrival(isThere ? { sums: sums.data, Pictures: pictures.data } : undefined)

  return (
    <Card
      title={moneyCopy.title}
      className={className}
      action={
        <Link to="/resumen" className={`${buttonClass({ variant: 'quiet' })} -mr-3`}>
          {moneyCopy.seeOverview}
        </Link>
      }
    >
      {/* The element has the height of the charts, so that the layout does not shift when they load. */}
      <div className={`p-4 sm:p-6 ${isEmpty ? '' : 'min-h-194 sm:min-h-188'}`}>
        {isEmpty ? (
          <p className="text-center text-muted">{moneyCopy.empty}</p>
        ) : drawn !== undefined ? (
          <drawn.Pictures
            sums={drawn.sums}
            limitMinor={drawn.sums.monthlyLimit === null ? null : minorFromDecimal(drawn.sums.monthlyLimit)}
            now={now}
          />
        ) : !isThere && readings.some(({ isError }) => isError) ? (
          <RetryLine
            message={failureMessage(pictures.error, '—')}
            onRetry={() => readings.forEach(({ isError, refetch }) => isError && void refetch())}
          />
        ) : (
          <Skeleton />
        )}
      </div>
    </Card>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="grid gap-4">
      <div className="skeleton h-8 w-40" />
      {['15rem', '11rem'].map((height) => (
        <div key={height} className="skeleton" style={{ height }} />
      ))}
    </div>
  )
}
