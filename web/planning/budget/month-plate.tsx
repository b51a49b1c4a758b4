import { Pencil } from 'lucide-react'
import { numberFromMinor, type MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { LimitMeter } from '#planning/sums/limit-meter.tsx'
import { spendingIn, type Sums } from '#planning/sums/sums.ts'
import { Button } from '#ui/button.tsx'
import { daysLeftIn, formatMonth, monthOf, partOfMonth } from '#ui/format/months.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Plate } from '#ui/plate.tsx'
import { categoryBudgetCopy as copy } from './copy.ts'
import { habitsBefore, proposedLimit } from './habits.ts'

const monthDialog = lazyCode(() => import('./month-dialog.tsx'), 'BudgetDialog')

type Props = { userId: string; sums: Sums; limitMinor: MinorUnits | null; today: string }

/** The budget of the whole month, which the dashboard's form also sets: the rest of it, in total and for each day. */
export function MonthPlate({ userId, sums, limitMinor, today }: Props) {
  const { open, dialog } = useLazyDialog(monthDialog)
  const month = monthOf(today)
  const spentMinor = sumOf(spendingIn(sums, month))
  const { total } = habitsBefore(month, sums)
  const [isHidden] = useAmountsHidden()
  // The proposal would show the mean that the page hides.
  const proposalMinor = limitMinor ?? (isHidden ? null : proposedLimit(total.averageMinor))
  const proposal = proposalMinor === null ? null : numberFromMinor(proposalMinor)
  const edit = () => open({ userId, limit: proposal, spentMinor })
  return (
    <Plate
      aria-label={copy.monthTitle}
      rosette="top-1/2 right-0 size-[30rem] translate-x-[60%] -translate-y-1/2"
      className="budget-plate"
    >
      <p className="budget-plate-line">
        <span className="first-letter:uppercase">{formatMonth(month)}</span>
        <span className="budget-plate-edit">
          {copy.daysLeft(daysLeftIn(today))}
          {limitMinor !== null && (
            <Button
              variant="quiet-plate"
              size="icon"
              aria-label={copy.editMonth}
              title={copy.editMonth}
              onClick={edit}
            >
              <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            </Button>
          )}
        </span>
      </p>
      {limitMinor === null ? (
        <>
          <MoneyText className="text-2xl font-semibold tracking-tight" within={copy.spent}>
            {displayedMinor(spentMinor)}
          </MoneyText>
          <p className="mt-2 mb-4 text-sm text-on-vault-muted">
            {copy.noMonthLimit}
            {total.averageMinor > 0 && (
              <MoneyText within={copy.monthAverage}>{displayedMinor(total.averageMinor)}</MoneyText>
            )}
          </p>
          <Button variant="plate" onClick={edit}>
            {copy.setMonth}
          </Button>
        </>
      ) : (
        <State limitMinor={limitMinor} spentMinor={spentMinor} today={today} />
      )}
      {dialog}
    </Plate>
  )
}

type StateProps = { limitMinor: MinorUnits; spentMinor: MinorUnits; today: string }

function State({ limitMinor, spentMinor, today }: StateProps) {
  const leftMinor = limitMinor - spentMinor
  return (
    <>
      <p className="budget-plate-left">
        <MoneyText
          className="text-2xl font-semibold tracking-tight"
          within={leftMinor < 0 ? copy.over : copy.left}
        >
          {displayedMinor(Math.abs(leftMinor))}
        </MoneyText>
        {leftMinor > 0 && (
          <MoneyText className="text-sm text-on-vault-muted" within={copy.byDay}>
            {/* The daily amount is rounded down, so that the budget lasts until the end of the month. */}
            {displayedMinor(Math.floor(leftMinor / daysLeftIn(today)))}
          </MoneyText>
        )}
      </p>
      {/* The plate is dark in both schemes, and the bar therefore has the colours of the dark scheme. */}
      <div className="budget-plate-bar">
        <LimitMeter
          label={copy.monthMeter}
          limitMinor={limitMinor}
          spentMinor={spentMinor}
          passed={partOfMonth(today)}
        />
      </div>
      <p className="budget-plate-line">
        <MoneyText within={copy.spent}>{displayedMinor(spentMinor)}</MoneyText>
        <MoneyText within={copy.monthLimit}>{displayedMinor(limitMinor)}</MoneyText>
      </p>
    </>
  )
}
