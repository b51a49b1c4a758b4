// Source text with its comments and strings told apart from its code, without a parser: enough for rules
// that look for a word in one of the three and must not be fooled by the others.

/** Three views of one text, all of its length, so that an index in one is the same place in the others. */
export type SourceViews = {
  /** Comments and the insides of strings blanked; the quotes stay. */
  code: string
  /** Everything but comments blanked. */
  comments: string
}

/**
 * Splits TypeScript or JavaScript. A quote inside JSX text opens a string that ends with its line, and the
 * code inside `${…}` counts as string: both cost at most a rule's view of that place.
 */
export function splitSource(text: string): SourceViews {
  let code = ''
  let comments = ''
  for (let at = 0; at < text.length;) {
    const { kind, length } = tokenAt(text, at, code)
    const token = text.slice(at, at + length)
    const blank = token.replace(/[^\n]/g, ' ')
    if (kind === 'comment') code += blank
    else if (kind === 'string') code += length > 1 ? `${token[0]}${blank.slice(1, -1)}${token.at(-1)}` : token
    else code += token
    comments += kind === 'comment' ? token : blank
    at += length
  }
  return { code, comments }
}

type Token = { kind: 'code' | 'comment' | 'string'; length: number }

const lineComment = /\/\/[^\n]*/y
const blockComment = /\/\*[\s\S]*?(?:\*\/|$)/y
const quoted =
  /'(?:\\.|[^'\\\n])*(?:'|(?=\n)|$)|"(?:\\.|[^"\\\n])*(?:"|(?=\n)|$)|`(?:\\[\s\S]|[^`\\])*(?:`|$)/y
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y

/** A slash starts a regular expression where no value can stand before it. */
const beforeExpression = /(?:^|[(,=:[!&|?{};+>]|\breturn|=>)\s*$/

function tokenAt(text: string, at: number, codeBefore: string): Token {
  const length = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0].length ?? 0
  }
  if (text[at] === '/') {
    const comment = length(lineComment) || length(blockComment)
    if (comment > 0) return { kind: 'comment', length: comment }
    const expression = beforeExpression.test(codeBefore.slice(-40)) ? length(regularExpression) : 0
    if (expression > 0) return { kind: 'string', length: expression }
  }
  const string = `'"\``.includes(text[at] ?? '') ? length(quoted) : 0
  return string > 0 ? { kind: 'string', length: string } : { kind: 'code', length: 1 }
}
