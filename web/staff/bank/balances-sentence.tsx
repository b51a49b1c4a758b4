import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { BankSums } from './bank.ts'
import { bankCopy as copy } from './copy.ts'

type Props = { sums: BankSums; className: string }

/** Says why the balances that customers see add up to another amount than the bank's debt, if they do. */
export function BalancesSentence({ sums, className }: Props) {
  const { totalMinor, overdrawnMinor, notedMinor } = sums
  if (overdrawnMinor === 0 && notedMinor === 0) return null
  return (
    <p className={className}>
      <MoneyText within={copy.balances}>{displayedMinor(totalMinor)}</MoneyText>
      {overdrawnMinor !== 0 && (
        <MoneyText within={notedMinor === 0 ? copy.overdrawnAlone : copy.overdrawn}>
          {displayedMinor(Math.abs(overdrawnMinor))}
        </MoneyText>
      )}
      {notedMinor !== 0 && <MoneyText within={copy.noted}>{displayedMinor(Math.abs(notedMinor))}</MoneyText>}
    </p>
  )
}
