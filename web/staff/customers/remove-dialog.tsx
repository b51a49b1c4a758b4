import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { useState } from 'react'
import { useGo } from '#ui/address/address.tsx'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { createRepeatableCall } from '#api/functions.ts'
import { displayedMoney, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { waitingToast, type OrderAnswer } from '#staff/forms/approval.ts'
import { InputField } from '#ui/form/field.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.remove

/** Deletes the customer after staff have typed the balance that will be written off. */
export function RemoveDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { id, name, balance, booked, noted } = customer
  const money = displayedMoney(balance)
  const client = useQueryClient()
  const go = useGo()
  const [call] = useState(createRepeatableCall)
  return (
    <StaffDialog<true, 'balance', OrderAnswer>
      purpose={copy.purpose}
      title={copy.title}
      failedTitle={copy.failedTitle}
      submitLabel={copy.submit}
      submitVariant="destructive"
      onClose={onClose}
      read={(fields) => readConfirmation(textOf(fields, 'balance'), minorFromDecimal(balance) ?? Number.NaN)}
      send={() => call<object, OrderAnswer>('manage-users', { action: 'delete', userId: id })}
      success={(_, { status }) =>
        status === 'waiting' ? waitingToast(go) : { title: copy.success, description: copy.done }
      }
      onDone={async () => {
        onClose()
        go('/admin', { replace: true })
        await client.invalidateQueries({ queryKey: ['users'] })
      }}
    >
      {(errors) => (
        <>
          <p className="text-sm">
            <MoneyText isTyped within={copy.explained(name)}>
              {money}
            </MoneyText>
            {noted !== 0 && (
              <>
                {' '}
                <MoneyText within={copy.booked}>{displayedMoney(booked)}</MoneyText>
              </>
            )}
          </p>
          <InputField
            label={copy.typed(money)}
            name="balance"
            autoComplete="off"
            error={errors.balance}
            required
          />
        </>
      )}
    </StaffDialog>
  )
}

/**
 * Compares the typed balance with the real balance, in either decimal notation. Accepts zero and signs, which
 * `readAmount` refuses.
 */
export function readConfirmation(
  typed: string,
  balanceMinor: number,
  currency?: 'USD' | 'COP',
): Reading<true, 'balance'> {
  const unsigned = typed.replace(/^[-−]\s*/, '')
  const amount = readAmount(unsigned, currency)
  const isNothing = /^\D*0+([.,]0{1,2})?$/.test(unsigned)
  const typedMinor = amount.ok ? amount.amountMinor : isNothing ? 0 : null
  const isSigned = unsigned !== typed
  const isSame = typedMinor === Math.abs(balanceMinor) && isSigned === balanceMinor < 0
  return readingOf(isSame ? {} : { balance: copy.mismatch }, true)
}
