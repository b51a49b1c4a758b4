import type { HistoryIndex } from '#features/transactions/history/history-index.ts'
import type { ListSource } from '#ui/virtual-list/use-list-window.ts'
import type { ListItems } from './items.ts'

const kinds = { row: 0, bankRow: 1, day: 2 } as const

/** Rows that the bank recorded say so, which takes a line more on a phone. */
const kindHeightsRem = [4.5, 4.5, 2.5]

const dayPrefix = 'day '

/** The items as a virtual list wants them. A row keeps its id as its name, a heading its day. */
export function listSource({ columns }: HistoryIndex, items: ListItems): ListSource {
  const { codes, days, headings } = items
  const { rows, slotsById } = columns
  return {
    count: items.length,
    sticky: headings,
    kindHeightsRem,
    keyOf: (index) => {
      const code = codes[index] ?? 0
      return code < 0 ? `${dayPrefix}${days[-1 - code]?.day}` : (rows[code]?.id ?? '')
    },
    indexOf: (key) => {
      if (key.startsWith(dayPrefix)) {
        return headings[days.findIndex(({ day }) => `${dayPrefix}${day}` === key)] ?? -1
      }
      const slot = slotsById.get(key)
      return slot === undefined ? -1 : codes.indexOf(slot)
    },
    kindOf: (index) => {
      const code = codes[index] ?? 0
      if (code < 0) return kinds.day
      return rows[code]?.recorded_by === 'bank' ? kinds.bankRow : kinds.row
    },
  }
}
