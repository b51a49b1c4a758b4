import { selectionCopy } from './copy.ts'
import { formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { firstDay, formatMonthAndYear, lastDay, monthOf } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import type { Selection } from './selection.ts'

/** Describes the selection and the order of its rows in one line, for the printed page. */
export function selectionInWords(selection: Selection): string {
  const { search, order } = selection
  const { printedEverything, printedSearch, printedOrder, orders } = selectionCopy
  const what = [...categoriesInWords(selection), ...rangeInWords(selection)]
  const parts = [
    ...(what.length === 0 ? [printedEverything] : what),
    ...(search.trim() === '' ? [] : [printedSearch(search.trim())]),
    printedOrder(orders[order]),
  ]
  return parts.join(', ')
}

function categoriesInWords({ categories, withDeposits }: Selection): string[] {
  return [
    ...(withDeposits ? [selectionCopy.deposits] : []),
    ...(categories.length === 0 ? [] : [selectionCopy.printedCategories(categories)]),
  ]
}

/** Describes the selected range of days and of amounts, if they are limited. */
export function rangeInWords({ from, to, minMinor, maxMinor }: Selection): string[] {
  const { printedDays, printedAmounts } = selectionCopy
  return [
    ...(from === '' && to === ''
      ? []
      : [wholeInWords(from, to) ?? printedDays(dayInWords(from), dayInWords(to))]),
    ...(minMinor === null && maxMinor === null
      ? []
      : [printedAmounts(amountInWords(minMinor), amountInWords(maxMinor))]),
  ]
}

/** Returns a text such as `marzo de 2026` if the days are a whole month, or `2026` if they are a whole year. */
function wholeInWords(from: string, to: string): string | null {
  const month = monthOf(from)
  if (from === firstDay(month) && to === lastDay(month)) return formatMonthAndYear(month)
  const year = from.slice(0, 4)
  return from === `${year}-01-01` && to === `${year}-12-31` ? year : null
}

function dayInWords(day: string): string {
  return day === '' ? '' : formatDateWithYear(noonInBogota(day))
}

function amountInWords(minor: number | null): string {
  return minor === null ? '' : displayedMinor(minor)
}
