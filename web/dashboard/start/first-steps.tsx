import { useQuery } from '@tanstack/react-query'
import { latestQuery } from '#data/queries.ts'
import { isAdministrator, useUser } from '#people/session/session.ts'
import { dashboardSumsQuery, type Sums } from '#planning/sums/sums.ts'
import { monthOf } from '#ui/format/months.ts'
import { StepsCard } from './steps-card.tsx'

type Props = { userId: string; now: Date; className: string }

/** The first steps of a new customer. */
export function FirstSteps({ userId, now, className }: Props) {
  const user = useUser()
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  const { data: latest } = useQuery(latestQuery(userId))
  if (sums === undefined || latest === undefined || !isNewCustomer(user, sums)) return null
  return <StepsCard {...{ userId, sums, latest, className }} />
}

/**
 * Returns whether the customer joined in the months that the dashboard shows. A new account may have earlier
 * transactions of the bank, which its customer brought along. The customer's own earlier notes may come from an import.
 */
function isNewCustomer(
  user: ReturnType<typeof useUser>,
  { period: { since }, months: [first] }: Sums,
): boolean {
  const isKnown =
    first?.month === monthOf(since) && first.parts.some(({ recordedBy }) => recordedBy === 'bank')
  return !isAdministrator(user) && user.created_at >= since && !isKnown
}
