/** Compares the answers of the table API about one relation with the database. */
import type { Made } from './random-object.ts'
import { type TableApi, fieldName, identifier } from './table-api.ts'

/** A relation that is checked, and the findings about it. */
type Checked = {
  readonly api: TableApi
  readonly name: string
  readonly path: string
  readonly table: string
  readonly findings: string[]
  /** Sends a request that must not get a 5xx status. */
  readonly expectAnswer: (what: string, ...request: Parameters<TableApi['ask']>) => Promise<void>
}

const whole = { headers: { prefer: 'return=representation,missing=default' } }

/**
 * Compares what the table API returns for a relation with the database, and sends requests that must not get a 5xx
 * status.
 */
export async function relationFindings(
  api: TableApi,
  { name, columns }: Made,
  all: readonly Made[],
): Promise<string[]> {
  const findings: string[] = []
  const path = `/${encodeURIComponent(name)}`
  const table = `public.${identifier(name)}`
  const rows = await api.direct(
    `select coalesce(json_agg(row_to_json(t.*)), '[]')::text as answer from (select * from ${table} t) t`,
  )
  const read = await api.ask('GET', path)
  if ('text' in rows && (read.status !== 200 || read.text !== rows.text))
    findings.push(`GET ${name}: ${read.status} ${read.text}, not ${rows.text}`)
  if ('state' in rows && read.status < 400) findings.push(`GET ${name}: ${read.status}, not ${rows.state}`)
  const isBroken = 'state' in rows
  const expectAnswer: Checked['expectAnswer'] = async (what, ...request) => {
    const answer = await api.ask(...request)
    // Requests may fail if the database itself cannot read the relation.
    if (answer.status >= 500 && !isBroken)
      findings.push(`${what} of ${name}: ${answer.status} ${answer.text}`)
  }
  for (const column of columns) await checkColumn({ api, name, path, table, findings, expectAnswer }, column)
  await expectAnswer('counting', 'HEAD', path, { headers: { prefer: 'count=exact' } })
  await expectAnswer('defaults', 'POST', path, { body: '{}', ...whole })
  for (const other of all) {
    const select = new URLSearchParams({ select: `*,${fieldName(other.name)}(*)` })
    if (other.is === 'relation')
      await expectAnswer(`embedding ${other.name}`, 'GET', `${path}?${select.toString()}`)
  }
  return findings
}

async function checkColumn(
  { api, name, path, table, findings, expectAnswer }: Checked,
  column: string,
): Promise<void> {
  const field = fieldName(column)
  const query = new URLSearchParams({ select: field, [field]: 'not.is.null', order: field, limit: '1' })
  await expectAnswer(`${column} ordered`, 'GET', `${path}?${query.toString()}`)
  const one = new URLSearchParams({ select: `x:${field}`, [field]: 'is.null' })
  const value = await api.ask('GET', `${path}?${one.toString()}`)
  const directly = await api.direct(
    `select coalesce(json_agg(row_to_json(p.*)), '[]')::text as answer
     from (select t.${identifier(column)} as x from ${table} t where t.${identifier(column)} is null) p`,
  )
  if (
    'text' in directly &&
    JSON.stringify(JSON.parse(value.text)) !== JSON.stringify(JSON.parse(directly.text))
  )
    findings.push(`${column} of ${name}: ${value.status} ${value.text}, not ${directly.text}`)
  const unset = JSON.stringify({ [column]: null })
  const isNull = new URLSearchParams({ [field]: 'is.null' })
  await expectAnswer(`${column} null`, 'PATCH', `${path}?${isNull.toString()}`, { body: unset, ...whole })
  await expectAnswer(`${column} inserted`, 'POST', path, { body: `[${unset}]`, ...whole })
}
