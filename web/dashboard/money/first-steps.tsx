import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { budgetDialog } from '#dashboard/budget/budget-card.tsx'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { ExpenseButton } from '#money/expense/expense-button.tsx'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { moneyCopy as copy } from './copy.ts'

/** Three first steps for a new customer. A completed step shows a tick. */
export function FirstSteps({ limit }: { limit: number | null }) {
  const user = useUser()
  const { open, dialog } = useLazyDialog(budgetDialog)
  return (
    <>
      <p className="text-sm text-muted">{copy.empty}</p>
      <ol className="mt-2 divide-y divide-line">
        <Step text={copy.steps.name} isDone={fullNameOf(user) !== ''}>
          <Link to="/perfil" className={buttonClass({ variant: 'outline' })}>
            {copy.steps.openProfile}
          </Link>
        </Step>
        <Step text={copy.steps.transactions} isDone={false}>
          <Link to="/transacciones/importar" className={buttonClass({ variant: 'outline' })}>
            {copy.steps.importFile}
          </Link>
          <ExpenseButton userId={user.id} variant="outline">
            {copy.begin}
          </ExpenseButton>
        </Step>
        <Step text={copy.steps.budget} isDone={limit !== null}>
          <Button variant="outline" onClick={() => open({ userId: user.id, limit })}>
            {copy.steps.setBudget}
          </Button>
        </Step>
      </ol>
      {dialog}
    </>
  )
}

function Step({ text, isDone, children }: { text: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-3">
      <span className="flex items-center gap-2 font-medium">
        {isDone && <Check aria-hidden="true" className="size-5 text-positive" />}
        {text}
        {isDone && <span className="sr-only">{copy.steps.done}</span>}
      </span>
      {!isDone && <span className="flex flex-wrap gap-2">{children}</span>}
    </li>
  )
}
