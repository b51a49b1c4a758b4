/**
 * The schema, read from the catalogue at first use, again when a request names something that it does not
 * have, and beside the requests when it has grown old. The only source of identifiers (PostgREST v16,
 * SchemaCache.hs, which waits for a NOTIFY instead).
 */
import { type Database, DatabaseUnavailable, SqlError } from '#database/database.ts'
import { isUnknownName } from '#rest/errors.ts'
import { readSchema } from './read-schema.ts'
import type { Schema } from './schema.ts'

/** Changes of the schema are rare, and asking for what is not there must stay cheap. */
const ageBeforeReloadMs = 3000
/** A new column shows in `*` only once the schema is read again. */
const ageBeforeRefreshMs = 30_000

/** The schema as it was when it was last read. */
export type SchemaCache = {
  /**
   * The schema as `plan` uses it. When it finds a name unknown and the schema may have changed, it is asked once more
   * with a new one. Throws what `plan` throws, `SqlError` and `DatabaseUnavailable`.
   */
  plan<T>(plan: (schema: Schema) => T): Promise<T>
  /** Invalidates the schema where the error says that an object is undefined, unless it was read a moment ago. */
  invalidate(error: unknown): void
  /** Whether a request could name a table or function of that name, as the schema was last read. */
  readonly exposes: (name: string) => boolean
  /** The comment of a check constraint, as the schema was last read; `null` for none. */
  readonly constraintMessage: (constraint: string) => string | null
  /** Whether the last reading failed though the database was there: requests are served by an older schema, or not. */
  readonly isUnreadable: () => boolean
}

type Loaded = { readonly schema: Promise<Schema>; readonly atMs: number; isRefreshing: boolean }

export function createSchemaCache(database: Database, now: () => number = Date.now): SchemaCache {
  let loaded: Loaded | null = null
  let latest: Schema | null = null
  let isUnreadable = false
  const read = async () => {
    try {
      latest = await readSchema(database)
      isUnreadable = false
      return latest
    } catch (error) {
      isUnreadable = !(error instanceof DatabaseUnavailable)
      throw error
    }
  }

  const load = (): Promise<Schema> => {
    const schema = read()
    const loading: Loaded = { schema, atMs: now(), isRefreshing: false }
    loaded = loading
    // A failed read is not cached: the next request tries again.
    schema.catch(() => {
      if (loaded === loading) loaded = null
    })
    return schema
  }

  /** Reads the schema while requests go on with the one that there is; a failure leaves it in place. */
  const refresh = (old: Loaded): void => {
    old.isRefreshing = true
    read().then(
      (schema) => {
        if (loaded === old) loaded = { schema: Promise.resolve(schema), atMs: now(), isRefreshing: false }
      },
      () => (old.isRefreshing = false),
    )
  }

  return {
    async plan(plan) {
      if (loaded !== null && !loaded.isRefreshing && now() - loaded.atMs >= ageBeforeRefreshMs)
        refresh(loaded)
      const schema = await (loaded?.schema ?? load())
      try {
        return plan(schema)
      } catch (error) {
        if (!isUnknownName(error)) throw error
        if (loaded !== null && now() - loaded.atMs < ageBeforeReloadMs) throw error
        return plan(await load())
      }
    },
    invalidate(error) {
      if (!(error instanceof SqlError) || !undefinedObject.test(error.sqlState)) return
      // A request can provoke this at will, with an operator that a column's type does not have.
      if (loaded !== null && now() - loaded.atMs >= ageBeforeReloadMs) loaded = null
    },
    constraintMessage: (constraint) => latest?.constraintMessages.get(constraint) ?? null,
    isUnreadable: () => isUnreadable,
    exposes: (name) => latest?.tables.has(name) === true || latest?.functions.has(name) === true,
  }
}

// Undefined table, column and function.
const undefinedObject = /^42(?:P01|703|883)$/
