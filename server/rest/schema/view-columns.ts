/**
 * Which columns of a view are columns of a table, unchanged. PostgreSQL keeps what a view selects as the
 * text of a tree, `{QUERY … :targetList ({TARGETENTRY … :resno 1 … :resorigtbl 16385 :resorigcol 1 …}) …}`,
 * in which every column says where it comes from (0 for an expression). Sub-queries have target lists of
 * their own inside of it, so only the outermost is read (PostgreSQL, outfuncs.c).
 */

/** A column of a view that is a column of a table: all three by number. */
export type ViewColumn = { readonly column: number; readonly table: number; readonly tableColumn: number }

/** The columns of a view that come straight from a table or another view. */
export function viewColumnsOf(viewQuery: string): readonly ViewColumn[] {
  return targetEntries(viewQuery).flatMap((entry) => {
    const column = numberAfter(entry, ':resno ')
    const table = numberAfter(entry, ':resorigtbl ')
    const tableColumn = numberAfter(entry, ':resorigcol ')
    return table === 0 || tableColumn === 0 ? [] : [{ column, table, tableColumn }]
  })
}

const targetListName = ':targetList '

/** The text of each outermost target entry, without what stands in braces inside of it. */
function targetEntries(tree: string): string[] {
  const entries: string[] = []
  let depth = 0
  let isInList = false
  let entry = ''
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree.charAt(at)
    if (character === '\\') {
      // What follows belongs to a name or a text.
      at += 1
    } else if (character === '{') {
      depth += 1
      if (depth === 2) entry = ''
    } else if (character === '}') {
      if (depth === 2 && isInList) entries.push(entry)
      depth -= 1
    } else if (depth === 2) {
      entry += character
    } else if (depth === 1 && character === ':') {
      isInList = tree.startsWith(targetListName, at)
    }
  }
  return entries
}

function numberAfter(entry: string, label: string): number {
  const start = entry.indexOf(label)
  return start === -1 ? 0 : Number.parseInt(entry.slice(start + label.length), 10)
}
