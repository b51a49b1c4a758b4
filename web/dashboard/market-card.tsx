import { TrendingDown, TrendingUp } from 'lucide-react'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { Card } from '#ui/card.tsx'
import { dashboardCopy } from './copy.ts'

const marketChart = lazyCode(() => import('./market-chart.tsx'), 'MarketChart')

/** Card with market prices. The third-party chart loads after the page, which reserves space for it. */
export function MarketCard({ className }: { className: string }) {
  const { data: MarketChart } = useLazyCode(marketChart)
  return (
    <Card title={dashboardCopy.marketTitle} className={className}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(max(30%,6rem),1fr))] gap-px overflow-hidden border-b border-line sm:max-lg:grid-cols-5">
        {dashboardCopy.market.map(({ name, change, isUp }) => {
          const Icon = isUp ? TrendingUp : TrendingDown
          return (
            <li key={name} className="-mr-px -mb-px border-r border-b border-line px-4 py-3">
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
        {MarketChart === undefined ? <div className="h-24 rounded-md bg-sunken" /> : <MarketChart />}
      </div>
    </Card>
  )
}
