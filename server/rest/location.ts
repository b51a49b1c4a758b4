/** Addresses in headers, as upstream writes them (PostgREST v16, Response.hs). */

/** Path and query of a read, with its parameters in the order of their names; values of one name stand together. */
export function canonicalLocation(table: string, url: string): string {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  if (parameters.size === 0) return `/${encodeName(table)}`
  parameters.sort()
  const byName = Map.groupBy(parameters, ([name]) => name)
  const joined = [...byName].map(([name, values]) => {
    const list = values.map(([, value]) => encodeName(value)).join(',')
    return `${encodeName(name)}=${list}`
  })
  return `/${encodeName(table)}?${joined.join('&')}`
}

/** Escapes everything but letters, digits and `-_.~`. */
export function encodeName(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
