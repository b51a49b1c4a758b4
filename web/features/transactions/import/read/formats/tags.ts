/**
 * Parses the tags of XML and OFX. Before version 2, OFX is SGML, and its values may lack closing tags. The parser is
 * hand-written, because the page's content security policy (`require-trusted-types-for`) forbids parsing text into a
 * document. The parser does not expand entities that are defined in the file.
 */
export type Tag = {
  /** The name in upper case, without its namespace prefix. */
  readonly name: string
  readonly isClosing: boolean
  readonly isEmpty: boolean
  /** The attributes, as they are written in the file. */
  readonly attributes: string
  /** The text between this tag and the next one. */
  readonly text: string
  readonly line: number
}

/**
 * Matches the content between `<` and `>`. Names in these formats are not longer than 100 characters, so a longer name
 * is not a tag.
 */
const inner = /^(\/?)(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?![\w.:-])([^]*?)(\/?)$/
const angle = /[<>]/g
const rawBegin = '<![CDATA['
const rawEnd = ']]>'

/** Yields the tags of a text. Every character is read only a limited number of times, even in a malformed text. */
export function* readTags(text: string): Generator<Tag> {
  let line = 1
  let counted = 0
  const lastRawEnd = text.lastIndexOf(rawEnd)
  let position = text.indexOf('<')
  while (position !== -1) {
    const close = nextAngle(text, position + 1)
    if (text[close] !== '>') {
      position = close
      continue
    }
    const [, closing, name, attributes = '', empty] = inner.exec(text.slice(position + 1, close)) ?? []
    const isRaw = text.startsWith(rawBegin, close + 1) && lastRawEnd > close
    const from = close + 1 + (isRaw ? rawBegin.length : 0)
    const end = isRaw ? text.indexOf(rawEnd, from) : text.indexOf('<', from)
    const value = text.slice(from, end === -1 ? undefined : end)
    for (; counted < position; counted += 1) if (text[counted] === '\n') line += 1
    if (name !== undefined)
      yield {
        name: name.toUpperCase(),
        isClosing: closing === '/',
        isEmpty: empty === '/',
        attributes,
        text: (isRaw ? value : unescaped(value)).trim(),
        line,
      }
    position = end === -1 ? -1 : text.indexOf('<', end)
  }
}

/** Returns the position of the next `<` or `>`, or -1. */
function nextAngle(text: string, from: number): number {
  angle.lastIndex = from
  return angle.exec(text)?.index ?? -1
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
