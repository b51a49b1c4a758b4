import type { ComponentProps } from 'react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { configuration } from '#api/configuration.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { staffCopy } from '#staff/staff-copy.ts'

type Props = Omit<ComponentProps<typeof AmountField>, 'name' | 'currency' | 'echo'> & {
  customer: string
  type: TransactionType
}

/**
 * Field for the amount of a customer's transaction. The specified label says pesos (docs/specification.md §1). If the
 * bank's currency is dollars, the field shows US$, and the line below it shows the amount as the customer will see it.
 */
export function StaffAmountField({ customer, type, ...props }: Props) {
  if (configuration().displayCurrency === 'COP')
    return <AmountField {...props} name="amount" currency="COP" />
  const [firstName = customer] = customer.split(' ')
  const sign = type === 'deposit' ? '+' : '-'
  return (
    <AmountField
      {...props}
      name="amount"
      currency="US$"
      echo={(money) => staffCopy.customerSees(firstName, `${sign}${money}`)}
    />
  )
}
