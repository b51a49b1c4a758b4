import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ExpenseCategory, expenseCategories } from '@finanzas/contract/categories.ts'
import { dataKeys } from '#data/queries.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { SelectField } from '#ui/form/field.tsx'
import { categorizationCopy } from './copy.ts'

const categoryCopy = {
  category: 'Categoría',
  proposedCategory: 'Categoría propuesta',
} as const

type Props = {
  userId: string
  description: string
  /**
   * The saved description of an existing transaction. The field does not propose a category while the description is
   * unchanged.
   */
  kept?: string
  /** The saved category. A proposal never replaces the saved category. */
  current?: string | null
  /**
   * The category to use if none is proposed or chosen. If a fallback is given, the user cannot leave the field empty.
   */
  fallback?: ExpenseCategory
  /** Whether the user has started to use the form. Before the first use, the field fetches no data. */
  isInUse: boolean
}

/**
 * Field for the category of a transaction. The field shows the chosen or saved category. If no category is chosen or
 * saved, it shows the category that is proposed for the description, or else the fallback. The label says whether the
 * category is only a proposal.
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
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <p role="status" className="sr-only">
        {isProposed && `${categoryCopy.proposedCategory}: ${proposed}`}
      </p>
    </>
  )
}

/**
 * Returns the categories to offer: the predefined categories, the customer's own categories and the current category.
 */
export function offered(own: readonly string[], current: string | null): readonly string[] {
  return [
    ...new Set([...expenseCategories, ...own, ...(current === null || current === '' ? [] : [current])]),
  ]
}

const proposalsReader = lazyCode(() => import('./proposals.ts'), 'readProposals')

/**
 * Prepares the proposals from a single read of limited size. When the form is first used, the read starts and the code
 * for proposals is loaded.
 */
export function proposalsQuery(userId: string) {
  return queryOptions({
    queryKey: [...dataKeys.categorization(userId), 'proposals'],
    staleTime: Number.POSITIVE_INFINITY,
    // The proposals contain a function, and functions cannot be compared.
    structuralSharing: false,
    queryFn: async ({ client }) => {
      const readProposals = await proposalsReader.load()
      return readProposals(client, userId)
    },
  })
}
