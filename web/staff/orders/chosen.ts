import { useState } from 'react'

/**
 * Remembers which rows of a list are chosen. `ids` are the rows that can be chosen, in the order of the list. A chosen
 * row that leaves the list stays in `gone` until the choice is cleared.
 */
export function useChosen(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  return {
    ids: ids.filter((id) => chosen.has(id)),
    gone: [...chosen].filter((id) => !ids.includes(id)).length,
    /**
     * Chooses a row, or removes a chosen row from the choice. A range begins at the row that was changed last. All rows
     * of a range become chosen.
     */
    toggle: (id: string, isRange: boolean) => {
      setChosen((before) =>
        isRange ? withRange(before, { ids, from: anchor, to: id }) : toggled(before, id),
      )
      setAnchor(id)
    },
    /** Takes rows out of the choice, for example after they were decided. */
    remove: (removed: readonly string[]) =>
      setChosen((before) => new Set([...before].filter((id) => !removed.includes(id)))),
    clear: () => {
      setChosen(new Set())
      setAnchor(null)
    },
  }
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const changed = new Set(chosen)
  if (!changed.delete(id)) changed.add(id)
  return changed
}

function withRange(
  chosen: ReadonlySet<string>,
  { ids, from, to }: { ids: readonly string[]; from: string | null; to: string },
): ReadonlySet<string> {
  const end = ids.indexOf(to)
  const begin = from !== null && ids.includes(from) ? ids.indexOf(from) : end
  return new Set([...chosen, ...ids.slice(Math.min(begin, end), Math.max(begin, end) + 1)])
}
