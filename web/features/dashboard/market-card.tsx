import { ChartNoAxesCombined, TrendingDown, TrendingUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { Card } from '#ui/card.tsx'
import { dashboardCopy } from './copy.ts'

export function MarketCard({ className }: { className: string }) {
  return (
    <Card title={dashboardCopy.marketTitle} className={className}>
      <ul className="grid grid-cols-2 gap-px overflow-hidden border-b border-line bg-line sm:grid-cols-5">
        {dashboardCopy.market.map(({ name, change, isUp }) => {
          const Icon = isUp ? TrendingUp : TrendingDown
          return (
            <li key={name} className="bg-surface px-4 py-3.5 sm:px-6 last:col-span-2 sm:last:col-span-1">
              <p className="text-sm text-muted">{name}</p>
              <p
                className={`figures mt-0.5 flex items-center gap-1.5 font-semibold ${isUp ? 'text-positive' : 'text-danger'}`}
              >
                <Icon aria-hidden="true" className="size-4" />
                {change}
              </p>
            </li>
          )
        })}
      </ul>
      <div className="p-4 sm:p-6">
        <MarketChart />
      </div>
    </Card>
  )
}

const defaultSymbol = 'NASDAQ:AAPL'
const probeTimeoutMs = 8000

/**
 * The embedded third-party chart. Its host is asked first: a frame has no event for a failure, and
 * shows the browser's own error page. Nothing about the user leaves the page.
 */
function MarketChart() {
  const { chartUrl } = configuration()
  const address = chartUrl.replace('{symbol}', encodeURIComponent(defaultSymbol))
  const frame = useRef<HTMLDivElement>(null)
  const state = useProbe(frame, address)

  if (state === 'unavailable') {
    return (
      <p className="flex min-h-24 items-center justify-center gap-4 rounded-md bg-sunken px-6 text-sm text-muted">
        <ChartNoAxesCombined aria-hidden="true" className="size-6 shrink-0" strokeWidth={1.5} />
        {dashboardCopy.chartUnavailable}
      </p>
    )
  }
  return (
    <div ref={frame} className="h-96 overflow-hidden rounded-md bg-sunken">
      {state === 'available' && (
        <iframe
          title={dashboardCopy.chartTitle}
          src={address}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
          loading="lazy"
          className="size-full border-0"
        />
      )}
    </div>
  )
}

/** Asks the chart's host once the card comes into view; without a configured address there is no request. */
function useProbe(element: { current: Element | null }, address: string) {
  const [state, setState] = useState<'waiting' | 'available' | 'unavailable'>(
    address === '' ? 'unavailable' : 'waiting',
  )
  useEffect(() => {
    if (address === '' || element.current === null) return undefined
    const leaving = new AbortController()
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(probeTimeoutMs)])
      fetch(address, {
        mode: 'no-cors',
        referrerPolicy: 'no-referrer',
        signal,
      }).then(
        () => setState('available'),
        () => {
          if (!leaving.signal.aborted) setState('unavailable')
        },
      )
    })
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      leaving.abort()
    }
  }, [address, element])
  return state
}
