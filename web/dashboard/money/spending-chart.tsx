import { useState, type PointerEvent } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { addMonths, daysIn, firstDay, formatMonth, monthOf } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { chartsCopy } from '#planning/sums/charts/copy.ts'
import {
  areaPath,
  ceilingOf,
  cumulative,
  linePath,
  side,
  xOfDay,
  yOf,
} from '#planning/sums/charts/geometry.ts'
import { Plot, Reading, Readings, gutterFor } from '#planning/sums/charts/plot.tsx'

type Props = {
  /** `2026-11-20` */
  today: string
  spentMinorByDay: ReadonlyMap<string, MinorUnits>
  limitMinor: MinorUnits | null
}

type Line = { month: string; look: 'chart-now' | 'chart-before'; values: readonly number[] }

/**
 * Chart of this month's cumulative spending by day, compared with last month and the budget. The user can point at a
 * day to see its amount.
 */
export function SpendingChart({ today, spentMinorByDay, limitMinor }: Props) {
  const [isHidden] = useAmountsHidden()
  const [chosenDay, setChosenDay] = useState<number | null>(null)
  const { current, before, daysMax, ceiling } = linesOf({ today, spentMinorByDay, limitMinor })
  const scale = { daysMax, ceiling }
  const day = chosenDay ?? Number(today.slice(8))
  const shown = [current, before].filter(({ values }) => values.some((value) => value > 0))
  const readings = shown.map((line) => ({ line, minor: valueOn(line, day) }))

  return (
    <div>
      <Figures {...{ day, readings, limitMinor }} />
      <div className="chart-ground" style={gutterFor(ceiling)}>
        <Plot
          ceilingMinor={ceiling}
          className="plot-days"
          {...(shown.length === 0 && { nothing: chartsCopy.noDays })}
          drawing={<Lines {...{ day, scale, current, shown, limitMinor }} />}
        >
          {!isHidden &&
            readings.map(
              ({ line, minor }) =>
                minor !== null && (
                  <span
                    key={line.month}
                    aria-hidden="true"
                    className={`plot-dot ${line.look}`}
                    style={{
                      left: `${xOfDay(day, daysMax) * 100}%`,
                      top: `${yOf(minor, ceiling) * 100}%`,
                    }}
                  />
                ),
            )}
          <DaySlider {...{ day, daysMax }} onDay={setChosenDay}>
            {readings.map(({ line, minor }) => `${formatMonth(line.month)} ${spoken(minor, isHidden)}`)}
          </DaySlider>
        </Plot>
        <p aria-hidden="true" className="day-labels">
          {labelledDays(daysMax).map((labelled) => (
            <span key={labelled} style={{ left: `${xOfDay(labelled, daysMax) * 100}%` }}>
              {labelled}
            </span>
          ))}
        </p>
      </div>
      <DaysTable lines={shown} daysMax={daysMax} />
    </div>
  )
}

type LinesProps = {
  day: number
  scale: { daysMax: number; ceiling: number }
  current: Line
  shown: readonly Line[]
  limitMinor: number | null
}

function Lines({ day, scale, current, shown, limitMinor }: LinesProps) {
  return (
    <>
      <path d={`M${xOfDay(day, scale.daysMax) * side} 0V${side}`} className="plot-cursor" />
      <path d={areaPath(current.values, scale)} className={`plot-area ${current.look}`} />
      {limitMinor !== null && (
        <path d={`M0 ${yOf(limitMinor, scale.ceiling) * side}H${side}`} className="plot-line chart-budget" />
      )}
      {shown.toReversed().map(({ month, look, values }) => (
        <path key={month} d={linePath(values, scale)} className={`plot-line ${look}`} />
      ))}
    </>
  )
}

type FiguresProps = {
  day: number
  readings: readonly { line: Line; minor: number | null }[]
  limitMinor: MinorUnits | null
}

