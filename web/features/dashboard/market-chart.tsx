import { ChartNoAxesCombined } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { dashboardCopy } from './copy.ts'

const defaultSymbol = 'NASDAQ:AAPL'
const probeTimeoutMs = 8000

/**
 * The embedded third-party chart. Its host is asked first: a frame tells nobody that it failed, and
 * shows the browser's own error page. Nothing about the user leaves the page.
 */
export function MarketChart() {
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

/** Asks the chart's host once the card comes into view; with no address configured it asks nobody. */
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
