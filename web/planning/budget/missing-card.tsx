import { useQuery } from '@tanstack/react-query'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { monthOfPayments, stateInWords } from '#planning/recurring/month.ts'
import { recurringQuery } from '#planning/recurring/recurring.ts'
import { Link } from '#ui/address/link.tsx'
import { Card } from '#ui/card.tsx'
import { linkClass } from '#ui/page-heading.tsx'
import { categoryBudgetCopy as copy } from './copy.ts'

/** This month's recurring payments that are not made yet. A customer without recurring payments does not see the card. */
export function MissingCard({ userId, today }: { userId: string; today: string }) {
  const { data: recurring = [] } = useQuery(recurringQuery(userId))
  const active = recurring.filter(({ status }) => status === 'active')
  if (active.length === 0) return null
  // A weekly payment can be missing several times.
  const missing = active
    .flatMap((each) => each.days.map((day) => ({ ...each, days: [day], day })))
    .filter(({ day }) => day.paid_on === null)
    .sort((one, other) => one.day.due_on.localeCompare(other.day.due_on))
  return (
    <Card
      title={copy.missingTitle}
      className="budget-missing"
      action={
        <MoneyText className="font-semibold">
          {displayedMinor(monthOfPayments(active).missingMinor)}
        </MoneyText>
      }
    >
      {missing.length === 0 && <p className="px-4 pt-3 text-sm text-muted sm:px-6">{copy.nothingMissing}</p>}
      <ul aria-label={copy.missingTitle} className="divide-y divide-line">
        {missing.map((each) => (
          <li key={each.id + each.day.due_on} className="budget-payment">
            <span translate="no" className="budget-name">
              {each.description}
            </span>
            <MoneyText className="font-semibold">{displayedMoney(each.amount)}</MoneyText>
            <span className="basis-full text-sm text-muted">{stateInWords(each, today)}</span>
          </li>
        ))}
      </ul>
      <p className="px-4 sm:px-6">
        <Link to="/recurrentes" className={linkClass}>
          {copy.allRecurring}
        </Link>
      </p>
    </Card>
  )
}
