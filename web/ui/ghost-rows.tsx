import type { ComponentProps, ReactNode } from 'react'
import { RetryLine } from './retry-line.tsx'
import { Spinner } from './spinner.tsx'

type Props = {
  count?: number
  /** CSS class for the height of each row, which must equal the height of the row that will replace it. */
  rowClass?: string
  /** Content that is shown in the middle of the rows. */
  children?: ReactNode
}

/** Placeholder rows without text, for a list that is being read or could not be read. */
export function GhostRows({ count = 8, rowClass = 'min-h-11', children }: Props) {
  return (
    <div className="relative">
      <div aria-hidden="true" className="ghosts divide-y divide-line">
        {Array.from({ length: count }, (_, row) => (
          <div key={row} className={`flex items-center gap-4 ${rowClass}`}>
            <span className="skeleton size-8 rounded-full" />
            <span className="skeleton h-4 w-2/5" />
            <span className="skeleton ml-auto h-4 w-20" />
          </div>
        ))}
      </div>
      <div className="absolute inset-0 grid place-items-center">{children}</div>
    </div>
  )
}

type UnreadProps = {
  query: { isError: boolean; refetch: () => unknown }
  loading: string
  message: string
}

/** Card that is shown instead of content that is being read or could not be read. */
export function UnreadCard(props: UnreadProps) {
  return (
    <div className="rounded-lg border border-line bg-surface px-4 sm:px-6">
      <UnreadRows look="block" {...props} />
    </div>
  )
}

type UnreadRowsProps = UnreadProps & Omit<Props, 'children'> & Pick<ComponentProps<typeof RetryLine>, 'look'>

/** Placeholder rows with a spinner while a list is being read, or with a retry button after a failure. */
export function UnreadRows({ query, loading, message, look, ...rows }: UnreadRowsProps) {
  return (
    <GhostRows {...rows}>
      {query.isError ? (
        <RetryLine look={look} message={message} onRetry={() => void query.refetch()} />
      ) : (
        <Spinner size="medium" label={loading} />
      )}
    </GhostRows>
  )
}
