import { useQuery } from '@tanstack/react-query'
import { StaffDialog } from './staff-dialog.tsx'
import { useState } from 'react'
import { defaultCategory } from '@finanzas/contract/wire/functions.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { Transaction, TransactionType } from '@finanzas/contract/wire/rows.ts'
import { createRepeatableCall } from '#api/functions.ts'
import { descriptionErrors, displayedMoney, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { InputField } from '#ui/form/field.tsx'
import { useGo } from '#ui/address/address.tsx'
import { lineOf, readingOf, textOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { largestAmountsQuery } from '#staff/customers/customer.ts'
import { waitingToast, type OrderAnswer } from './approval.ts'
import { OwnAccount } from './own-account.tsx'
import { StaffAmountField } from './staff-amount-field.tsx'
import type { ToastMessage } from '#ui/toast/toast-store.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { useUnusualAmount } from './unusual-amount.ts'

/** Amount in whole units, as a JSON number. */
type TypedTransaction = { type: TransactionType; amount: number; description: string }
export type Registered = Pick<Transaction, 'id' | 'user_id' | 'type' | 'amount' | 'description' | 'date'>
type Recorded = Pick<Transaction, 'id' | 'date'> & { isWaiting: boolean }
type TransactionField = 'amount' | 'description'

type Props = {
  user: { id: string; name: string }
  /** The initially selected type. */
  type?: TransactionType
  /** Returns the button of the toast that follows a success. By default, the button opens the customer's page. */
  nextAct?: (registered: Registered) => NonNullable<ToastMessage['action']>
  onDone?: () => unknown
  onClose: () => void
}

/**
 * Dialog that registers a transaction. The submit button and the toast that follows name the amount and the customer.
 */
export function TransactionDialog({ user, type: first = 'deposit', nextAct, onDone, onClose }: Props) {
  const go = useGo()
  const [call] = useState(createRepeatableCall)
  const [echo, setEcho] = useState<Echo>({ type: first, amount: null })
  const { type, amount } = echo
  // The customer's figures are read only when there is an amount to compare with them, because the read adds an audit
  // entry.
  const { data: largest } = useQuery({ ...largestAmountsQuery(user.id), enabled: amount !== null })
  const { askAboutAmount, question } = useUnusualAmount(largest)
  const register = (typed: TypedTransaction) => recordTransaction(call, user.id, typed)
  const savedToast = (registered: Registered) => ({
    title: staffCopy.savedAmount[registered.type](displayedMoney(registered.amount), user.name),
    description: staffCopy.transactionSavedText,
    action: nextAct?.(registered) ?? {
      label: staffCopy.open,
      onSelect: () => go(`/admin/clientes/${user.id}`),
    },
  })
  return (
    <StaffDialog<TypedTransaction, TransactionField, Recorded>
      purpose={staffCopy.transactionPurpose}
      title={staffCopy.transactionDialogTitle}
      failedTitle={staffCopy.transactionFailedTitle}
      description={user.name}
      submitLabel={
        amount === null ? (
          staffCopy.saveTransaction
        ) : (
          <MoneyText isTyped within={staffCopy.saveAmount[type](user.name)}>
            {displayedMoney(amount)}
          </MoneyText>
        )
      }
      onClose={onClose}
      onDone={() => {
        onClose()
        void onDone?.()
      }}
      read={readTransaction}
      ask={askAboutAmount}
      send={register}
      success={(typed, { isWaiting, ...recorded }) =>
        isWaiting ? waitingToast(go) : savedToast({ ...typed, ...recorded, user_id: user.id })
      }
    >
      {(errors) => (
        <>
          {/* React would pass the question's key events to the handlers of the fields. */}
          {question}
          <Fields {...{ user, first, type, errors }} onEcho={setEcho} />
        </>
      )}
    </StaffDialog>
  )
}

/**
 * Radio buttons for the two transaction types. Unlike a select field, radio buttons show both types, and the choice
 * takes only one click.
 */
function TypeField({ first }: { first: TransactionType }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{staffCopy.type}</legend>
      <div className="grid grid-cols-2 gap-2">
        {(['deposit', 'expense'] as const).map((type) => (
          <label
            key={type}
            className="flex min-h-11 items-center gap-2.5 rounded-md border border-control px-3 has-checked:border-primary"
          >
            <input
              type="radio"
              name="type"
              value={type}
              defaultChecked={type === first}
              className="size-4.5"
            />
            {staffCopy.types[type]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The transaction that would be registered. `amount` is `null` while the field has no valid amount. */
type Echo = { type: TransactionType; amount: number | null }

function echoOf(fields: FormData): Echo {
  const amount = readAmount(textOf(fields, 'amount'))
  return { type: typeIn(fields), amount: amount.ok ? numberFromMinor(amount.amountMinor) : null }
}

function typeIn(fields: FormData): TransactionType {
  return textOf(fields, 'type') === 'expense' ? 'expense' : 'deposit'
}

function readTransaction(fields: FormData): Reading<TypedTransaction, TransactionField> {
  const amount = readAmount(textOf(fields, 'amount'))
  const description = lineOf(fields, 'description')
  if (!amount.ok) return { ok: false, errors: { amount: amount.error, ...descriptionErrors(description) } }
  return readingOf(descriptionErrors(description), {
    type: typeIn(fields),
    amount: numberFromMinor(amount.amountMinor),
    description,
  })
}

async function recordTransaction(
  call: ReturnType<typeof createRepeatableCall>,
  userId: string,
  typed: TypedTransaction,
): Promise<Recorded> {
  const transactionData = { ...typed, user_id: userId, category: defaultCategory(typed.type) }
  let date = ''
  const { id, status } = await call<object, OrderAnswer>(
    'manage-transactions',
    { action: 'create', transactionData },
    (body, at) => {
      date = at
      return { ...body, transactionData: { ...transactionData, date } }
    },
  )
  return { id, date, isWaiting: status === 'waiting' }
}

type FieldsProps = Pick<Props, 'user'> & {
  first: TransactionType
  type: TransactionType
  errors: FieldErrors<TransactionField>
  onEcho: (echo: Echo) => void
}

function Fields({ user, first, type, errors, onEcho }: FieldsProps) {
  // The arrow keys change the amount without an input event, so the key events are handled too.
  const follow = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const form = currentTarget.closest('form')
    if (form !== null) onEcho(echoOf(new FormData(form)))
  }
  return (
    <div className="grid gap-4" onInput={follow} onKeyUp={follow}>
      <OwnAccount id={user.id} />
      <TypeField first={first} />
      <StaffAmountField
        label={staffCopy.amount}
        customer={user.name}
        type={type}
        error={errors.amount}
        required
      />
      <InputField
        label={staffCopy.description}
        name="description"
        autoComplete="off"
        error={errors.description}
        required
      />
    </div>
  )
}
