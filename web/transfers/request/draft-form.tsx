import { useState, type SyntheticEvent } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { displayedMinor, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { FormEnd, InputField, SelectField } from '#ui/form/field.tsx'
import { useSubmission } from '#ui/form/form.ts'
import { BeneficiaryFields } from '#transfers/beneficiaries/beneficiary-fields.tsx'
import { transfersCopy } from '#transfers/copy.ts'
import {
  checkAmount,
  lastDayOf,
  newBeneficiary,
  readDraft,
  type Draft,
  type DraftField,
  type TypedDraft,
} from './draft.ts'
import { dayInWords } from '#transfers/states.ts'
import type { Beneficiary, TransferAccount, Transfers } from '#transfers/transfers.ts'
import {
  unconfirmedToast,
  StrangerError,
  type useConfirmation,
} from '#transfers/beneficiaries/use-confirmation.tsx'

const copy = transfersCopy.dialog

type Props = {
  transfers: Transfers
  ownAddress: string | undefined
  /** The id of a beneficiary. The form ignores an unknown id. */
  proposed: string
  /** The values to start with, if the customer returns from the summary. */
  draft: Draft | null
  confirmed: ReturnType<typeof useConfirmation>['confirmed']
  onReady: (draft: Draft) => void
}

/**
 * Form for a transfer: recipient, amount, description and day. If the customer has not confirmed the recipient yet, the
 * form asks for this confirmation before the next step.
 */
export function DraftForm({ transfers, ownAddress, proposed, draft, confirmed, onReady }: Props) {
  const { account, beneficiaries } = transfers
  const [today] = useState(() => dayInBogota())
  const known = beneficiaries.find(({ id }) => id === proposed)?.id ?? ''
  const [to, setTo] = useState(draft?.payee.id ?? (beneficiaries.length === 0 ? newBeneficiary : known))
  const [dueOn, setDueOn] = useState(draft?.dueOn ?? today)
  const [amountMinor, setAmountMinor] = useState<MinorUnits | null>(draft?.amountMinor ?? null)
  const isNew = to === newBeneficiary

  const { errors, isRetry, isSending, onSubmit } = useSubmission<TypedDraft, DraftField>({
    read: (fields) => readDraft(fields, { to, dueOn, today, ownAddress, transfers }),
    send: async ({ to: wanted, ...rest }) =>
      onReady({ ...rest, payee: await confirmed(wanted, beneficiaries) }),
    success: () => null,
    failure: (error) => ({
      ...unconfirmedToast(error),
      ...(error instanceof StrangerError && {
        errors: { [isNew ? 'address' : 'to']: transfersCopy.beneficiaries.notACustomer },
      }),
    }),
  })
  const follow = ({ target }: SyntheticEvent) => {
    const amount = target instanceof HTMLInputElement ? readAmount(target.value) : null
    setAmountMinor(amount?.ok === true ? amount.amountMinor : null)
  }
  const mustWait = amountMinor !== null && amountMinor > account.automaticMaxMinor

  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
        {beneficiaries.length > 0 && (
          <PayeeField beneficiaries={beneficiaries} to={to} error={errors.to} onChange={setTo} />
        )}
        {isNew && <BeneficiaryFields errors={errors} />}
        {/* The arrow keys change the amount without an input event, so the key events are handled too. */}
        <div onInput={follow} onKeyUp={follow}>
          <TransferAmount draft={draft} account={account} mustWait={mustWait} error={errors.amount} />
        </div>
        <InputField
          label={copy.concept}
          name="description"
          autoComplete="off"
          defaultValue={draft?.description}
          hint={copy.conceptHint}
          error={errors.description}
        />
        <DueField {...{ dueOn, today, mustWait }} error={errors.date} onChange={setDueOn} />
        <FormEnd error={errors.form} isRetry={isRetry} isBusy={isSending} className="mt-1">
          {copy.next}
        </FormEnd>
      </fieldset>
    </form>
  )
}

type PayeeProps = {
  beneficiaries: readonly Beneficiary[]
  to: string
  error: string | undefined
  onChange: (to: string) => void
}

function PayeeField({ beneficiaries, to, error, onChange }: PayeeProps) {
  return (
    <SelectField label={copy.to} value={to} onChange={({ target }) => onChange(target.value)} error={error}>
      <option value="">{copy.choose}</option>
      {beneficiaries.filter(isReachable).map((each) => (
        <option key={each.id} value={each.id}>
          {each.confirmed_at === null ? copy.unconfirmed(each.name) : each.name}
        </option>
      ))}
      <option value={newBeneficiary}>{copy.newOne}</option>
    </SelectField>
  )
}

type AmountProps = Pick<Props, 'draft'> & {
  account: Props['transfers']['account']
  mustWait: boolean
  error: string | undefined
}

function TransferAmount({ draft, account, mustWait, error }: AmountProps) {
  return (
    <>
      <AmountField
        label={copy.amount}
        name="amount"
        defaultMinor={draft?.amountMinor ?? null}
        echo={mustWait ? copy.mustWait : copy.will}
        check={(minor) => checkAmount(minor, account)}
        error={error}
      />
      <Available account={account} />
    </>
  )
}

type DueProps = {
  dueOn: string
  today: string
  mustWait: boolean
  error: string | undefined
  onChange: (dueOn: string) => void
}

/** The day on which the bank sends the transfer. */
function DueField({ dueOn, today, mustWait, error, onChange }: DueProps) {
  return (
    <InputField
      label={copy.date}
      type="date"
      min={today}
      max={lastDayOf(today)}
      value={dueOn}
      onChange={({ target }) => onChange(target.value)}
      hint={dueOn < today ? undefined : whenInWords(dueOn === today ? null : dueOn, mustWait)}
      error={error}
    />
  )
}

function whenInWords(dueOn: string | null, mustWait: boolean): string {
  if (dueOn === null) return mustWait ? copy.todayApproved : copy.today
  const day = dayInWords(dueOn)
  return mustWait ? copy.laterApproved(day) : copy.later(day)
}

/**
 * Shows the available amount. If a limit is lower than the available amount, also shows the largest amount that the
 * customer can transfer, and the limit itself if a part of it is already used.
 */
function Available({ account: { availableMinor, limits } }: { account: TransferAccount }) {
  const mostMinor = Math.min(...limits.map(({ leftMinor }) => leftMinor))
  const used = limits.find(({ leftMinor, maxMinor }) => leftMinor === mostMinor && leftMinor < maxMinor)
  return (
    <p className="@container mt-1.5 text-sm text-muted">
      <MoneyText within={copy.youHave}>{displayedMinor(availableMinor)}</MoneyText>
      {mostMinor < availableMinor && (
        <>
          {' '}
          <MoneyText within={used ? copy.leftToday : copy.atMost}>{displayedMinor(mostMinor)}</MoneyText>
          {used && <MoneyText within={copy.ofDay}>{displayedMinor(used.maxMinor)}</MoneyText>}
        </>
      )}
    </p>
  )
}

/** Returns whether the person may be a customer of the bank. */
function isReachable({ confirmed_at, payee_name }: Beneficiary): boolean {
  return confirmed_at === null || payee_name !== null
}
