import { useQuery, useQueryClient } from '@tanstack/react-query'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { refusalMessage, showRefusal } from '#api/refusals.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { readAmount } from '#amounts/amounts.ts'
import { categorizationQuery } from '#categories/rules.ts'
import { offered } from '#categories/category-field.tsx'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { textOf, type Reading } from '#ui/form/form.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { limitCall, setCategoryBudget, type CategoryLimit } from './category-budgets.ts'
import { categoryBudgetCopy as copy } from './copy.ts'

type Props = {
  userId: string
  /**
   * The limit to change, or the category for a new limit. Without a limit or a category, the user chooses the category.
   */
  limit?: CategoryLimit
  category?: string
  /** Categories that already have a limit. */
  taken: readonly string[]
  onClose: () => void
}

type Field = 'category' | 'limit'
type Budget = Parameters<typeof setCategoryBudget>[2]

/** Dialog that sets a category's monthly limit, and whether unspent money is carried over. */
export function LimitDialog({ userId, limit, category = limit?.category, taken, onClose }: Props) {
  const client = useQueryClient()
  return (
    <FormDialog<Budget, Field>
      title={category === undefined ? copy.addTitle : copy.limitOf(category)}
      submitLabel={copy.save}
      onClose={onClose}
      read={(fields) => readLimit(fields, category)}
      send={(budget) => setCategoryBudget(client, userId, budget)}
      success={(budget) => ({ title: copy.savedTitle, description: budget.category })}
      failure={(error) => refusalMessage(error, limitCall)}
      footer={limit && <EndButton userId={userId} category={limit.category} onEnded={onClose} />}
    >
      {(errors) => (
        <>
          {category === undefined && <Categories userId={userId} taken={taken} error={errors.category} />}
          <AmountField
            label={copy.limit}
            name="limit"
            defaultMinor={limit?.limitMinor ?? null}
            error={errors.limit}
          />
          <label className="budget-switch">
            <input type="checkbox" name="carries" defaultChecked={limit?.carriesOver ?? false} />
            <span>
              <span className="block">{copy.carriesOver}</span>
              <span className="block text-sm text-muted">{copy.carriesOverHint}</span>
            </span>
          </label>
        </>
      )}
    </FormDialog>
  )
}

type CategoriesProps = Pick<Props, 'userId' | 'taken'> & { error: string | undefined }

function Categories({ userId, taken, error }: CategoriesProps) {
  const { data: categorization } = useQuery(categorizationQuery(userId))
  const free = offered(categorization?.categories ?? [], null).filter((each) => !taken.includes(each))
  return (
    <SelectField label={copy.category} name="category" defaultValue="" error={error}>
      <option value="">{copy.noCategory}</option>
      {free.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
  )
}

type EndProps = { userId: string; category: string; onEnded: () => void }

function EndButton({ userId, category, onEnded }: EndProps) {
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) => showRefusal(error, limitCall))
  const end = () =>
    run(async () => {
      await setCategoryBudget(client, userId, { category, limit: null, carriesOver: false })
      onEnded()
      showToast({ title: copy.endedTitle, description: category })
    })
  return (
    <Button variant="danger" className="col-span-full" isBusy={isBusy} onClick={end}>
      {copy.end}
    </Button>
  )
}

function readLimit(fields: FormData, known: string | undefined): Reading<Budget, Field> {
  const category = known ?? textOf(fields, 'category')
  const amount = readAmount(textOf(fields, 'limit'))
  if (!amount.ok || category === '') {
    return {
      ok: false,
      errors: {
        ...(!amount.ok && { limit: amount.error }),
        ...(category === '' && { category: copy.missingCategory }),
      },
    }
  }
  const limit = numberFromMinor(amount.amountMinor)
  return { ok: true, value: { category, limit, carriesOver: fields.has('carries') } }
}
