import type { QueryClient } from '@tanstack/react-query'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { merchants } from '@finanzas/contract/merchants.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { fold } from '#ui/format/text.ts'
import { categorizationQuery, rulingOf, type Categorization } from './rules.ts'

/** Number of latest expenses on which proposals are based. */
const rememberedMax = 300

/** Minimum number of letters in a first word, because words such as `el` and `un` do not indicate a category. */
const firstWordLengthMin = 3

type Remembered = { description: string; category: string | null }

/** Returns the category to propose for a description, or an empty string if no category is found. */
export type Propose = (description: string) => string

/** The customer's categories and rules, and a function that proposes a category. */
export type Proposals = Categorization & { propose: Propose }

/** Reads the customer's own categories and rules, and the categories of their latest expenses. */
export async function readProposals(client: QueryClient, userId: string): Promise<Proposals> {
  const api = await backend()
  const query = api.from('transactions').select('description,category').eq('user_id', userId)
  const latest = query.eq('type', 'expense').order('date', { ascending: false }).limit(rememberedMax)
  const [categorization, remembered] = await Promise.all([
    client.fetchQuery(categorizationQuery(userId)),
    latest,
  ])
  return { ...categorization, propose: createProposals(unwrap(remembered), categorization) }
}

/**
 * Returns a function that proposes the category of the first matching rule. If no rule matches, it proposes the most
 * frequent category among earlier expenses with the same description, or else among expenses with the same first word.
 * The newest category wins a tie. Case, accents and digits are ignored. `remembered` is sorted from newest to oldest.
 * If no earlier expense is similar, it proposes the category of a known merchant.
 */
export function createProposals(
  remembered: readonly Remembered[],
  { categories, rules }: Categorization,
): Propose {
  const ruling = rulingOf(rules)
  const offered = new Set<string>([...expenseCategories, ...categories])
  const filed = new Map<string, string[]>()
  for (const { description, category } of remembered) {
    if (category === null || !offered.has(category)) continue
    for (const key of keysOf(description)) {
      const categories = filed.get(key)
      if (categories === undefined) filed.set(key, [category])
      else categories.push(category)
    }
  }
  return (description) => {
    const ruled = ruling(description)
    if (ruled !== '') return ruled
    const key = keysOf(description).find((wanted) => filed.has(wanted))
    return key === undefined ? categoryOfMerchant(description) : mostFrequent(filed.get(key) ?? [])
  }
}

/** Returns the keys under which a description is indexed: all of its words, then only the first word. */
function keysOf(description: string): string[] {
  const words = fold(description).match(/\p{L}+/gu) ?? []
  const [first = ''] = words
  return [
    ...(words.length === 0 ? [] : [words.join(' ')]),
    ...(first.length < firstWordLengthMin ? [] : [`${first} …`]),
  ]
}

/** Returns the category of the merchant whose words stand in the description, or an empty string. */
function categoryOfMerchant(description: string): string {
  const words = ` ${(fold(description).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
  return merchants.find(([name]) => words.includes(` ${name} `))?.[1] ?? ''
}

/**
 * Returns the most frequent value, or an empty string for an empty list. In a tie, the value that occurs first wins.
 */
function mostFrequent(categories: readonly string[]): string {
  let best = { category: '', count: 0 }
  for (const category of new Set(categories)) {
    const count = categories.filter((other) => other === category).length
    if (count > best.count) best = { category, count }
  }
  return best.category
}
