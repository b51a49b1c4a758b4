/**
 * Restricts the SQL that the table API can generate. A committed list (golden-shapes.txt) contains every allowed word,
 * and the words that are allowed after this word. All names in the schema count as one word. All parameters count as
 * another word, and all numbers as a third word. The list does not contain any names that a client chose. The fuzz test
 * in this folder and `npm run nightly` use this file.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { WireError } from '#http/wire-error.ts'
import { type FuzzRequest, fuzzRequests } from './example-requests.ts'
import { library, rawRequest, statementFor } from './example-schema.ts'

const named = {
  tables: [...library.tables.values()].map(({ name, columns }) => ({ name, columns: [...columns.keys()] })),
  embeds: ['authors(name)', 'authors!inner(*)', 'books(id,title)', 'authors(books(title))', 'books!inner()'],
}
const names = new Set(['public', ...named.tables.flatMap(({ name, columns }) => [name, ...columns])])
// Matches a quoted name, a parameter, an alias, a number, a word, a string literal or a symbol.
const token =
  /"[^"]*"|\$\d+|\b(?:(?:t|written)(?:_\d+)+(?:_embed)?|c\d+)\b|\d+|[a-z_]+|'[^']*'|[<>=!@&|~:]+|[^\sa-z]/g

/**
 * Converts random requests to SQL. Returns how many requests were not refused, and the pairs of words that are not
 * on the list.
 */
export function unlistedShapes(size: { requests: number; seed: number }): {
  written: number
  unlisted: readonly string[]
} {
  const lines = readFileSync(new URL('golden-shapes.txt', import.meta.url), 'utf8').split('\n')
  const listed = new Map(lines.map((line) => [line.split(' ', 1)[0], new Set(line.split(' ').slice(1))]))
  const unlisted = new Set<string>()
  let written = 0
  for (const request of fc.sample(fuzzRequests(named), { numRuns: size.requests, seed: size.seed })) {
    const sql = sqlOf(request)
    if (sql === null) continue
    written += 1
    const words = wordsOf(sql)
    for (const [index, word] of words.entries()) {
      const next = words[index + 1] ?? 'END'
      if (listed.get(word)?.has(next) !== true) unlisted.add(`${word} ${next}`)
    }
  }
  return { written, unlisted: [...unlisted] }
}

function wordsOf(sql: string): string[] {
  return [...sql.matchAll(token)].map(([word]) => {
    if (word.startsWith('"')) return names.has(word.slice(1, -1)) ? '"name"' : word
    if (word.startsWith('$')) return '$'
    return word.replace(/\d+/g, '9')
  })
}

/**
 * Returns the SQL of a request, or `null` when the server refuses it. Rethrows any other error, because it is a
 * bug.
 */
function sqlOf({ method, path, headers, body }: FuzzRequest): string | null {
  try {
    return statementFor(rawRequest(path.slice(1), { method, headers, ...(body === null ? {} : { body }) }))
      .text
  } catch (error) {
    if (error instanceof WireError && error.status < 500) return null
    throw error
  }
}
