import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { countMatches, readFirstWords } from '#categories/rule-calls.ts'
import { ruleCopy } from '#categories/rule-copy.ts'
import { ruleText } from '#categories/rules.ts'
import { fold } from '#ui/format/text.ts'
import { dataKeys } from '#data/queries.ts'
import { rawTextOf } from '#ui/form/form.ts'

type Props = {
  transaction: Transaction
  /**
   * Called with the text of the rule, or with an empty string if the checkbox is not ticked. Forms read the text with
   * `ruleTextOf` instead.
   */
  onChoose?: (ruleText: string) => void
}

/**
 * Checkbox for creating a rule that applies the chosen category to similar expenses, including earlier expenses. Rules
 * do not apply to deposits.
 */
export function RuleChoice({ transaction, onChoose }: Props) {
  const { data } = useQuery(ruleQuery(transaction))
  if (transaction.type !== 'expense') return null
  const text = data?.text ?? ruleText(transaction.description)
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <input
        type="checkbox"
        name="rule"
        value={text}
        disabled={data === undefined}
        className="size-5 shrink-0"
        onChange={({ target }) => onChoose?.(target.checked ? text : '')}
      />
      <span className="min-w-0 wrap-anywhere">
        {ruleCopy.always(text)}{' '}
        {/* The line has its full height before the number is known, so that the content does not move under the
            pointer. */}
        <span className="block text-muted">
          {data === undefined || data.others === 0 ? '\u00A0' : ruleCopy.alwaysToo(data.others)}
        </span>
      </span>
    </label>
  )
}

/** Returns the text of the rule to create, or an empty string if the checkbox is not ticked. */
export function ruleTextOf(fields: FormData): string {
  return rawTextOf(fields, 'rule')
}

function ruleQuery(transaction: Transaction) {
  const { id, user_id, type, description } = transaction
  return queryOptions({
    queryKey: [...dataKeys.all(user_id), 'rule', id, description],
    enabled: type === 'expense',
    queryFn: async (): Promise<{ text: string; others: number }> => {
      const text = ruleText(await readFirstWords(transaction))
      const matches = await countMatches({ contains: text })
      return { text, others: Math.max(0, matches - Number(fold(description).includes(fold(text)))) }
    },
  })
}
