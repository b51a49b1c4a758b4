import { queryOptions } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { fold } from '#format/text.ts'
import { ledgerKeys, untilRead } from '#ledger/queries.ts'

/** A rule: expenses whose description contains the text get the category. */
export type CategoryRule = {
  id: string
  contains: string
  category: string
  /** Number of transactions that the last application changed, or `null` before the first application. */
  entries: number | null
  /** Number of the first edit of the last application, or `null` before the first application. */
  first_seq: number | null
  /** Time at which the user undid the last application, or `null`. */
  undone_at: string | null
}

/** A customer's own categories, and their rules in the order of application. */
export type Categorization = { categories: readonly string[]; rules: readonly CategoryRule[] }

export const ruleColumns = 'id,contains,category,entries,first_seq,undone_at'

export function categorizationQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: ledgerKeys.categorization(userId),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Categorization> => {
      const client = await backend()
      const [categories, rules] = await Promise.all([
        client.from('categories').select('name').eq('user_id', userId).order('name').abortSignal(signal),
        client
          .from('category_rules')
          .select(ruleColumns)
          .eq('user_id', userId)
          .order('position')
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ])
      return { categories: unwrap(categories).map(({ name }) => name), rules: unwrap(rules) }
    },
  })
}

/** Returns a function that finds the category of the first matching rule, or an empty text. */
export function rulingOf(rules: readonly Pick<CategoryRule, 'contains' | 'category'>[]) {
  const wanted = rules.map(({ contains, category }) => ({ text: fold(contains), category }))
  return (description: string): string => {
    if (wanted.length === 0) return ''
    const line = fold(description)
    return wanted.find(({ text }) => line.includes(text))?.category ?? ''
  }
}

const textLengthMax = 60
/** A text with fewer letters is not specific enough for a rule. */
const lettersMin = 3

/**
 * Returns the text of a rule for similar descriptions: the part before the first figure, `Panadería` for `Panadería
 * 31`.
 */
export function ruleText(description: string): string {
  const [before = ''] = description.split(/[\s#*.:-]*\p{N}/u)
  const hasEnough = (before.match(/\p{L}/gu) ?? []).length >= lettersMin
  const text = (hasEnough ? before : description).trim()
  return text.length <= textLengthMax ? text : text.slice(0, textLengthMax).replace(/\s+\S*$/, '')
}
