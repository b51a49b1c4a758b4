import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { SelectField } from '#ui/form/field.tsx'

type Props = {
  userId: string
  description: string
  /** Whether the form is in use: nothing is read before. */
  isInUse: boolean
}

/**
 * The category of a new expense: none, or the one that the description proposes, until another one is chosen. A proposal
 * says that it is one.
 */
export function CategoryField({ userId, description, isInUse }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { data: propose } = useQuery({ ...proposalsQuery(userId), enabled: isInUse })
  const proposed = propose?.(description) ?? ''
  const isProposed = chosen === null && proposed !== ''
  return (
    <>
      <SelectField
        label={isProposed ? dashboardCopy.proposedCategory : dashboardCopy.category}
        name="category"
        value={chosen ?? proposed}
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">{dashboardCopy.noCategory}</option>
        {expenseCategories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <p role="status" className="sr-only">
        {isProposed && `${dashboardCopy.proposedCategory}: ${proposed}`}
      </p>
    </>
  )
}

/** Made of one bounded reading, when the form is first used; its code comes then too. */
export function proposalsQuery(userId: string) {
  return queryOptions({
    queryKey: ['ledger', userId, 'proposals'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { readProposals } = await import('./proposals.ts')
      return readProposals(userId)
    },
  })
}
