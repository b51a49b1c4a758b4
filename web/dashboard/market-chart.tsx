import { ChartNoAxesCombined } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { configuration } from '#api/configuration.ts'

/** These strings are not in copy.ts, so that the dashboard does not load them with the page. */
const copy = {
  title: 'Gráfico diario de Apple (NASDAQ:AAPL)',
  loading: 'Cargando gráfico…',
  source: 'Apple en TradingView',
  unavailable: 'El gráfico no está disponible en este momento.',
} as const

const defaultSymbol = 'NASDAQ:AAPL'
const tradingViewPage = 'https://www.tradingview.com/symbols/NASDAQ-AAPL/'
const probeTimeoutMs = 8000

/**
 * The embedded third-party chart. The page first probes the chart's host, because a frame does not report a failure and
 * would show the browser's error page. The page does not send any data about the user to the host.
 */
export function MarketChart() {
  const { chartUrl } = configuration()
  const address = chartUrl.replace('{symbol}', encodeURIComponent(defaultSymbol))
  const frame = useRef<HTMLDivElement>(null)
  const state = useProbe(frame, address)
  const [isDrawn, setIsDrawn] = useState(false)

  return (
    <>
      {state === 'unavailable' ? (
        <p className="flex min-h-24 items-center justify-center gap-4 rounded-md bg-sunken px-6 text-sm text-muted">
          <ChartNoAxesCombined aria-hidden="true" className="size-6 shrink-0" strokeWidth={1.5} />
          {copy.unavailable}
        </p>
      ) : (
        <div
          ref={frame}
          className={`relative grid overflow-hidden rounded-md bg-sunken ${state === 'available' ? 'h-72' : 'h-24'}`}
        >
          {!isDrawn && (
            <p className="absolute inset-0 grid place-items-center text-sm text-muted">{copy.loading}</p>
          )}
          {state === 'available' && (
            <iframe
              title={copy.title}
              src={address}
              sandbox="allow-scripts allow-same-origin allow-popups"
              referrerPolicy="no-referrer"
              loading="lazy"
              className="relative size-full border-0"
              onLoad={() => setIsDrawn(true)}
            />
          )}
        </div>
      )}
      {isTradingView(chartUrl) && (
        <a
          href={tradingViewPage}
          target="_blank"
          rel="noreferrer"
          className="mt-3 inline-flex min-h-11 items-center text-sm font-medium text-primary underline underline-offset-4"
        >
          {copy.source}
        </a>
      )}
    </>
  )
}

/**
 * Returns whether the chart comes from TradingView, which requires attribution. The operator may configure another
 * service.
 */
function isTradingView(chartUrl: string): boolean {
  return URL.canParse(chartUrl) && /(^|\.)tradingview(-widget)?\.com$/.test(new URL(chartUrl).hostname)
}

/** Probes the chart's host when the card scrolls into view. Does not send a request if no chart URL is configured. */
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
