import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ExpenseCategory, expenseCategories } from '@finanzas/contract/categories.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { SelectField } from '#ui/form/field.tsx'
import { categorizationCopy } from './copy.ts'

const categoryCopy = {
  category: 'Categoría',
  proposedCategory: 'Categoría propuesta',
} as const

type Props = {
  userId: string
  description: string
  /** The description that it has already: nothing is proposed for it. */
  kept?: string
  /** The present category, which no proposal replaces. */
  current?: string | null
  /** Category where nothing is proposed or chosen. Without a fallback the field also offers no category. */
  fallback?: ExpenseCategory
  /** Whether the form is in use; the field reads nothing before. */
  isInUse: boolean
}

/**
 * The category of a transaction: the chosen one, else the one that the description proposes, else the fallback. A
 * proposal is labelled as one.
 */
export function CategoryField({ userId, description, kept, current = null, fallback, isInUse }: Props) {
  const [chosen, setChosen] = useState(current)
  const { data } = useQuery({ ...proposalsQuery(userId), enabled: isInUse })
  const proposed = description === kept ? '' : (data?.propose(description) ?? '')
  const isProposed = chosen === null && proposed !== ''
  const category = (chosen ?? proposed) || (fallback ?? '')
  return (
    <>
      <SelectField
        label={isProposed ? categoryCopy.proposedCategory : categoryCopy.category}
        name="category"
        value={category}
        onChange={(event) => setChosen(event.target.value)}
      >
        {fallback === undefined && <option value="">{categorizationCopy.noCategory}</option>}
        {offered(data?.categories ?? [], category).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <p role="status" className="sr-only">
        {isProposed && `${categoryCopy.proposedCategory}: ${proposed}`}
      </p>
    </>
  )
}

/** The product's, the customer's own, and the one that is there. */
export function offered(own: readonly string[], current: string | null): readonly string[] {
  return [
    ...new Set([...expenseCategories, ...own, ...(current === null || current === '' ? [] : [current])]),
  ]
}

/** Proposals from one bounded read at the first use of the form, which also loads their code. */
export function proposalsQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.categorization(userId), 'proposals'],
    staleTime: Number.POSITIVE_INFINITY,
    // Kept as it is: its function is not to be compared.
    structuralSharing: false,
    queryFn: async ({ client }) => {
      const { readProposals } = await import('./proposals.ts')
      return readProposals(client, userId)
    },
  })
}
