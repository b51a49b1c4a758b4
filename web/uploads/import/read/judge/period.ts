/** Reads the period that a file states above its table, and gives the years of days without one. */
import { fold } from '#ui/format/text.ts'
import type { Row } from '#uploads/table.ts'
import { isoDayOf, parseDay, parseMonth } from '#uploads/import/read/days.ts'

/** The first and the last day. */
export type Period = {
  readonly first: string
  readonly last: string
  /** Whether the file states only the year. */
  readonly isYear?: boolean
}

const periodWords =
  /period|desde|hasta|extracto|estado de cuenta|estado mensual|movimientos|statement|transactions|\bfrom\b|\bto\b|\bmes\b|month|\bcorte\b|\bdel?\b.*\bal?\b|zeitraum|kontoauszug|extrato|releve/
const otherWords =
  /gener|impre|imprim|print|descarg|download|emisi|emiti|expedi|consult|cread|created|creation|abiert|apertur|open|nacim|birth|vencim|\bdue\b|pagu?e|pago|payment|solicit|fecha y hora|date de|erstellt|gedruckt|\bactualiza/
const writtenDays =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[\s/-]+(?:de\s+)?\p{L}{3,}\.?[\s/-]+(?:de[l]?\s+)?\d{4}|(?<!\p{L})\p{L}{3,}\.? \d{1,2}, ?\d{4}/gu

/** Returns the period, or `null` if the texts only contain other days, such as the day of printing. */
export function statedPeriod(above: readonly Row[]): Period | null {
  const texts = above.flatMap(labelledTexts)
  const days = texts.flatMap((text) =>
    [...text.matchAll(writtenDays)].flatMap(([part]) => possibleDays(part)),
  )
  if (days.length > 0) return { first: days.sort()[0] ?? '', last: days.at(-1) ?? '' }
  const months = texts.flatMap(monthsIn).sort()
  const [first, last] = [months[0], months.at(-1)]
  if (first !== undefined && last !== undefined) {
    const [year, month] = last.split('-').map(Number)
    const end = new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10)
    return { first: `${first}-01`, last: end }
  }
  const years = texts.flatMap((text) => text.match(/(?<!\d)20\d{2}(?!\d)/g) ?? []).sort()
  const year = years.at(-1)
  return year === undefined ? null : yearPeriod(year)
}

export function yearPeriod(year: string): Period {
  return { first: `${year}-01-01`, last: `${year}-12-31`, isYear: true }
}

/** Returns the texts of a row that speak of a period. A text without words has the words of the text before it. */
function labelledTexts({ fields }: Row): string[] {
  let label = ''
  return fields
    .filter((field) => /\d/.test(field) || /\p{L}/u.test(field))
    .flatMap((field) => {
      const own = fold(field)
      if (/\p{L}{3}/u.test(own.replace(writtenDays, ''))) label = own
      if (!/\d/.test(field)) return []
      const isPeriod = periodWords.test(label) && (!otherWords.test(label) || /period/.test(label))
      const isRange = (field.match(writtenDays)?.length ?? 0) === 2
      return isPeriod || (isRange && !otherWords.test(label)) ? [own] : []
    })
}

/** Returns the day in both orders. */
function possibleDays(text: string): string[] {
  const day = parseDay(text)
  if (day === null || day.year === '') return []
  return (['day-first', 'month-first'] as const).flatMap((order) => isoDayOf(day, { order }) ?? [])
}

/** Returns the months of texts such as `marzo de 2025` in the form `2025-03`. */
function monthsIn(text: string): string[] {
  return [...text.matchAll(/(?<!\p{L})(\p{L}{3,})\.?[\s/-]+(?:de[l]?\s+)?(20\d{2})/gu)].flatMap(
    ([, name = '', year]) => {
      const month = parseMonth(name)
      return month === '' ? [] : [`${year}-${month.padStart(2, '0')}`]
    },
  )
}
