import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { fold } from '#ui/format/text.ts'
import { dataKeys, untilRead } from '#data/queries.ts'

/** A rule assigns its category to expenses whose description contains its text. */
export type CategoryRule = Pick<
  Database['public']['Tables']['category_rules']['Row'],
  'id' | 'contains' | 'category' | 'entries' | 'first_seq' | 'undone_at'
>

/** A customer's own categories, and the customer's rules in the order in which they are tried. */
export type Categorization = { categories: readonly string[]; rules: readonly CategoryRule[] }

export const ruleColumns = 'id,contains,category,entries,first_seq,undone_at'

export function categorizationQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: dataKeys.categorization(userId),
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

/** Returns a function that maps a description to the category of the first matching rule, or to an empty string. */
export function rulingOf(rules: readonly Pick<CategoryRule, 'contains' | 'category'>[]) {
  const wanted = rules.map(({ contains, category }) => ({ text: fold(contains), category }))
  return (description: string): string => {
    if (wanted.length === 0) return ''
    const line = fold(description)
    return wanted.find(({ text }) => line.includes(text))?.category ?? ''
  }
}

const textLengthMax = 60
/** Minimum number of letters in the text of a rule, because a shorter text is not specific enough. */
const lettersMin = 3

/**
 * Returns a rule text that matches similar descriptions: the part before the first digit, for example `Panadería` for
 * `Panadería 31`.
 */
export function ruleText(description: string): string {
  const [before = ''] = description.split(/[\s#*.:-]*\p{N}/u)
  const hasEnough = (before.match(/\p{L}/gu) ?? []).length >= lettersMin
  const text = (hasEnough ? before : description).trim()
  return text.length <= textLengthMax ? text : text.slice(0, textLengthMax).replace(/\s+\S*$/, '')
}
