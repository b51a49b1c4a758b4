// Reads SQL files as statements.

/** Returns the statements of an SQL text without comments and without their semicolons. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let code = ''
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at)
    if (token === ';') {
      statements.push(code.trim())
      code = ''
    } else if (token.startsWith('$')) code += withoutComments(token)
    else if (!token.startsWith('--')) code += token
    at += token.length
  }
  if (code.trim() !== '') throw new Error(`An SQL file ends inside a statement: ${code.trim().slice(0, 80)}`)
  return statements
}

/** Returns the string, the quoted name, the comment or the character that begins at a position. */
function tokenAt(text: string, at: number): string {
  const rest = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/y
  rest.lastIndex = at
  return rest.exec(text)?.[0] ?? ''
}

/** Returns the body of a function without its comments. */
function withoutComments(body: string): string {
  return body.replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, (found) => (found.startsWith('--') ? '' : found))
}
