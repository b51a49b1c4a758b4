/**
 * Tags of OFX (SGML before version 2, where a value has no closing tag) and of XML. By hand: the page lets no text become
 * a document (`require-trusted-types-for`), and what is not there can expand no entity of a file.
 */
export type Tag = {
  /** In capitals, without its namespace's prefix. */
  readonly name: string
  readonly isClosing: boolean
  readonly isEmpty: boolean
  /** What stands between it and the next tag. */
  readonly text: string
  readonly line: number
}

const tagPattern = /<(\/?)(?:[\w.-]+:)?([\w.-]+)([^<>]*?)(\/?)>(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*))/g

export function* readTags(text: string): Generator<Tag> {
  let line = 1
  let counted = 0
  for (const match of text.matchAll(tagPattern)) {
    for (; counted < match.index; counted += 1) if (text[counted] === '\n') line += 1
    const [, closing, name = '', , empty, raw, escaped = ''] = match
    yield {
      name: name.toUpperCase(),
      isClosing: closing === '/',
      isEmpty: empty === '/',
      text: (raw ?? unescaped(escaped)).trim(),
      line,
    }
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name: string) => {
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
