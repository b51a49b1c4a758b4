import { Card } from '#ui/card.tsx'
import { dashboardCopy } from './copy.ts'

export function NewsCard({ className }: { className: string }) {
  return (
    <Card title={dashboardCopy.newsTitle} className={className}>
      <ul className="grid flex-1 auto-rows-fr divide-y divide-line px-4 sm:px-6">
        {dashboardCopy.news.map(({ headline, source }) => (
          <li key={headline} className="grid content-center py-3.5">
            <p className="leading-snug font-medium text-pretty lg:text-lg">{headline}</p>
            <p className="mt-1 text-sm text-muted">{source}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
