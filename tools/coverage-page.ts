/** Pages that say which tests prove what: their tables, and whether the tests that they name are there. */

/** A test as a page names it: `file` › name. */
export type NamedTest = { readonly file: string; readonly name: string }

/** The cells of each row of the page's tables, without their heads. */
export function rowsOf(page: string): string[][] {
  return [...page.matchAll(/^\|(?!---)(.+)\|\n(?!\|---)/gm)].map(([, cells = '']) =>
    cells.split(' | ').map((cell) => cell.trim()),
  )
}

/** What stands in a cell, one thing on each line. */
export function linesOf(cell: string): string[] {
  return cell.split('<br>').map((line) => line.trim())
}

/** The test that a line names, or `null` when it names none. */
export function namedTest(line: string): NamedTest | null {
  const [, file, name] = /^`([^`]+\.test\.tsx?)` › (.+)$/.exec(line) ?? []
  return file === undefined || name === undefined ? null : { file, name }
}

/** Whether a file calls something with that name as its first argument, as `test('…', …)` does. */
export function isThere({ file, name }: NamedTest, textOf: (path: string) => string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`\(\s*(['"\x60])${escaped}\1`).test(textOf(file))
}
