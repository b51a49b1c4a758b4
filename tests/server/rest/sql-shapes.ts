/**
 * Bounds the SQL that the table API can write: every word and the words that may follow it are on a committed list
 * (golden-shapes.txt). Names of the schema, parameters and numbers count as one word each; a name of the client's is on
 * no list. For the fuzz of this room and of `npm run nightly`.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { WireError } from '#server/http/wire-error.ts'
import { type FuzzRequest, fuzzRequests } from './example-requests.ts'
import { library, rawRequest, statementFor } from './example-schema.ts'

const named = {
  tables: [...library.tables.values()].map(({ name, columns }) => ({ name, columns: [...columns.keys()] })),
  embeds: ['authors(name)', 'authors!inner(*)', 'books(id,title)', 'authors(books(title))', 'books!inner()'],
}
const names = new Set(['public', ...named.tables.flatMap(({ name, columns }) => [name, ...columns])])
// A name in quotes, an alias, a parameter, a number, a word, or a sign.
const token =
  /"[^"]*"|\$\d+|\b(?:(?:t|written)(?:_\d+)+(?:_embed)?|c\d+)\b|\d+|[a-z_]+|'[^']*'|[<>=!@&|~:]+|[^\sa-z]/g

/** Random requests of the whole grammar: how many are written as SQL, and the pairs of words that are not on the list. */
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

/** The SQL of a request; `null` when it is refused. Anything else that it throws is a mistake of ours. */
function sqlOf({ method, path, headers, body }: FuzzRequest): string | null {
  try {
    return statementFor(rawRequest(path.slice(1), { method, headers, ...(body === null ? {} : { body }) }))
      .text
  } catch (error) {
    if (error instanceof WireError && error.status < 500) return null
    throw error
  }
}
