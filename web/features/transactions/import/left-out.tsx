import { formatDateWithYear, noonInBogota } from '#format/dates.ts'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { importCopy } from './copy.ts'
import { MoreLines, namedMax } from '#upload/named-lines.tsx'
import type { Movement } from '#features/transactions/import/read/expenses-from-rows.ts'

type LeftOutProps = { known: readonly Movement[]; incomes: readonly Movement[]; empty: readonly number[] }

/** Lines of a file that are not recorded: known ones, incomes, and lines without an amount. */
export function LeftOut({ known, incomes, empty }: LeftOutProps) {
  return (
    <>
      <Movements title={importCopy.known(known.length)} movements={known} />
      <Movements title={importCopy.incomes(incomes.length)} movements={incomes} why={importCopy.incomesWhy} />
      {empty.length > 0 && <p className="text-sm text-muted">{importCopy.empty(empty)}</p>}
    </>
  )
}

type MovementsProps = { title: string; movements: readonly Movement[]; why?: string }

function Movements({ title, movements, why }: MovementsProps) {
  if (movements.length === 0) return null
  return (
    <details className="file-details">
      <summary>{title}</summary>
      {why !== undefined && <p className="text-sm text-muted">{why}</p>}
      <ul className="file-lines">
        {movements.slice(0, namedMax).map(({ line, day, description, amountMinor }) => (
          <li key={line}>
            <span className="text-muted">{formatDateWithYear(noonInBogota(day))}</span>{' '}
            <span className="wrap-anywhere">{description}</span>{' '}
            <MoneyText className="figures">{displayedMinor(amountMinor)}</MoneyText>
          </li>
        ))}
        <MoreLines count={movements.length - namedMax} />
      </ul>
    </details>
  )
}
