/**
 * Caches the schema, the only source of identifiers (PostgREST v16, SchemaCache.hs). Reads it from the catalogue at
 * first use, when a request names an unknown object, and in the background when it is old. PostgREST waits for a NOTIFY
 * instead.
 */
import { type Database, DatabaseUnavailable, SqlError } from '#database/database.ts'
import { isUnknownName } from '#rest/errors.ts'
import { readSchema } from './read-schema.ts'
import type { Schema } from './schema.ts'

/**
 * Minimum age at which the schema is reloaded for an unknown name. Changes are rare, and requests for unknown names
 * must be cheap.
 */
const ageBeforeReloadMs = 3000
/** Age at which the schema is refreshed in the background. Until the refresh, `*` does not include a new column. */
const ageBeforeRefreshMs = 30_000

/** The schema as last read. */
export type SchemaCache = {
  /**
   * Calls `plan` with the schema. If `plan` finds a name unknown and the schema may have changed, calls it again with
   * a new schema. Throws errors of `plan`, `SqlError` and `DatabaseUnavailable`.
   */
  plan<T>(plan: (schema: Schema) => T): Promise<T>
  /**
   * Makes the next request read the schema again if the error reports an undefined object and the schema has reached
   * the minimum age.
   */
  invalidate(error: unknown): void
  /** Returns whether a request can name a table or function of this name, in the schema as last read. */
  readonly exposes: (name: string) => boolean
  /** Returns the comment on a check constraint, in the schema as last read; `null` without one. */
  readonly constraintMessage: (constraint: string) => string | null
  /**
   * Returns whether the last read failed although the database was available. Requests then use an older schema or
   * fail.
   */
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
    // A failed read is not cached, so the next request tries again.
    schema.catch(() => {
      if (loaded === loading) loaded = null
    })
    return schema
  }

  /** Reads the schema in the background. Requests use the current schema until the read succeeds. */
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
      // A client can cause this error at any time, with an operator that a column's type does not support. The minimum
      // age therefore applies here too.
      if (loaded !== null && now() - loaded.atMs >= ageBeforeReloadMs) loaded = null
    },
    constraintMessage: (constraint) => latest?.constraintMessages.get(constraint) ?? null,
    isUnreadable: () => isUnreadable,
    exposes: (name) => latest?.tables.has(name) === true || latest?.functions.has(name) === true,
  }
}

// Undefined table, column or function.
const undefinedObject = /^42(?:P01|703|883)$/
