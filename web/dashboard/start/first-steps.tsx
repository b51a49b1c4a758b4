import { useQuery } from '@tanstack/react-query'
import { latestQuery } from '#data/queries.ts'
import { useUser } from '#people/session/session.ts'
import { dashboardSumsQuery, type Sums } from '#planning/sums/sums.ts'
import { monthOf } from '#ui/format/months.ts'
import { hasEnded, hasJoinedLately, readKept, stepsPlace } from './joined.ts'
import { StepsCard } from './steps-card.tsx'

type Props = { userId: string; now: Date }

/** The first steps of a new customer. */
export function FirstSteps({ userId, now }: Props) {
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  const { data: latest } = useQuery(latestQuery(userId))
  const isNew = hasJoinedLately(useUser(), now)
  if (!isNew) return null
  if (sums === undefined || latest === undefined)
    return hasEnded(readKept(userId)) ? null : <div className={stepsPlace} />
  return isNewCustomer(sums) && <StepsCard {...{ userId, sums, latest, className: stepsPlace }} />
}

/**
 * Returns whether the bank recorded nothing in the first of the months that the dashboard shows. A new account may have
 * earlier transactions of the bank, which its customer brought along. The customer's own earlier notes may come from an
 * import.
 */
function isNewCustomer({ period: { since }, months: [first] }: Sums): boolean {
  return !(first?.month === monthOf(since) && first.parts.some(({ recordedBy }) => recordedBy === 'bank'))
}
