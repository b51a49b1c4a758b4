import type { MouseEvent, ReactNode } from 'react'

export const expenseFormId = 'nuevo-gasto'

/** Link to the form for a new expense. On a phone it also opens the keyboard for the first field. */
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
