import type { MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { MonthTotals } from '#planning/sums/month-totals.ts'
import { Plate } from '#ui/plate.tsx'
import { overviewCopy } from './copy.ts'

type Props = { months: readonly MonthTotals[]; balanceMinor: MinorUnits }

/** Four amounts that summarize the whole period. */
export function Totals({ months, balanceMinor }: Props) {
  const inMinor = months.reduce((sum, month) => sum + month.inMinor, 0)
  const outMinor = months.reduce((sum, month) => sum + month.outMinor, 0)
  return (
    <Plate
      aria-label={overviewCopy.totals}
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2 sm:translate-x-1/3"
      className="p-4 sm:p-6"
    >
      <dl className="@container flex flex-wrap gap-x-6 gap-y-3">
        <Figure label={overviewCopy.moneyIn}>{signedMinor(inMinor)}</Figure>
        <Figure label={overviewCopy.moneyOut}>{signedMinor(-outMinor)}</Figure>
        <Figure label={overviewCopy.difference}>{signedMinor(inMinor - outMinor)}</Figure>
        <Figure label={overviewCopy.balanceAtEnd}>{displayedMinor(balanceMinor)}</Figure>
      </dl>
    </Plate>
  )
}

function Figure({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-xs text-on-vault-muted sm:text-sm">{label}</dt>
      <dd className="text-lg font-semibold tracking-tight">
        <MoneyText>{children}</MoneyText>
      </dd>
    </div>
  )
}
