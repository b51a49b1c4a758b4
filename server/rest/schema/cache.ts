/**
 * The schema, read from the catalogue at first use, again when a request names something that it does not
 * have, and beside the requests when it has grown old. The only source of identifiers (PostgREST v16,
 * SchemaCache.hs, which waits for a NOTIFY instead).
 */
import { type Database, SqlError } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { catalogueStatement } from './catalogue.ts'
import { isUnknownName } from '#rest/errors.ts'
import { type Schema, schemaOf } from './schema.ts'

/** Changes of the schema are rare, and asking for what is not there must stay cheap. */
const ageBeforeReloadMs = 3000
/** A column that was added shows in `*` without anybody naming it, once the schema is read anew. */
const ageBeforeRefreshMs = 30_000

/** The schema as it was when it was last read. */
export type SchemaCache = {
  /**
   * What `plan` makes of the schema. When it finds a name unknown and the schema may have changed, it is
   * asked once more with a new one. Throws what `plan` throws, `SqlError` and `DatabaseUnavailable`.
   */
  plan<T>(plan: (schema: Schema) => T): Promise<T>
  /** Notes that the database knows less than the schema says: the next request reads it again, unless it is new. */
  forget(error: unknown): void
  /** Whether a request could name a table or function of that name, as the schema was last read. */
  readonly exposes: (name: string) => boolean
  /** What the comment of a check constraint says, as the schema was last read; `null` for none. */
  readonly sentenceOf: (constraint: string) => string | null
}

type Loaded = { readonly schema: Promise<Schema>; readonly atMs: number; isRefreshing: boolean }

/** A cache that is empty until it is asked. */
export function createSchemaCache(database: Database, now: () => number = Date.now): SchemaCache {
  let loaded: Loaded | null = null
  let latest: Schema | null = null
  const read = async () => (latest = await readSchema(database))

  const load = (): Promise<Schema> => {
    const schema = read()
    const loading: Loaded = { schema, atMs: now(), isRefreshing: false }
    loaded = loading
    // What could not be read is not kept: the next request asks again.
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
    forget(error) {
      if (!(error instanceof SqlError) || !undefinedObject.test(error.sqlState)) return
      // A request can have it say so at will, with an operator that there is not for a column's type.
      if (loaded !== null && now() - loaded.atMs >= ageBeforeReloadMs) loaded = null
    },
    sentenceOf: (constraint) => latest?.sentences.get(constraint) ?? null,
    exposes: (name) => latest?.tables.has(name) === true || latest?.functions.has(name) === true,
  }
}

// Undefined table, column and function.
const undefinedObject = /^42(?:P01|703|883)$/

async function readSchema(database: Database): Promise<Schema> {
  const [rows] = await database.transaction(asCaller({ role: 'anon' }, 'read'), [catalogueStatement])
  const [catalogue] = rows
  if (catalogue === undefined) throw new Error('The catalogue answered no row.')
  return schemaOf(catalogue)
}
