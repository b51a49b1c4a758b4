import { Check } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { displayedMoney, sumOf } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { budgetDialog } from '#dashboard/budget/budget-card.tsx'
import { ExpenseButton } from '#money/expense/expense-button.tsx'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { spendingIn, type Sums } from '#planning/sums/sums.ts'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { monthOf } from '#ui/format/months.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import './steps-card.css'

/** These strings are not in copy.ts, because only a new customer's page loads them. */
const copy = {
  title: 'Empieza aquí',
  count: (done: number, all: number) => `${done} de ${all}`,
  hide: 'Ocultar',
  done: 'Hecho',
  expense: { title: 'Anota un gasto', text: 'Lo que pagas en efectivo o desde otro banco', act: 'Anotar' },
  noted: (description: string, money: string) => `${description}, ${money}`,
  budget: { title: 'Fija tu presupuesto', text: '¿Cuánto quieres gastar al mes?', act: 'Fijar' },
  history: { title: 'Trae tus movimientos', text: 'Archivo de otro banco: CSV, OFX o QIF', act: 'Importar' },
  name: { title: '¿Cómo te llamas?', text: 'Sale en tus extractos', act: 'Escribir' },
} as const

const profileDialog = lazyCode(() => import('#profile/profile-dialog.tsx'), 'ProfileDialog')

type Props = {
  userId: string
  now: Date
  done: Record<'expense' | 'budget' | 'history' | 'name', boolean>
  sums: Sums
  latest: readonly Transaction[]
  className: string
  onHide: () => void
}

/** Four first steps for a new customer. A completed step shows a tick, and only the first open step has a filled button. */
export function StepsCard({ userId, done, sums, latest, className, onHide }: Props) {
  const fullName = fullNameOf(useUser())
  const { open: openBudget, dialog: ofBudget } = useLazyDialog(budgetDialog)
  const { open: openProfile, dialog: ofProfile } = useLazyDialog(profileDialog)
  const first = (['expense', 'budget', 'history', 'name'] as const).find((step) => !done[step])
  const variantOf = (step: keyof typeof done) => (step === first ? 'primary' : 'outline')
  const noted = latest.find(({ recorded_by }) => recorded_by === 'customer')
  const spentMinor = sumOf(spendingIn(sums, monthOf(sums.period.until)))
  return (
    <Card
      title={copy.title}
      className={className}
      action={
        <span className="-mr-3 flex items-center gap-x-2 text-sm text-muted">
          {copy.count(Object.values(done).filter(Boolean).length, Object.keys(done).length)}
          <Button variant="quiet" onClick={onHide}>
            {copy.hide}
          </Button>
        </span>
      }
    >
      <ol className="divide-y divide-line px-4 sm:px-6">
        <Step
          place={1}
          {...copy.expense}
          isDone={done.expense}
          {...(noted !== undefined && {
            text: (
              <MoneyText within={(money) => copy.noted(noted.description, money)}>
                {displayedMoney(noted.amount)}
              </MoneyText>
            ),
          })}
        >
          {(described) => (
            <ExpenseButton userId={userId} variant={variantOf('expense')} {...described}>
              {copy.expense.act}
            </ExpenseButton>
          )}
        </Step>
        <Step place={2} {...copy.budget} isDone={done.budget}>
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
        <Step place={3} {...copy.history} isDone={done.history}>
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
        <Step place={4} {...copy.name} isDone={done.name}>
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
      {ofBudget}
      {ofProfile}
    </Card>
  )
}

type StepProps = {
  place: number
  title: string
  text: ReactNode
  isDone: boolean
  children: (described: { 'aria-describedby': string }) => ReactNode
}

function Step({ place, title, text, isDone, children }: StepProps) {
  const id = useId()
  return (
    <li className="start-step">
      <span aria-hidden="true" className={isDone ? 'start-done' : 'start-open'}>
        {isDone ? <Check className="size-4.5" /> : place}
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
        children({ 'aria-describedby': id })
      )}
    </li>
  )
}
