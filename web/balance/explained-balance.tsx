import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { RetryLine } from '#ui/retry-line.tsx'
import { BalanceSum } from './balance-sum.tsx'
import { balanceCopy } from './copy.ts'
import type { explanationQuery } from './explanation.ts'
import { BalanceProof } from './proof.tsx'

type Props = Pick<ComponentProps<typeof BalanceProof>, 'readPages' | 'copy'> & {
  query: ReturnType<typeof explanationQuery>
  /** Content shown between the sums and the verification button. */
  children?: ReactNode
}

/** Shows the sums that add up to the balance, and a button that verifies these sums. */
export function ExplainedBalance({ query, readPages, copy = balanceCopy, children }: Props) {
  const client = useQueryClient()
  const explanation = useQuery(query)
  if (explanation.data !== undefined) {
    return (
      <div className="grid gap-6">
        <BalanceSum explanation={explanation.data} copy={copy} />
        {children}
        <BalanceProof
          explain={() => client.fetchQuery({ ...query, staleTime: 0 })}
          readPages={readPages}
          copy={copy}
        />
      </div>
    )
  }
  if (explanation.isError)
    return <RetryLine message={copy.loadFailed} onRetry={() => void explanation.refetch()} />
  return (
    <div aria-hidden="true" className="grid min-h-108 content-start gap-4 sm:min-h-92">
      {Object.keys(balanceCopy.parts).map((part) => (
        <div key={part} className="skeleton h-5" />
      ))}
    </div>
  )
}
