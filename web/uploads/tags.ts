/**
 * Parses the tags of XML, HTML and OFX. Before version 2, OFX is SGML, and its values may lack closing tags. The parser
 * is hand-written, because the page's content security policy (`require-trusted-types-for`) forbids parsing text into a
 * document. The parser does not expand entities that are defined in the file.
 */
export type Tag = {
  /** The name in upper case, without its namespace prefix. */
  readonly name: string
  readonly isClosing: boolean
  readonly isEmpty: boolean
  /** The attributes, as they are written in the file. */
  readonly attributes: string
  /** The text between this tag and the next one, without the whitespace around it. */
  readonly text: string
  /** The same text with its whitespace. */
  readonly content: string
  readonly line: number
}

/**
 * Matches the content between `<` and `>`. Names in these formats are not longer than 100 characters, so a longer name
 * is not a tag.
 */
const inner = /^(\/?)(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?![\w.:-])([^]*?)(\/?)$/
const angle = /[<>]/g
/** Matches the beginning of markup. Other texts may contain `<`, such as `COMPRA <1234>` and `a < b`. */
const markup = /<(?=[A-Za-z_/!?])/g
const rawBegin = '<![CDATA['
const rawEnd = ']]>'
const commentBegin = '<!--'
const commentEnd = '-->'

/** Yields the tags of a text. Every character is read only a limited number of times, even in a malformed text. */
export function* readTags(text: string): Generator<Tag> {
  let line = 1
  let lineEnd = text.indexOf('\n')
  const lastRawEnd = text.lastIndexOf(rawEnd)
  const lastCommentEnd = text.lastIndexOf(commentEnd)
  let position = next(markup, text, 0)
  while (position !== -1) {
    if (text.startsWith(commentBegin, position) && lastCommentEnd > position) {
      position = next(markup, text, text.indexOf(commentEnd, position) + commentEnd.length)
      continue
    }
    const close = next(angle, text, position + 1)
    if (text[close] !== '>') {
      position = close === -1 ? -1 : next(markup, text, close)
      continue
    }
    const [, closing, name, attributes = '', empty] = inner.exec(text.slice(position + 1, close)) ?? []
    const isRaw = text.startsWith(rawBegin, close + 1) && lastRawEnd > close
    const from = close + 1 + (isRaw ? rawBegin.length : 0)
    const end = isRaw ? text.indexOf(rawEnd, from) : next(markup, text, from)
    const value = text.slice(from, end === -1 ? undefined : end)
    for (; lineEnd !== -1 && lineEnd < position; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1
    if (name !== undefined) {
      const content = isRaw ? value : unescaped(value)
      yield {
        name: name.toUpperCase(),
        isClosing: closing === '/',
        isEmpty: empty === '/',
        attributes,
        text: content.trim(),
        content,
        line,
      }
    }
    position = end === -1 ? -1 : next(markup, text, end)
  }
}

/** Returns the value of an attribute, ignoring its namespace prefix, or an empty string. */
export function attributeOf({ attributes }: Tag, name: string): string {
  if (attributes === '') return ''
  let pattern = attributePatterns.get(name)
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
    attributePatterns.set(name, pattern)
  }
  const [, double, single, bare] = pattern.exec(attributes) ?? []
  return unescaped(double ?? single ?? bare ?? '')
}

const attributePatterns = new Map<string, RegExp>()

/** Returns the next position at which the pattern matches, or -1. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  pound: '£',
  iquest: '¿',
  iexcl: '¡',
  ordm: 'º',
  ordf: 'ª',
  deg: '°',
  middot: '·',
  ndash: '–',
  mdash: '—',
  minus: '−',
}

/** The combining characters of HTML's names of letters, such as `&eacute;` and `&Ntilde;`. */
const accents: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
}

/** Replaces the entities that XML and HTML define with their characters. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? letter(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

function letter(name: string): string | undefined {
  const accent = accents[name.slice(1).toLowerCase()]
  return accent === undefined ? undefined : `${name.slice(0, 1)}${accent}`.normalize('NFC')
}
