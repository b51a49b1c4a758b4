import { Fragment, useId, useState } from 'react'
import { Link } from '#ui/address/link.tsx'
import { firstDay, formatMonthAndYear, formatMonthShort, lastDay } from '#ui/format/months.ts'
import { displayedCompact, displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { historyPath } from '#planning/sums/paths.ts'
import type { MonthTotals } from '#planning/sums/month-totals.ts'
import { chartsCopy } from './copy.ts'
import { barPair, ceilingOf, isLabelled, netBar, netScale } from './geometry.ts'
import { Plot, Reading, Readings, gutterFor } from './plot.tsx'

type Props = {
  months: readonly MonthTotals[]
  /** Draws a single bar for each month's saved or overspent amount, so that a chart of many months stays readable. */
  isNet?: boolean
}

/** Chart of monthly income and spending. The user can choose a month to read the figures for it. */
export function MonthsChart({ months, isNet = false }: Props) {
  const name = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const count = months.length
  const last = months.at(-1)
  const shown = months.find(({ month }) => month === chosen) ?? last
  const highest = Math.max(0, ...months.flatMap(({ inMinor, outMinor }) => [inMinor, outMinor]))
  const { ceiling, floor } = isNet ? netScale(months.map(netOf)) : { ceiling: ceilingOf(highest), floor: 0 }
  if (shown === undefined) return null

  return (
    <div className="months">
      <Figures shown={shown} isNet={isNet} />
      <fieldset className="chart-ground" style={gutterFor(ceiling, floor)}>
        <legend className="sr-only">{chartsCopy.month}</legend>
        <Plot
          ceilingMinor={ceiling}
          floorMinor={floor}
          className="plot-months"
          {...(months.every(({ inMinor, outMinor }) => inMinor + outMinor === 0) && {
            nothing: chartsCopy.noMonths,
          })}
          drawing={months.map((totals, column) => {
            const { month, inMinor, outMinor } = totals
            if (isNet) {
              const bar = netBar(netOf(totals), { column, count, ceiling, floor })
              return <rect key={month} {...bar} className={`plot-bar ${lookOf(netOf(totals))}`} />
            }
            const [moneyIn, moneyOut] = barPair([inMinor, outMinor], { column, count, ceiling })
            return (
              <Fragment key={month}>
                <rect {...moneyIn} className="plot-bar chart-in" />
                <rect {...moneyOut} className="plot-bar chart-out" />
              </Fragment>
            )
          })}
        />
        <Labels months={months} isNet={isNet} />
        <div className="month-columns">
          {months.map(({ month }) => (
            <label key={month}>
              <input
                type="radio"
                name={name}
                value={month}
                checked={month === shown.month}
                onChange={() => setChosen(month)}
                className="sr-only"
              />
              <span className="sr-only">{formatMonthAndYear(month)}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** The figures of the chosen month. */
function Figures({ shown, isNet }: { shown: MonthTotals; isNet: boolean }) {
  return (
    <Readings>
      <Reading label={formatMonthAndYear(shown.month)}>
        <Link
          to={historyPath({ since: firstDay(shown.month), until: lastDay(shown.month) })}
          className="text-primary hover:underline"
        >
          {chartsCopy.seeTransactions}
        </Link>
      </Reading>
      {isNet && (
        <Reading of={lookOf(netOf(shown))} label={netOf(shown) < 0 ? chartsCopy.overspent : chartsCopy.saved}>
          <MoneyText>{displayedMinor(Math.abs(netOf(shown)))}</MoneyText>
        </Reading>
      )}
      <Reading {...(!isNet && { of: 'chart-in' })} label={chartsCopy.moneyIn}>
        <MoneyText>{signedMinor(shown.inMinor)}</MoneyText>
      </Reading>
      <Reading {...(!isNet && { of: 'chart-out' })} label={chartsCopy.moneyOut}>
        <MoneyText>{signedMinor(-shown.outMinor)}</MoneyText>
      </Reading>
      <Reading label={chartsCopy.balanceAtEnd}>
        <MoneyText>{displayedMinor(shown.balanceMinor)}</MoneyText>
      </Reading>
    </Readings>
  )
}

function Labels({ months, isNet }: { months: readonly MonthTotals[]; isNet: boolean }) {
  const [isHidden] = useAmountsHidden()
  const count = months.length
  return (
    <div aria-hidden="true" className={`plot-labels ${count <= balancesMax ? 'few' : 'many'}`}>
      {months.map((totals, index) => (
        <p key={totals.month}>
          {isLabelled(index, { count, most: labelsMax }) && (
            <span className={labelClass(index, count)}>{formatMonthShort(totals.month)}</span>
          )}
          {count <= labelsMax && (
            <strong>{isHidden ? '••' : displayedCompact(isNet ? netOf(totals) : totals.balanceMinor)}</strong>
          )}
        </p>
      ))}
    </div>
  )
}

function netOf({ inMinor, outMinor }: MonthTotals): number {
  return inMinor - outMinor
}

function lookOf(netMinor: number): string {
  return netMinor < 0 ? 'chart-over' : 'chart-in'
}

/**
 * Maximum number of months in a narrow chart that still shows the balances below the months. The other values are the
 * maximum numbers of labels on a desktop, on a phone, and on a phone with large text.
 */
const balancesMax = 6
const labelsMax = 12
const labelsMaxNarrow = 6
const labelsMaxTight = 3

function labelClass(index: number, count: number): string {
  const isNarrow = !isLabelled(index, { count, most: labelsMaxNarrow })
  const isTight = !isLabelled(index, { count, most: labelsMaxTight })
  return `${isNarrow ? 'narrow-no' : ''} ${isTight ? 'tight-no' : ''}`
}
