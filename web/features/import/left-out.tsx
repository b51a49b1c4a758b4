import { formatDateWithYear, noonInBogota } from '#format/dates.ts'
import { displayedMinor } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { importCopy } from './copy.ts'
import type { BrokenLine, Movement } from './read/lines.ts'

/** Lines that a list names; of the others it says how many. */
const namedMax = 100

type LeftOutProps = { known: readonly Movement[]; incomes: readonly Movement[]; empty: readonly number[] }

/** What a file has and is not recorded: what is there already, what comes in, and what moves nothing. */
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
    <details className="import-details">
      <summary>{title}</summary>
      {why !== undefined && <p className="text-sm text-muted">{why}</p>}
      <ul className="import-lines">
        {movements.slice(0, namedMax).map(({ line, day, description, amountMinor }) => (
          <li key={line}>
            <span className="text-muted">{formatDateWithYear(noonInBogota(day))}</span>{' '}
            <span className="wrap-anywhere">{description}</span>{' '}
            <MoneyText className="figures">{displayedMinor(amountMinor)}</MoneyText>
          </li>
        ))}
        <More count={movements.length - namedMax} />
      </ul>
    </details>
  )
}

type BrokenProps = {
  broken: readonly BrokenLine[]
  /** Whether the others are to be recorded without them. */
  isAccepted: boolean
  onAccept: (isAccepted: boolean) => void
  hasOthers: boolean
}

/** Lines that could not be read, by number. Nothing is recorded before a person has seen that they are missing. */
export function BrokenLines({ broken, isAccepted, onAccept, hasOthers }: BrokenProps) {
  if (broken.length === 0) return null
  return (
    <div className="import-broken">
      <p className="font-semibold text-danger">{importCopy.broken(broken.length)}</p>
      <ul className="import-lines">
        {broken.slice(0, namedMax).map(({ line, fault, text }) => (
          <li key={line}>
            {importCopy.brokenLine(line, importCopy.faults[fault])}{' '}
            <span className="text-muted wrap-anywhere">{text}</span>
          </li>
        ))}
        <More count={broken.length - namedMax} />
      </ul>
      {hasOthers && (
        <label className="import-accept">
          <input type="checkbox" checked={isAccepted} onChange={({ target }) => onAccept(target.checked)} />
          {importCopy.withoutBroken}
        </label>
      )}
    </div>
  )
}

/** What the database has refused, which the page took for right. */
export function RefusedLines({ refused }: { refused: readonly { line: number; message: string }[] }) {
  if (refused.length === 0) return null
  return (
    <div className="import-broken">
      <p className="font-semibold text-danger">{importCopy.refusedLines}</p>
      <ul className="import-lines">
        {refused.map(({ line, message }) => (
          <li key={line}>{importCopy.brokenLine(line, message)}</li>
        ))}
      </ul>
    </div>
  )
}

function More({ count }: { count: number }) {
  return count > 0 ? <li className="text-muted">{importCopy.moreLines(count)}</li> : null
}
