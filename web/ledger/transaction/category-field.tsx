import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { SelectField } from '#ui/form/field.tsx'

const categoryCopy = {
  category: 'Categoría',
  proposedCategory: 'Categoría propuesta',
  noCategory: 'Ninguna',
} as const

type Props = {
  userId: string
  description: string
  /** Under which it is filed already; nothing is proposed in its place. */
  current?: string | null
  /** Whether the form is in use: nothing is read before. */
  isInUse: boolean
}

/**
 * The category of a movement: its own, none, or the one that the description proposes, until another one is chosen. A
 * proposal says that it is one.
 */
export function CategoryField({ userId, description, current = null, isInUse }: Props) {
  const [chosen, setChosen] = useState(current)
  const { data: propose } = useQuery({ ...proposalsQuery(userId), enabled: isInUse })
  const proposed = propose?.(description) ?? ''
  const isProposed = chosen === null && proposed !== ''
  return (
    <>
      <SelectField
        label={isProposed ? categoryCopy.proposedCategory : categoryCopy.category}
        name="category"
        value={chosen ?? proposed}
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">{categoryCopy.noCategory}</option>
        {offered(current).map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <p role="status" className="sr-only">
        {isProposed && `${categoryCopy.proposedCategory}: ${proposed}`}
      </p>
    </>
  )
}

/** Those of an expense, and the one that is there. */
function offered(current: string | null): readonly string[] {
  const isKnown = current === null || expenseCategories.some((known) => known === current)
  return isKnown ? expenseCategories : [...expenseCategories, current]
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
