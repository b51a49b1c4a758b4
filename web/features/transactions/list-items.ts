import type { HistoryIndex, Order } from './history-index.ts'

export type ListItem = { kind: 'day'; day: number; totalMinor: number } | { kind: 'row'; position: number }

/** What the list shows from top to bottom: in date order the rows stand under their days, each with its total. */
export function listItems(index: HistoryIndex, positions: readonly number[], order: Order): ListItem[] {
  if (order !== 'date') return positions.map((position) => ({ kind: 'row', position }))
  const items: ListItem[] = []
  let heading: Extract<ListItem, { kind: 'day' }> | undefined
  for (const position of positions) {
    const day = index.days[position] ?? Number.NaN
    if (heading === undefined || !Object.is(heading.day, day)) {
      heading = { kind: 'day', day, totalMinor: 0 }
      items.push(heading)
    }
    heading.totalMinor += index.signedMinor[position] ?? 0
    items.push({ kind: 'row', position })
  }
  return items
}
