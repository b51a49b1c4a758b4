/**
 * Inspects the JSON body of a write (PostgREST v16, ApiRequest/Payload.hs). The database gets the original text of the
 * body, so that amounts keep all of their digits.
 */
import { jsonDepthMax, jsonKeysMax, restWriteRowsMax } from '@finanzas/contract/limits.ts'
import { isDeeperThan, isRecord } from '#http/json.ts'
import { restErrors } from '#rest/errors.ts'

/** The parsed body of a write, in the form that the planning stage uses. */
export type Payload = {
  /** The rows as the text of a JSON array of objects. */
  readonly json: string
  /** The rows as JavaScript values. The parser may have rounded numbers. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The keys of the first object. */
  readonly keys: readonly string[]
  /** Whether all objects have the same keys. */
  readonly isUniform: boolean
  readonly isArray: boolean
}

/** Parses a body that is an object or an array of objects. Throws PGRST102 and PGRST124. */
export function parsePayload(body: unknown, contentType = 'application/json'): Payload {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (mediaType !== 'application/json') throw restErrors.contentType(mediaType)
  const text = typeof body === 'string' ? body : ''
  const value = parseJson(text)
  const isArray = Array.isArray(value)
  const rows: readonly unknown[] = isArray ? value : [value]
  if (!rows.every(isRecord)) {
    throw restErrors.invalidBody(isArray ? 'All object keys must match' : 'Empty or invalid json')
  }
  if (rows.length > restWriteRowsMax) throw restErrors.tooManyRows(`The body has ${rows.length} rows`)
  if (rows.some((row) => Object.keys(row).length > jsonKeysMax)) {
    throw restErrors.invalidBody(`An object of the body has more than ${jsonKeysMax} keys`)
  }
  const keys = Object.keys(rows[0] ?? {})
  const isUniform = rows.every(
    (row) => Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key)),
  )
  return { json: isArray ? text : `[${text}]`, rows, keys, isUniform, isArray }
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw restErrors.invalidBody()
  }
  if (isDeeperThan(value, jsonDepthMax)) throw restErrors.invalidBody('The json is nested too deeply')
  return value
}
