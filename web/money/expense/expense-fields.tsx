import { useState } from 'react'
import { CategoryField } from '#categories/category-field.tsx'
import { AmountField } from '#amounts/amount-field.tsx'
import { moneyCopy } from '#amounts/copy.ts'
import { InputField } from '#ui/form/field.tsx'
import type { FieldErrors } from '#ui/form/form.ts'
import { expenseCopy as copy } from './copy.ts'
import type { ExpenseField } from './expense.ts'
import { expenseDays } from './expense-days.ts'

type Props = {
  userId: string
  errors: FieldErrors<ExpenseField>
  /** Whether the form is in use. Before the first use, the category field does not send any requests. */
  isInUse: boolean
}

/** Fields for an expense, beginning with the amount. A new `key` resets the fields for the next expense. */
export function ExpenseFields({ userId, errors, isInUse }: Props) {
  const [days] = useState(expenseDays)
  const [description, setDescription] = useState('')
  return (
    <>
      <AmountField label={copy.amount} name="amount" error={errors.amount} />
      <InputField
        label={moneyCopy.description}
        name="description"
        autoComplete="off"
        placeholder={copy.descriptionPlaceholder}
        onInput={(event) => setDescription(event.currentTarget.value)}
        error={errors.description}
      />
      {/* The fields are side by side if the width and the text size leave enough room. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-4">
        <CategoryField userId={userId} description={description} fallback="Otro" isInUse={isInUse} />
        <InputField
          label={copy.date}
          name="date"
          type="date"
          defaultValue={days.last}
          min={days.first}
          max={days.last}
          error={errors.date}
        />
      </div>
    </>
  )
}
