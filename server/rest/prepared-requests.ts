/**
 * Plans requests to tables. Caches the plans of reads, because the web page repeats the same reads after each change.
 */
import type { SqlStatement } from '#database/database.ts'
import { type ApiRequest, type RawRequest, askedHeaders, parseRequest } from '#rest/parse/parse.ts'
import { type Plan, planRequest } from '#rest/plan/plan.ts'
import { isShortRead } from '#rest/plan/short.ts'
import { canonicalLocation } from './respond.ts'
import type { Schema } from '#rest/schema/schema.ts'
import type { Answer } from '#rest/sql/parts.ts'
import { statementOf } from '#rest/sql/statement.ts'

/** A request to a table, ready to be sent to the database. A prepared request does not depend on the caller. */
type Prepared = {
  readonly request: ApiRequest
  readonly plan: Plan
  readonly statement: SqlStatement<Answer>
  readonly isShort: boolean
  /** The path and query after the prefix, in canonical form. */
  readonly location: string
}

/** Maximum number of cached reads. Above this number, the oldest read is evicted. */
const readsMax = 1000
/** Longer requests are not cached, because they are seldom repeated and their plans are large. */
const keyCharactersMax = 1000

export class PreparedRequests {
  #schema: Schema | null = null
  readonly #byKey = new Map<string, Prepared>()

  /** Prepares a request. `prefix` is the path before the table's name. Throws `WireError`. */
  prepare(schema: Schema, request: RawRequest, prefix: string): Prepared {
    if (request.method !== 'GET') return prepare(schema, request, prefix)
    if (schema !== this.#schema) this.#byKey.clear()
    this.#schema = schema
    const key = keyOf(request)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const prepared = prepare(schema, request, prefix)
    if (key.length > keyCharactersMax) return prepared
    const [oldest] = this.#byKey.keys()
    if (oldest !== undefined && this.#byKey.size >= readsMax) this.#byKey.delete(oldest)
    this.#byKey.set(key, prepared)
    return prepared
  }
}

function keyOf({ url, headers }: RawRequest): string {
  return [url, ...askedHeaders.map((name) => headers[name] ?? '')].join('\n')
}

function prepare(schema: Schema, raw: RawRequest, prefix: string): Prepared {
  const request = parseRequest(raw)
  const plan = planRequest(schema, request)
  return {
    request,
    plan,
    statement: statementOf(plan),
    isShort: plan.action === 'read' && isShortRead(plan),
    location: canonicalLocation(raw.url.slice(prefix.length)),
  }
}
