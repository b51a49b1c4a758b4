import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TextLengthMax } from '@finanzas/contract/database-types.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { singleRowCode, takenKeyCode } from '#api/error-codes.ts'
import { logQuietly } from '#api/errors.ts'
import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { ruleCopy } from './rule-copy.ts'
import type { CategoryRule } from './rules.ts'
import { announceRule, apply } from './rule-toasts.ts'
import { countMatches, saveRule, type RuleWords } from './rule-calls.ts'
import { offered } from './category-field.tsx'
import { Button } from '#ui/button.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { formatCopy } from '#ui/format/copy.ts'
import { categoriesCopy as copy } from './page-copy.ts'

type Props = {
  userId: string
  own: readonly string[]
  /** The rule to change. Without this rule, the dialog creates a new rule. */
  rule?: CategoryRule
  onClose: () => void
}

type Field = 'contains' | 'category'

/**
 * Dialog for editing a rule's text and category. For an existing rule, the dialog also shows how many transactions
 * would change.
 */
export function RuleDialog({ userId, own, rule, onClose }: Props) {
  const client = useQueryClient()
  return (
    <FormDialog<RuleWords, Field>
      title={rule === undefined ? copy.addRule : copy.ruleTitle}
      submitLabel={copy.save}
      onClose={onClose}
      read={readRule}
      send={async (words) => {
        const saved = await saveRule(client, userId, { ...words, ...(rule && { id: rule.id }) })
        // The rule has been saved, so a failure to count its transactions is only logged.
        announceRule(client, userId, saved).catch((error: unknown) => logQuietly(error, 'count of a rule'))
      }}
      success={() => null}
      failure={(error) => {
        const call = { name: 'category rule', title: copy.ruleFailedTitle, refusals }
        const refusal = refusalMessage(error, call)
        return { ...refusal, errors: { contains: refusal.description } }
      }}
      footer={rule && <ApplyButton userId={userId} rule={rule} onApply={onClose} />}
    >
      {(errors) => (
        <>
          <InputField
            label={copy.contains}
            name="contains"
            autoComplete="off"
            defaultValue={rule?.contains}
            hint={copy.containsHint}
            error={errors.contains}
          />
          <SelectField
            label={copy.category}
            name="category"
            defaultValue={rule?.category ?? ''}
            error={errors.category}
          >
            <option value="">{copy.noCategory}</option>
            {offered(own, rule?.category ?? null).map((category) => (
              <option key={category} value={category}>
                {category}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </FormDialog>
  )
}

function ApplyButton({
  userId,
  rule,
  onApply,
}: Pick<Props, 'userId'> & { rule: CategoryRule; onApply: () => void }) {
  const client = useQueryClient()
  const { data: count = 0 } = useQuery({
    queryKey: ['rule-matches', userId, rule.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => countMatches(rule),
  })
  if (count === 0) return null
  return (
    <Button
      variant="outline"
      className="col-span-full"
      onClick={() => {
        onApply()
        void apply(client, userId, rule)
      }}
    >
      {ruleCopy.applyToo(count)}
    </Button>
  )
}

const refusals: Refusals = {
  [takenKeyCode]: copy.takenText,
  23514: copy.tooManyRules,
  [singleRowCode]: copy.goneRule,
  otherwise: copy.failedText,
}

const textLengthMax: TextLengthMax['category_rules']['contains'] = 100

function readRule(fields: FormData): Reading<RuleWords, Field> {
  const contains = textOf(fields, 'contains').normalize('NFC')
  const category = textOf(fields, 'category')
  const { length } = [...contains]
  return readingOf<RuleWords, Field>(
    {
      ...((length < 2 || !isPlainLine(contains)) && { contains: copy.shortText }),
      ...(length > textLengthMax && {
        contains: formatCopy.longText(textLengthMax),
      }),
      ...(category === '' && { category: copy.missingCategory }),
    },
    { contains, category },
  )
}
