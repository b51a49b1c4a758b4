import type { ReactNode } from 'react'
import { Card } from '#ui/card.tsx'

type Props<Row> = {
  title: string
  rows: readonly Row[]
  /** Renders a `PastRow`. */
  children: (row: Row) => ReactNode
}

/** Lists the latest uploads. Renders nothing if the list is empty. */
export function PastUploads<Row>({ title, rows, children }: Props<Row>) {
  if (rows.length === 0) return null
  return (
    <Card title={title}>
      <ul className="divide-y divide-line">{rows.map(children)}</ul>
    </Card>
  )
}

type RowProps = {
  name: ReactNode
  details: ReactNode
  /** The upload's state, or an action on the upload. */
  children: ReactNode
}

export function PastRow({ name, details, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5 sm:px-6">
      <span className="min-w-0 flex-[1_1_9rem]">
        {name}
        <span className="block text-sm text-muted wrap-anywhere">{details}</span>
      </span>
      {children}
    </li>
  )
}
