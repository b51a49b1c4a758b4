import { selectionCopy } from './copy.ts'
import { monthName, monthNameShort } from '#ui/format/dates.ts'
import { earliestDay, formatMonthAndYear, monthOf } from '#ui/format/months.ts'
import { fold } from '#ui/format/text.ts'
import { displayedMinor, readAmount } from '#amounts/amounts.ts'
import { daysOfMonth } from './periods.ts'
import type { Selection } from './selection.ts'

type Filters = Partial<Selection> & { search: string }

/**
 * Returns the filters that a typed text may mean, and the question that offers them. Recognizes months, years and
 * amounts, as in `carulla marzo 2025`, `>100` and `45,320`. Returns `null` for any other text. A month without a year
 * means the latest month of that name. An integer beside other words is not treated as an amount, because it may be
 * part of a name such as `Calle 80`.
 */
export function suggestionFor(typed: string, today: string): { filters: Filters; question: string } | null {
  const words = typed
    .replace(/([<>])\s+/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '')
  const kept: string[] = []
  let month: number | null = null
  let year: number | null = null
  let amounts: Pick<Selection, 'minMinor' | 'maxMinor'> | null = null
  for (const word of words) {
    const [monthRead, yearRead] = [monthIn(word), yearIn(word, today)]
    const amountsRead = words.length === 1 || /[<>$.,]/.test(word) ? amountsIn(word) : null
    if (month === null && monthRead !== null) month = monthRead
    else if (year === null && yearRead !== null) year = yearRead
    else if (amounts === null && amountsRead !== null) amounts = amountsRead
    else {
      kept.push(word)
      continue
    }
    // Removes the prepositions before a month, a year or an amount, as in `en marzo de 2025`.
    while (/^(en|de|del|por)$/i.test(kept.at(-1) ?? '')) kept.pop()
  }
  const days = daysOf(month, year, today)
  if (days === null && amounts === null) return null
  const filters = { search: kept.join(' '), ...days, ...amounts }
  return { filters, question: questionOf(filters, month === null) }
}

function questionOf({ search, from, minMinor, maxMinor }: Filters, isYear: boolean): string {
  const { question, text, movements, exactly, atLeast, atMost, within } = selectionCopy.suggestion
  const least = typeof minMinor === 'number' && displayedMinor(minMinor)
  const most = typeof maxMinor === 'number' && displayedMinor(maxMinor)
  const hasAmount = least !== false || most !== false
  const parts = [
    search === '' ? hasAmount && movements : text(search),
    least === false ? most !== false && atMost(most) : most === false ? atLeast(least) : exactly(least),
    from !== undefined && within(isYear ? from.slice(0, 4) : formatMonthAndYear(monthOf(from))),
  ]
  return question(parts.filter((part) => part !== false).join(' '))
}

function monthIn(word: string): number | null {
  const folded = fold(word)
  const found = Array.from({ length: 12 }, (_, index) => index + 1).find((month) =>
    [monthName(month), monthNameShort(month)].includes(folded),
  )
  return found ?? null
}

function yearIn(word: string, today: string): number | null {
  const isYear = /^\d{4}$/.test(word) && word >= earliestDay(today).slice(0, 4) && word <= today.slice(0, 4)
  return isYear ? Number(word) : null
}

function amountsIn(word: string): Pick<Selection, 'minMinor' | 'maxMinor'> | null {
  const [, limit = '', figures = ''] = /^([<>]?)=?(.*)$/.exec(word) ?? []
  const amount = /\d/.test(figures) ? readAmount(figures) : null
  if (amount?.ok !== true) return null
  const { amountMinor } = amount
  return { minMinor: limit === '<' ? null : amountMinor, maxMinor: limit === '>' ? null : amountMinor }
}

function daysOf(
  month: number | null,
  year: number | null,
  today: string,
): Pick<Selection, 'from' | 'to'> | null {
  if (month === null) return year === null ? null : { from: `${year}-01-01`, to: `${year}-12-31` }
  const inYear = (of: number) => `${of}-${String(month).padStart(2, '0')}`
  const thisYear = Number(today.slice(0, 4))
  return daysOfMonth(inYear(year ?? (inYear(thisYear) > monthOf(today) ? thisYear - 1 : thisYear)))
}
