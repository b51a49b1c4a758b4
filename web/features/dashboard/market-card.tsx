import { TrendingDown, TrendingUp } from 'lucide-react'
import { Card } from '#ui/card.tsx'
import { dashboardCopy } from './copy.ts'
import { MarketChart } from './market-chart.tsx'

export function MarketCard({ className }: { className: string }) {
  return (
    <Card title={dashboardCopy.marketTitle} className={className}>
      <ul className="grid grid-cols-2 gap-px overflow-hidden border-b border-line bg-line sm:grid-cols-5">
        {dashboardCopy.market.map(({ name, change, isUp }) => (
          <li key={name} className="bg-surface px-4 py-3.5 sm:px-6 last:col-span-2 sm:last:col-span-1">
            <p className="text-sm text-muted">{name}</p>
            <p
              className={`figures mt-0.5 flex items-center gap-1.5 font-semibold ${isUp ? 'text-positive' : 'text-danger'}`}
            >
              {isUp ? (
                <TrendingUp aria-hidden="true" className="size-4" />
              ) : (
                <TrendingDown aria-hidden="true" className="size-4" />
              )}
              {change}
            </p>
          </li>
        ))}
      </ul>
      <div className="p-4 sm:p-6">
        <MarketChart />
      </div>
    </Card>
  )
}
