/**
 * LIKE patterns: `%` is any run of characters, `_` one character, `\` takes the next one literally
 * (PostgreSQL, `like_match.c`). No regular expression: one made of a client's pattern could run for
 * years; here a text takes at most its length times the pattern's.
 */

type Token = { readonly kind: 'character'; readonly value: string } | { readonly kind: 'one' | 'run' }

/** Makes the test of a pattern; `ilike` folds case. */
export function likePattern(pattern: string, options: { foldsCase: boolean }): (text: string) => boolean {
  const fold = (text: string) => (options.foldsCase ? text.toLowerCase() : text)
  const tokens = tokensOf(fold(pattern))
  return (text) => matches(tokens, [...fold(text)])
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  let isEscaped = false
  for (const value of pattern) {
    if (isEscaped) tokens.push({ kind: 'character', value })
    else if (value === '%') tokens.push({ kind: 'run' })
    else if (value === '_') tokens.push({ kind: 'one' })
    else if (value !== '\\') tokens.push({ kind: 'character', value })
    isEscaped = !isEscaped && value === '\\'
  }
  return tokens
}

/** Greedy with one way back: after a later `%`, an earlier one need not be tried again. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0
  let position = 0
  let retry: { token: number; position: number } | null = null
  while (position < text.length) {
    const current = tokens[token]
    if (current?.kind === 'run') {
      retry = { token: token + 1, position }
      token += 1
    } else if (
      current !== undefined &&
      (current.kind === 'one' || (current.kind === 'character' && current.value === text[position]))
    ) {
      token += 1
      position += 1
    } else if (retry !== null) {
      retry = { token: retry.token, position: retry.position + 1 }
      token = retry.token
      position = retry.position
    } else {
      return false
    }
  }
  return tokens.slice(token).every(({ kind }) => kind === 'run')
}
