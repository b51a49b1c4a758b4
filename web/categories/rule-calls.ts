/** Functions that read and change categorization rules. All functions in this file throw the table API's error. */
import type { QueryClient } from '@tanstack/react-query'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { fold } from '#ui/format/text.ts'
import { dataKeys } from '#data/queries.ts'
import { categorizationQuery, ruleColumns, type CategoryRule } from './rules.ts'

export type RuleWords = Pick<CategoryRule, 'contains' | 'category'>

/**
 * Creates a rule, or changes the existing rule with the same text. If an id is given, changes the rule with that id.
 */
export async function saveRule(
  client: QueryClient,
  userId: string,
  { id, ...words }: RuleWords & { id?: string },
): Promise<CategoryRule> {
  const known = id ?? (await ruleOf(client, userId, words))?.id
  const table = (await backend()).from('category_rules')
  const saved =
    known === undefined
      ? table.insert({ user_id: userId, ...words })
      : table.update(words).eq('user_id', userId).eq('id', known)
  try {
    return unwrap(await saved.select(ruleColumns).single())
  } finally {
    // The call fails if another page has created or removed the rule since the rules were read. The next attempt then
    // uses freshly read rules.
    await client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
  }
}

/** Returns the customer's rule with the same text. */
async function ruleOf(
  client: QueryClient,
  userId: string,
  words: RuleWords,
): Promise<CategoryRule | undefined> {
  const { rules } = await client.fetchQuery(categorizationQuery(userId))
  return rules.find(({ contains }) => fold(contains) === fold(words.contains))
}

export async function removeRule(client: QueryClient, userId: string, id: string): Promise<void> {
  const api = await backend()
  unwrap(await api.from('category_rules').delete().eq('user_id', userId).eq('id', id))
  await client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
}

/**
 * Shows the rules in the given order. Cancels a running read of the rules, because the result of this read would be
 * older.
 */
export function showRules(client: QueryClient, userId: string, rules: readonly CategoryRule[]): void {
  const { queryKey } = categorizationQuery(userId)
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, (categorization) => categorization && { ...categorization, rules })
}

/**
 * Saves each order that `next` returns, until `next` returns `null`. If the server refuses an order, shows the last
 * saved order.
 */
export async function orderRules(
  client: QueryClient,
  userId: string,
  { before, next }: { before: readonly CategoryRule[]; next: () => readonly CategoryRule[] | null },
): Promise<void> {
  let kept = before
  try {
    const api = await backend()
    for (let rules = next(); rules !== null; rules = next()) {
      unwrap(await api.rpc('order_category_rules', { ids: rules.map(({ id }) => id) }))
      kept = rules
    }
  } catch (error) {
    showRules(client, userId, kept)
    throw error
  } finally {
    void client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
  }
}

/**
 * Returns a transaction's original description. A rule must match the original description, because the bank's next
 * file will contain it again.
 */
export async function readFirstWords({ id, user_id, description }: Transaction): Promise<string> {
  const api = await backend()
  const first = await api
    .from('transaction_edits')
    .select('description:before->>description')
    .eq('user_id', user_id)
    .eq('transaction_id', id)
    .order('seq')
    .limit(1)
    .maybeSingle()
  return unwrap(first)?.description ?? description
}

/**
 * Counts the expenses whose category a rule would change. If no category is given, counts all expenses that the rule
 * matches. The rule does not have to be saved.
 */
export async function countMatches(rule: Pick<RuleWords, 'contains'> & Partial<RuleWords>): Promise<number> {
  const { contains, category } = rule
  const api = await backend()
  const words = { contains, ...(category !== undefined && { category }) }
  return unwrap(await api.rpc('count_rule_matches', words, { get: true }))
}

/** Applies the rule to existing transactions, and returns how many of them changed. */
export async function applyRule(
  client: QueryClient,
  userId: string,
  { id, first_seq: firstBefore }: CategoryRule,
): Promise<number> {
  const api = await backend()
  const { entries, first_seq: first } = unwrap(await api.rpc('apply_category_rule', { id }))
  await client.invalidateQueries({ queryKey: dataKeys.all(userId) })
  // If a run of the rule changes nothing, the rule keeps the numbers of its previous run.
  return first === firstBefore ? 0 : (entries ?? 0)
}

/** Undoes the changes that were made when the rule was last applied. */
export async function undoRule(client: QueryClient, userId: string, id: string): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('undo_category_rule', { id }))
  await client.invalidateQueries({ queryKey: dataKeys.all(userId) })
}

/** Saves a rule and applies it. Returns the number of changed transactions, and a function that undoes both steps. */
export async function ruleForGood(
  client: QueryClient,
  userId: string,
  words: RuleWords,
): Promise<{ changed: number; undo: () => Promise<void> }> {
  const before = await ruleOf(client, userId, words)
  const saved = await saveRule(client, userId, words)
  const changed = await applyRule(client, userId, saved)
  const { id } = saved
  return {
    changed,
    undo: async () => {
      if (changed > 0) await undoRule(client, userId, id)
      if (before === undefined) await removeRule(client, userId, id)
      else await saveRule(client, userId, { id, contains: before.contains, category: before.category })
    },
  }
}
