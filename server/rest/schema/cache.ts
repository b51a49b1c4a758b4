/**
 * Caches the schema. All identifiers in SQL statements come from this schema (PostgREST v16, SchemaCache.hs). The
 * schema is read from the catalogue in three cases: at first use, after a request that names an unknown object, and in
 * the background when the cached schema is old. PostgREST instead reloads the schema on NOTIFY.
 */
import { type Database, DatabaseUnavailable, SqlError } from '#database/database.ts'
import { isUnknownName } from '#rest/errors.ts'
import { readSchema } from './read-schema.ts'
import type { Schema } from './schema.ts'

/**
 * The cached schema must be at least this old before an unknown name causes a reload. The schema rarely changes, and
 * requests for unknown names must be cheap.
 */
const ageBeforeReloadMs = 3000
/** The age at which the schema is refreshed in the background. Before the refresh, `*` does not include new columns. */
const ageBeforeRefreshMs = 30_000

/** The schema as it was last read. */
export type SchemaCache = {
  /**
   * Calls `plan` with the schema. If `plan` throws because a name is unknown, and the cached schema is old enough,
   * reads the schema again and repeats the call. Throws `SqlError`, `DatabaseUnavailable` and the errors of `plan`.
   */
  plan<T>(plan: (schema: Schema) => T): Promise<T>
  /**
   * If the error reports an undefined object and the cached schema has reached the minimum age, makes the next request
   * read the schema again.
   */
  invalidate(error: unknown): void
  /** Returns whether the cached schema contains a table or function with this name that requests can use. */
  readonly exposes: (name: string) => boolean
  /** Returns the comment on a check constraint in the cached schema; `null` if the constraint has no comment. */
  readonly constraintMessage: (constraint: string) => string | null
  /**
   * Returns whether the last attempt to read the schema failed although the database was available. After a failed
   * attempt, requests use an older schema or fail.
   */
  readonly isUnreadable: () => boolean
}

type Loaded = { readonly schema: Promise<Schema>; readonly atMs: number; isRefreshing: boolean }

export function createSchemaCache(database: Database): SchemaCache {
  const reader = schemaReader(database)
  let loaded: Loaded | null = null

  const load = (): Promise<Schema> => {
    const schema = reader.read()
    const loading: Loaded = { schema, atMs: Date.now(), isRefreshing: false }
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
    reader.read().then(
      (schema) => {
        if (loaded === old)
          loaded = { schema: Promise.resolve(schema), atMs: Date.now(), isRefreshing: false }
      },
      () => (old.isRefreshing = false),
    )
  }

  const mayReload = () => loaded === null || Date.now() - loaded.atMs >= ageBeforeReloadMs

  return {
    async plan(plan) {
      if (loaded !== null && !loaded.isRefreshing && Date.now() - loaded.atMs >= ageBeforeRefreshMs)
        refresh(loaded)
      const schema = await (loaded?.schema ?? load())
      try {
        return plan(schema)
      } catch (error) {
        if (!isUnknownName(error) || !mayReload()) throw error
        return plan(await load())
      }
    },
    invalidate(error) {
      if (!(error instanceof SqlError) || !undefinedObject.test(error.sqlState)) return
      // Clients can cause this error at any time by using an operator that a column's type does not support. The
      // minimum age therefore applies to this error too.
      if (mayReload()) loaded = null
    },
    constraintMessage: (constraint) => reader.latest()?.constraintMessages.get(constraint) ?? null,
    isUnreadable: () => reader.isUnreadable(),
    exposes: (name) =>
      reader.latest()?.tables.has(name) === true || reader.latest()?.functions.has(name) === true,
  }
}

/** Reads the schema, and remembers the last schema and whether the last attempt failed. */
function schemaReader(database: Database) {
  let latest: Schema | null = null
  let isUnreadable = false
  return {
    latest: () => latest,
    isUnreadable: () => isUnreadable,
    async read(): Promise<Schema> {
      try {
        latest = await readSchema(database)
        isUnreadable = false
        return latest
      } catch (error) {
        isUnreadable = !(error instanceof DatabaseUnavailable)
        throw error
      }
    },
  }
}

// SQLSTATEs for an undefined table, column or function.
const undefinedObject = /^42(?:P01|703|883)$/
