import type { ComponentProps } from 'react'
import type { Order } from '#money/list/history-index.ts'
import { SelectField } from '#ui/form/field.tsx'
import { selectionCopy } from './copy.ts'

const orders: readonly Order[] = ['date', 'amount', 'description']

/** Returns the order with this value. */
export function orderOf(value: string): Order {
  return orders.find((order) => order === value) ?? 'date'
}

/** Field for the order of the rows. */
export function OrderField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) {
  return (
    <SelectField {...props} label={selectionCopy.order}>
      {orders.map((value) => (
        <option key={value} value={value}>
          {selectionCopy.orders[value]}
        </option>
      ))}
    </SelectField>
  )
}
