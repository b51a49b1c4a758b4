/**
 * Computes positions in a chart. Positions are fractions of the chart's width and height, measured from the upper left
 * corner. Paths and bars use positions between 0 and `side` instead.
 */

/**
 * Returns the smallest round number that is not less than the value and whose half is also round. Returns 1 if the
 * value is zero or negative.
 */
export function ceilingOf(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value) ?? 10
  return step * power
}

/** Returns the total spending up to and including each of a month's first `days` days. */
export function cumulative(spentOn: (day: number) => number, days: number): number[] {
  let sum = 0
  return Array.from({ length: days }, (_, index) => (sum += spentOn(index + 1)))
}

/**
 * Returns a day's horizontal position. The first day of the month is at the left edge, and day `daysMax` at the right
 * edge.
 */
export function xOfDay(day: number, daysMax: number): number {
  return (day - 1) / (daysMax - 1)
}

/**
 * Returns an amount's vertical position between zero at the bottom and the ceiling at the top. Amounts outside this
 * range are drawn at the nearer edge.
 */
export function yOf(value: number, ceiling: number): number {
  return 1 - Math.min(1, Math.max(0, value / ceiling))
}

/** Side of the square in which a chart is drawn before the square is stretched to the chart's size. */
export const side = 1000

/** Returns the SVG path of a line through the values for the days of a month. */
export function linePath(values: readonly number[], { daysMax, ceiling }: Scale): string {
  return values
    .map((value, index) => {
      const x = xOfDay(index + 1, daysMax) * side
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${(yOf(value, ceiling) * side).toFixed(1)}`
    })
    .join('')
}

/** Returns the SVG path of the area below the line that `linePath` returns. */
export function areaPath(values: readonly number[], scale: Scale): string {
  const right = xOfDay(values.length, scale.daysMax) * side
  return values.length === 0 ? '' : `${linePath(values, scale)}L${right.toFixed(1)} ${side}H0Z`
}

type Scale = { daysMax: number; ceiling: number }

export type Bar = { x: number; y: number; width: number; height: number }

/**
 * Returns two adjacent bars in one of `count` columns. A zero amount has no bar, and a small amount has a bar of
 * minimum height.
 */
export function barPair(
  pair: readonly [number, number],
  { column, count, ceiling }: { column: number; count: number; ceiling: number },
): [Bar, Bar] {
  const columnWidth = side / count
  // In a chart with fewer than six months, the bars are as wide as in a chart with six months.
  const room = Math.min(columnWidth, side / columnsMin)
  const barOf = (value: number, from: number): Bar => {
    const height = value <= 0 ? 0 : Math.max(barHeightMin, (1 - yOf(value, ceiling)) * side)
    const x = (column + 0.5) * columnWidth + from * room
    return { x, y: side - height, width: barPart * room, height }
  }
  return [barOf(pair[0], -barPart - barGap / 2), barOf(pair[1], barGap / 2)]
}

/**
 * Scale of a chart that shows positive and negative differences. The scale extends from `-floor` at the bottom to
 * `ceiling` at the top.
 */
type NetScale = { ceiling: number; floor: number }

/**
 * Returns a scale with round numbers. If any difference is negative, the parts above and below zero each get at least a
 * fifth of the height.
 */
export function netScale(differences: readonly number[]): NetScale {
  const lowest = Math.min(0, ...differences)
  const ceiling = ceilingOf(Math.max(0, ...differences))
  const floor = lowest < 0 ? Math.max(ceilingOf(-lowest), ceiling / 4) : 0
  return { ceiling: Math.max(ceiling, floor / 4), floor }
}

/** Returns zero's vertical position. */
export function zeroOf({ ceiling, floor }: NetScale): number {
  return ceiling / (ceiling + floor)
}

/**
 * Returns the bar for a difference in one of `count` columns. The bar of a negative difference extends down from zero.
 */
export function netBar(
  value: number,
  { column, count, ...scale }: NetScale & { column: number; count: number },
): Bar {
  const columnWidth = side / count
  const width = netBarPart * Math.min(columnWidth, side / columnsMin)
  const part = Math.abs(value) / (scale.ceiling + scale.floor)
  const height = value === 0 ? 0 : Math.max(barHeightMin, part * side)
  const zero = zeroOf(scale) * side
  return { x: (column + 0.5) * columnWidth - width / 2, y: value < 0 ? zero : zero - height, width, height }
}

/**
 * The bars are at most as wide as in a chart with this number of columns. The next three values are fractions of a
 * column's width.
 */
const columnsMin = 6
const barPart = 0.28
const barGap = 0.06
const netBarPart = 0.6
/** Minimum height of a bar in a chart whose height is `side`, so that every amount above zero is visible. */
const barHeightMin = 8

/**
 * Returns whether the label at `index` is drawn. The last label and every n-th label before it are drawn, but not more
 * than `most` labels in total.
 */
export function isLabelled(index: number, { count, most }: { count: number; most: number }): boolean {
  return (count - 1 - index) % Math.ceil(count / most) === 0
}
