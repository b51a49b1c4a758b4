/**
 * The schema, read from the catalogue at first use and again when a request names something that it
 * does not have. The only source of identifiers (PostgREST v16, SchemaCache.hs).
 */
import { type Database, SqlError } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { catalogueStatement } from './catalogue.ts'
import { isUnknownName } from './errors.ts'
import { type Schema, schemaOf } from './schema.ts'

/** Changes of the schema are rare, and asking for what is not there must stay cheap. */
const ageBeforeReloadMs = 3000

/** The schema as it was when it was last read. */
export type SchemaCache = {
  /**
   * What `plan` makes of the schema. When it finds a name unknown and the schema may have changed, it is
   * asked once more with a new one. Throws what `plan` throws, `SqlError` and `DatabaseUnavailable`.
   */
  plan<T>(plan: (schema: Schema) => T): Promise<T>
  /** Notes that the database knows less than the schema says: the next request reads it again. */
  forget(error: unknown): void
}

type Loaded = { readonly schema: Promise<Schema>; readonly atMs: number }

/** A cache that is empty until it is asked. */
export function createSchemaCache(database: Database, now: () => number = Date.now): SchemaCache {
  let loaded: Loaded | null = null

  const load = (): Promise<Schema> => {
    const schema = readSchema(database)
    const loading = { schema, atMs: now() }
    loaded = loading
    // What could not be read is not kept: the next request asks again.
    schema.catch(() => {
      if (loaded === loading) loaded = null
    })
    return schema
  }

  return {
    async plan(plan) {
      const schema = await (loaded?.schema ?? load())
      try {
        return plan(schema)
      } catch (error) {
        if (!isUnknownName(error)) throw error
        if (loaded !== null && now() - loaded.atMs < ageBeforeReloadMs) throw error
        return plan(await load())
      }
    },
    forget(error) {
      if (error instanceof SqlError && undefinedObject.test(error.sqlState)) loaded = null
    },
  }
}

// Undefined table, column and function.
const undefinedObject = /^42(?:P01|703|883)$/

async function readSchema(database: Database): Promise<Schema> {
  const [rows] = await database.transaction(asCaller({ role: 'anon' }, 'read'), [catalogueStatement])
  const [catalogue] = rows
  if (catalogue === undefined) throw new Error('The catalogue answered no row.')
  return schemaOf(catalogue.tables, catalogue.functions)
}
