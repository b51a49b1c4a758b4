import type { ReactNode } from 'react'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Plate } from '#ui/plate.tsx'
import { listCopy } from './copy.ts'

type Props = {
  balance: ReactNode
  inMinor: number | null
  outMinor: number | null
  /** Describes which rows are included in the sums. */
  sumsOf: string
  /** Additional content beside the figures. */
  children?: ReactNode
}

/**
 * Shows the balance, and the total income and spending of the rows on screen. A dash replaces any figure that could not
 * be read.
 */
export function ListSummary({ balance, inMinor, outMinor, sumsOf, children }: Props) {
  return (
    <Plate
      aria-label={listCopy.summary}
      rosette="hidden lg:block -right-24 top-1/2 size-96 -translate-y-1/2"
      className="history-summary print:hidden"
    >
      <div className="@container flex flex-wrap items-end justify-between">
        <dl className="flex flex-wrap justify-between">
          <Figure label={listCopy.balance}>{balance}</Figure>
          {[
            { label: listCopy.moneyIn, minor: inMinor },
            { label: listCopy.moneyOut, minor: outMinor },
          ].map(({ label, minor }) => (
            <Figure key={label} label={label}>
              {minor === null ? '—' : <MoneyText>{displayedMinor(minor)}</MoneyText>}
            </Figure>
          ))}
        </dl>
        {children}
        <p className="text-xs text-on-vault-muted">{sumsOf}</p>
      </div>
    </Plate>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="max-w-full">
      <dt className="text-xs text-on-vault-muted">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
