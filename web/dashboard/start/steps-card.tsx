import { Check } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { displayedMoney, sumOf } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { budgetDialog } from '#dashboard/budget/budget-card.tsx'
import { ExpenseButton } from '#money/expense/expense-button.tsx'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { spendingIn, type Sums } from '#planning/sums/sums.ts'
import { writeStored } from '#storage/device-storage.ts'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { monthOf } from '#ui/format/months.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { hasEnded, hidden, keptKey, readKept, steps } from './joined.ts'
import './steps-card.css'

/** These strings are not in copy.ts, because only a new customer's page loads them. */
const copy = {
  title: 'Empieza aquí',
  count: (done: number, all: number) => `${done} de ${all}`,
  hide: 'Ocultar',
  done: 'Hecho',
  ended: 'Los primeros pasos ya no se muestran.',
  expense: { title: 'Anota un gasto', text: 'Lo que pagas en efectivo o desde otro banco', act: 'Anotar' },
  noted: (money: string) => `, ${money}`,
  budget: { title: 'Fija tu presupuesto', text: '¿Cuánto quieres gastar al mes?', act: 'Fijar' },
  history: { title: 'Trae tus movimientos', text: 'Archivo de otro banco: CSV, OFX o QIF', act: 'Importar' },
  name: { title: '¿Cómo te llamas?', text: 'Sale en tus extractos', act: 'Escribir' },
} as const

const profileDialog = lazyCode(() => import('#profile/profile-dialog.tsx'), 'ProfileDialog')

type StepName = (typeof steps)[number]

type Props = { userId: string; sums: Sums; latest: readonly Transaction[]; className: string }

/**
 * Four first steps for a new customer, until all of them are done or the customer hides them on this device. A completed
 * step shows a tick and stays completed. Only the first open step has a filled button.
 */
export function StepsCard({ userId, sums, latest, className }: Props) {
  const fullName = fullNameOf(useUser())
  const [kept, keep] = useKept(userId)
  const isDone = { name: fullName !== '', ...stepsDone(sums, latest) }
  const done = steps.filter((step) => isDone[step] || kept.includes(step))
  if (done.some((step) => !kept.includes(step))) keep([...new Set([...kept, ...done])])
  const isEnded = hasEnded([...kept, ...done])
  const [wasEnded] = useState(isEnded)
  const area = useKeptFocus<HTMLDivElement>()
  const { open: openBudget, dialog: ofBudget } = useLazyDialog(budgetDialog)
  const { open: openProfile, dialog: ofProfile } = useLazyDialog(profileDialog)
  const first = steps.find((step) => !done.includes(step))
  const variantOf = (step: StepName) => (step === first ? 'primary' : 'outline')
  const noted = latest.find(({ recorded_by }) => recorded_by === 'customer')
  const spentMinor = sumOf(spendingIn(sums, monthOf(sums.period.until)))
  if (wasEnded) return null
  const card = (
    <Card
      title={copy.title}
      action={
        <span className="-mr-3 flex items-center gap-x-2 text-sm text-muted">
          {copy.count(done.length, steps.length)}
          <Button variant="quiet" onClick={() => keep([...kept, hidden])}>
            {copy.hide}
          </Button>
        </span>
      }
    >
      <ol className="divide-y divide-line px-4 sm:px-6">
        <Step
          step="expense"
          {...copy.expense}
          isDone={done.includes('expense')}
          {...(noted !== undefined && {
            text: (
              <>
                <span translate="no">{noted.description}</span>
                <MoneyText within={copy.noted}>{displayedMoney(noted.amount)}</MoneyText>
              </>
            ),
          })}
        >
          {(described) => (
            <ExpenseButton userId={userId} variant={variantOf('expense')} {...described}>
              {copy.expense.act}
            </ExpenseButton>
          )}
        </Step>
        <Step step="budget" {...copy.budget} isDone={done.includes('budget')}>
          {(described) => (
            <Button
              variant={variantOf('budget')}
              {...described}
              onClick={() => openBudget({ userId, limit: null, spentMinor })}
            >
              {copy.budget.act}
            </Button>
          )}
        </Step>
        <Step step="history" {...copy.history} isDone={done.includes('history')}>
          {(described) => (
            <Link
              to="/transacciones/importar"
              className={buttonClass({ variant: variantOf('history') })}
              {...described}
            >
              {copy.history.act}
            </Link>
          )}
        </Step>
        <Step step="name" {...copy.name} isDone={done.includes('name')}>
          {(described) => (
            <Button
              variant={variantOf('name')}
              {...described}
              onClick={() => openProfile({ fullName, verifiedName: null })}
            >
              {copy.name.act}
            </Button>
          )}
        </Step>
      </ol>
    </Card>
  )
  return (
    // This element stays after the card has gone, so that the focus has a place.
    <div ref={area} tabIndex={-1} className={isEnded ? 'sr-only' : `min-w-0 ${className}`}>
      {isEnded ? copy.ended : card}
      {ofBudget}
      {ofProfile}
    </div>
  )
}

/** The words that this device keeps about a customer: the completed steps, and whether the customer hid the card. */
function useKept(userId: string) {
  const [kept, keep] = useState(() => readKept(userId))
  useEffect(() => {
    if (kept.length > 0) writeStored(keptKey(userId), kept.join(' '))
  }, [userId, kept])
  return [kept, keep] as const
}

/**
 * A history from before this month is the work of the third step, also if the customer typed it. An import of this
 * month alone is among the latest transactions.
 */
function stepsDone({ months, period, monthlyLimit }: Sums, latest: readonly Transaction[]) {
  const own = months.filter(({ parts }) => parts.some(({ recordedBy }) => recordedBy === 'customer'))
  return {
    expense: own.length > 0,
    budget: monthlyLimit !== null,
    history:
      own.some(({ month }) => month < monthOf(period.until)) ||
      latest.some(({ origin }) => origin === 'import'),
  }
}

type StepProps = {
  step: StepName
  title: string
  text: ReactNode
  isDone: boolean
  children: (described: { 'aria-describedby': string; 'data-item': '' }) => ReactNode
}

function Step({ step, title, text, isDone, children }: StepProps) {
  const id = useId()
  return (
    <li data-row={step} className="start-step">
      <span aria-hidden="true" className={isDone ? 'start-done' : 'start-open'}>
        {isDone ? <Check className="size-4.5" /> : steps.indexOf(step) + 1}
      </span>
      <div className="start-words">
        <p id={id} className="font-medium">
          {title}
        </p>
        <p className="text-sm text-muted wrap-anywhere">{text}</p>
      </div>
      {isDone ? (
        <span className="text-sm text-muted">{copy.done}</span>
      ) : (
        children({ 'aria-describedby': id, 'data-item': '' })
      )}
    </li>
  )
}