/** The amounts of the chosen day. */
function Figures({ day, readings, limitMinor }: FiguresProps) {
  return (
    <Readings>
      <Reading label={chartsCopy.untilDay}>{day}</Reading>
      {readings.map(({ line, minor }) => (
        <Reading key={line.month} of={line.look} label={formatMonth(line.month)}>
          {minor === null ? '—' : <MoneyText>{displayedMinor(minor)}</MoneyText>}
        </Reading>
      ))}
      {limitMinor !== null && (
        <Reading of="chart-budget" label={chartsCopy.budget}>
          <MoneyText>{displayedMinor(limitMinor)}</MoneyText>
        </Reading>
      )}
    </Readings>
  )
}

type SliderProps = {
  day: number
  daysMax: number
  onDay: (day: number | null) => void
  /** The text that a screen reader says for the day. */
  children: string[]
}

/** A transparent slider over the chart, with which the user chooses a day. */
function DaySlider({ day, daysMax, onDay, children }: SliderProps) {
  const handlePointer = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const part = Math.min(1, Math.max(0, (event.clientX - left) / width))
    onDay(1 + Math.round(part * (daysMax - 1)))
  }
  return (
    <input
      type="range"
      aria-label={chartsCopy.day}
      aria-valuetext={chartsCopy.dayValue(day, children)}
      min={1}
      max={daysMax}
      value={day}
      onChange={({ target }) => onDay(target.valueAsNumber)}
      onPointerDown={handlePointer}
      onPointerMove={handlePointer}
      onPointerLeave={() => onDay(null)}
    />
  )
}

function spoken(minor: number | null, isHidden: boolean): string {
  if (minor === null) return '—'
  return isHidden ? moneyCopy.hiddenAmount : displayedMinor(minor)
}

function labelledDays(daysMax: number): number[] {
  return [1, 8, 15, 22, daysMax]
}

/** The chart's data, as a table for screen readers. */
function DaysTable({ lines, daysMax }: { lines: readonly Line[]; daysMax: number }) {
  if (lines.length === 0) return null
  return (
    <div className="sr-only">
      <table>
        <caption>{chartsCopy.spentByDay(lines.map(({ month }) => formatMonth(month)))}</caption>
        <thead>
          <tr>
            <th scope="col">{chartsCopy.day}</th>
            {lines.map(({ month }) => (
              <th key={month} scope="col">
                {formatMonth(month)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: daysMax }, (_, index) => (
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              {lines.map(({ month, values }) => {
                const value = values[index]
                return (
                  <td key={month}>
                    {value === undefined ? '—' : <MoneyText>{displayedMinor(value)}</MoneyText>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Returns a line's value on a day, or `null` for a future day. For days after the end of a shorter month, returns the
 * whole month's value.
 */
function valueOn({ month, values }: Line, day: number): number | null {
  return values[Math.min(day, daysIn(month)) - 1] ?? null
}

function linesOf({ today, spentMinorByDay, limitMinor }: Props) {
  const month = monthOf(today)
  const monthBefore = addMonths(month, -1)
  const spentOn = (of: string) => (day: number) =>
    spentMinorByDay.get(firstDay(of).slice(0, -2) + String(day).padStart(2, '0')) ?? 0
  // The latest day may be tomorrow, because an expense may have tomorrow's date.
  const latest = [...spentMinorByDay.keys()].reduce((last, day) => (day > last ? day : last), today)
  const current: Line = {
    month,
    look: 'chart-now',
    values: cumulative(spentOn(month), Number(latest.slice(8))),
  }
  const before: Line = {
    month: monthBefore,
    look: 'chart-before',
    values: cumulative(spentOn(monthBefore), daysIn(monthBefore)),
  }
  return {
    current,
    before,
    daysMax: Math.max(daysIn(month), daysIn(monthBefore)),
    ceiling: ceilingOf(Math.max(limitMinor ?? 0, current.values.at(-1) ?? 0, before.values.at(-1) ?? 0)),
  }
}
