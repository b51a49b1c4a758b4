/**
 * Checks with random schemas that the table API returns the same results as the database, and that no object
 * affects how other objects are served. A short test in this folder and `npm run nightly` use this check.
 */
import fc from 'fast-check'
import type { TestDatabase } from '#testing/database.ts'
import type { Made } from './random-object.ts'
import { ownTypes, randomSchemas } from './random-schema.ts'
import { relationFindings } from './relation-findings.ts'
import { type TableApi, openTableApi } from './table-api.ts'

/**
 * Tries `runs` random schemas. The finding is `null` if the API served every object correctly. If a schema fails, shrinks
 * the schema, and the finding describes the remaining differences. Also returns the number of compared objects.
 */
export async function findMisserved(
  bank: TestDatabase,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<{ finding: string | null; objects: number }> {
  const api = await openTableApi(bank)
  try {
    await api.script(ownTypes)
    let objects = 0
    const result = await fc.check(
      fc.asyncProperty(randomSchemas, async (schema) => {
        const { findings, compared } = await misservedIn(api, schema)
        objects += compared
        if (findings.length > 0) throw new Error(findings.join('\n'))
      }),
      { numRuns: runs, seed },
    )
    const finding = result.failed
      ? `${String(result.errorInstance)} (seed ${seed}, path ${result.counterexamplePath})`
      : null
    return { finding, objects }
  } finally {
    await api.close()
  }
}

async function misservedIn(
  api: TableApi,
  schema: readonly Made[],
): Promise<{ findings: string[]; compared: number }> {
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
    const of = made.map(({ sql }) => sql).join(';\n  ')
    return { findings: findings.map((finding) => `${finding}\n  ${of}`), compared: made.length }
  } finally {
    await api.removeAll()
  }
}

async function findingsOf(api: TableApi, made: Made, all: readonly Made[]): Promise<string[]> {
  if (made.is === 'hidden') return hiddenFindings(api, made)
  return made.is === 'function' ? functionFindings(api, made) : relationFindings(api, made, all)
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
