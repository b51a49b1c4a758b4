import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ExpenseCategory, expenseCategories } from '@finanzas/contract/categories.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { lazyCode } from '#lazy/lazy.ts'
import { SelectField } from '#ui/form/field.tsx'
import { categorizationCopy } from './copy.ts'

const categoryCopy = {
  category: 'Categoría',
  proposedCategory: 'Categoría propuesta',
} as const

type Props = {
  userId: string
  description: string
  /** The saved description of an existing transaction. The field proposes no category for this description. */
  kept?: string
  /** The saved category, which no proposal replaces. */
  current?: string | null
  /** The category if nothing is proposed or chosen. With a fallback the user cannot leave the field empty. */
  fallback?: ExpenseCategory
  /** Whether the form is in use. The field reads nothing until the form is in use. */
  isInUse: boolean
}

/**
 * Field for the category of a transaction. It shows the chosen or saved category, or else the category proposed for
 * the description, or else the fallback. The label marks a proposal.
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

/** Returns the product's categories, the customer's own, and the current one. */
export function offered(own: readonly string[], current: string | null): readonly string[] {
  return [
    ...new Set([...expenseCategories, ...own, ...(current === null || current === '' ? [] : [current])]),
  ]
}

const proposalsReader = lazyCode(() => import('./proposals.ts'), 'readProposals')

/**
 * Makes proposals from one bounded read. The first use of the form starts the read, and loads the code of proposals.
 */
export function proposalsQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.categorization(userId), 'proposals'],
    staleTime: Number.POSITIVE_INFINITY,
    // The proposals contain a function, which cannot be compared.
    structuralSharing: false,
    queryFn: async ({ client }) => {
      const readProposals = await proposalsReader.load()
      return readProposals(client, userId)
    },
  })
}
