import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { latestQuery } from '#data/queries.ts'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { dashboardSumsQuery, type Sums } from '#planning/sums/sums.ts'
import { readStored, writeStored } from '#storage/device-storage.ts'
import { monthOf } from '#ui/format/months.ts'
import { StepsCard } from './steps-card.tsx'

type Props = { userId: string; now: Date; className: string }

const hiddenKey = 'finanzas-start-hidden'

/** The first steps of a new customer, until all of them are done or the customer hides them on this device. */
export function FirstSteps({ userId, now, className }: Props) {
  const user = useUser()
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  const { data: latest } = useQuery(latestQuery(userId))
  const [isHidden, setIsHidden] = useState(() => readStored(hiddenKey) === userId)
  const done = sums && latest && { name: fullNameOf(user) !== '', ...stepsDone(sums, latest) }
  const isOpen = !isHidden && done !== undefined && Object.values(done).includes(false)
  if (!isOpen || sums === undefined || latest === undefined) return null
  const hide = () => {
    writeStored(hiddenKey, userId)
    setIsHidden(true)
  }
  return <StepsCard {...{ userId, now, done, sums, latest, className }} onHide={hide} />
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
