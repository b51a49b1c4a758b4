import { Card } from '#ui/card.tsx'
import { dashboardCopy } from './copy.ts'

export function NewsCard() {
  return (
    <Card title={dashboardCopy.newsTitle}>
      <ul className="divide-y divide-line px-4 sm:px-6">
        {dashboardCopy.news.map(({ headline, source }) => (
          <li key={headline} className="py-3">
            <p className="leading-snug font-medium">{headline}</p>
            <p className="mt-0.5 text-sm text-muted">{source}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
