/** Yields the lines of a text without their line ends. */
export function* linesOf(text: string): Generator<string> {
  const end = /\r\n|\r|\n/g
  let from = 0
  for (let match = end.exec(text); match !== null; match = end.exec(text)) {
    yield text.slice(from, match.index)
    from = end.lastIndex
  }
  yield text.slice(from)
}
