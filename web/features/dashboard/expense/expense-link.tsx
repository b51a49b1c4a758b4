import type { MouseEvent, ReactNode } from 'react'

export const expenseFormId = 'nuevo-gasto'

/** Leads to the form for a new expense, with the keyboard of a phone at its first field. */
export function ExpenseLink({ className, children }: { className: string; children: ReactNode }) {
  return (
    <a href={`#${expenseFormId}`} className={className} onClick={goToForm}>
      {children}
    </a>
  )
}

function goToForm(event: MouseEvent): void {
  event.preventDefault()
  const form = document.getElementById(expenseFormId)
  form?.scrollIntoView()
  form?.querySelector('input')?.focus({ preventScroll: true })
}
