/**
 * Checks with random schemas that the table API returns the same results as the database, and that no object
 * affects how other objects are served. A short test in this folder and `npm run nightly` use this check.
 */
import fc from 'fast-check'
import type { TestDatabase } from '#testing/database.ts'
import { type Made, ownTypes, randomSchemas } from './random-schema.ts'
import { type TableApi, fieldName, identifier, openTableApi } from './table-api.ts'

/**
 * Tries `runs` random schemas. Returns `null` if the API served every object correctly. If a schema fails, shrinks the
 * schema and returns the remaining differences.
 */
export async function findMisserved(
  bank: TestDatabase,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<string | null> {
  const api = await openTableApi(bank)
  try {
    await api.script(ownTypes)
    const result = await fc.check(
      fc.asyncProperty(randomSchemas, async (schema) => {
        const findings = await misservedIn(api, schema)
        if (findings.length > 0) throw new Error(findings.join('\n'))
      }),
      { numRuns: runs, seed },
    )
    return result.failed
      ? `${String(result.errorInstance)} (seed ${seed}, path ${result.counterexamplePath})`
      : null
  } finally {
    await api.close()
  }
}

async function misservedIn(api: TableApi, schema: readonly Made[]): Promise<string[]> {
  try {
    await api.make(
      'create table public.witness (id integer primary key); insert into public.witness values (1)',
    )
    const made: Made[] = []
    for (const each of schema) if (await api.make(each.sql)) made.push(each)
    await api.restart()
    const findings: string[] = []
    for (const each of made) findings.push(...(await findingsOf(api, each, made)))
    if ((await api.ask('GET', '/witness')).text !== '[{"id":1}]') findings.push('the witness is not served')
    return findings.map((finding) => `${finding}\n  ${made.map(({ sql }) => sql).join(';\n  ')}`)
  } finally {
    await api.removeAll()
  }
}

async function findingsOf(api: TableApi, made: Made, all: readonly Made[]): Promise<string[]> {
  if (made.is === 'hidden') return hiddenFindings(api, made)
  return made.is === 'function' ? functionFindings(api, made) : relationFindings(api, made, all)
}

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
async function relationFindings(
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

async function functionFindings(api: TableApi, { name, columns }: Made): Promise<string[]> {
  const path = `/rpc/${encodeURIComponent(name)}`
  const body = JSON.stringify(Object.fromEntries(columns.map((column) => [column, null])))
  const query = new URLSearchParams({ select: '*' })
  const answers = {
    'called with null': await api.ask('POST', path, { body }),
    'called with nothing': await api.ask('POST', path, { body: '{}', headers: { prefer: 'count=exact' } }),
    'called by GET': await api.ask('GET', path),
    'read as a table': await api.ask('POST', `${path}?${query.toString()}`, { body }),
  }
  return Object.entries(answers).flatMap(([what, { status, text }]) =>
    status >= 500 ? [`${name} ${what}: ${status} ${text}`] : [],
  )
}

async function hiddenFindings(api: TableApi, { name }: Made): Promise<string[]> {
  const path = encodeURIComponent(name)
  const [table, call] = [
    await api.ask('GET', `/${path}`),
    await api.ask('POST', `/rpc/${path}`, { body: '{}' }),
  ]
  return table.status === 404 && call.status === 404
    ? []
    : [`${name}: ${table.status} and ${call.status}, not 404`]
}
