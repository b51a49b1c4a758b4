import type { ComponentProps, ReactNode } from 'react'

type Column = Omit<ComponentProps<'th'>, 'children'> & {
  name: string
  /** The content of the header, which is the name by default. */
  header?: ReactNode
}

type Props = {
  columns: readonly Column[]
  caption?: ReactNode
  className?: string
  headClassName?: string
  /** Classes of the row with the headers. */
  headersClassName?: string
  bodyClassName?: string
  /** The rows, each a `Row` with `Cell`s. */
  children: ReactNode
}

/**
 * A table. Rows may become cards on a phone, so the roles are explicit: browsers drop a table's implicit roles when its
 * `display` changes.
 */
export function Table(props: Props) {
  const { columns, caption, className, headClassName, headersClassName, bodyClassName, children } = props
  return (
    <table role="table" className={className}>
      {caption}
      <thead role="rowgroup" className={headClassName}>
        <Row className={headersClassName}>
          {columns.map(({ name, header = name, ...column }) => (
            <th key={name} role="columnheader" scope="col" {...column}>
              {header}
            </th>
          ))}
        </Row>
      </thead>
      <tbody role="rowgroup" className={bodyClassName}>
        {children}
      </tbody>
    </table>
  )
}

export function Row(props: ComponentProps<'tr'>) {
  return <tr role="row" {...props} />
}

export function Cell(props: ComponentProps<'td'>) {
  return <td role="cell" {...props} />
}

/** The cell that names its row. */
export function RowHeader(props: ComponentProps<'th'>) {
  return <th role="rowheader" scope="row" {...props} />
}
