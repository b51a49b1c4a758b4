import type { ReactNode } from 'react'
import { Card } from '#ui/card.tsx'
import './upload.css'

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
      <ul>{rows.map(children)}</ul>
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
    <li className="file-past">
      <span className="file-past-name">
        {name}
        <span className="block text-sm text-muted wrap-anywhere">{details}</span>
      </span>
      {children}
    </li>
  )
}
