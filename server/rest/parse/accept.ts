/**
 * `Accept`: what an answer looks like (PostgREST v16, ApiRequest.hs and MediaType.hs). Refused on
 * purpose: query plans, which tell of rows that the caller must not see (security.md AZ-08).
 */
import { restErrors } from '#rest/errors.ts'

export type Format = {
  readonly kind: 'array' | 'object' | 'csv'
  /** Whether keys without a value are left out of the objects. */
  readonly stripsNulls: boolean
}

const kinds: ReadonlyMap<string, Format['kind']> = new Map([
  ['*/*', 'array'],
  ['application/*', 'array'],
  ['application/json', 'array'],
  ['application/vnd.pgrst.array', 'array'],
  ['application/vnd.pgrst.array+json', 'array'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
])

/** The first of the accepted types that can be answered. Throws PGRST107. */
export function parseAccept(accept: string | undefined): Format {
  for (const range of (accept ?? '*/*').split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const kind = kinds.get(mediaType)
    if (kind !== undefined) {
      return { kind, stripsNulls: kind !== 'csv' && parameters.includes('nulls=stripped') }
    }
  }
  throw restErrors.mediaType(accept ?? '')
}

export function contentTypeOf({ kind, stripsNulls }: Format): string {
  if (kind === 'csv') return 'text/csv; charset=utf-8'
  const stripped = stripsNulls ? ';nulls=stripped' : ''
  if (kind === 'object') return `application/vnd.pgrst.object+json${stripped}; charset=utf-8`
  return stripsNulls
    ? `application/vnd.pgrst.array+json${stripped}; charset=utf-8`
    : 'application/json; charset=utf-8'
}
