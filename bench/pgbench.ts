/** The limit on PostgreSQL: pgbench, sending the same statements in one round trip, prepared. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SqlStatement, SqlValue } from '#server/database/database.ts'

const run = promisify(execFile)

/** Runs the batches in turn for some seconds; answers how many a second went through. */
export async function runPgbench(options: {
  binaries: string
  url: string
  batches: SqlStatement[][]
  connections: number
  seconds: number
}): Promise<number> {
  const { binaries, batches, connections, seconds } = options
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-pgbench-'))
  try {
    const scripts = await Promise.all(
      batches.map(async (batch, index) => {
        const path = join(directory, `${index}.sql`)
        await writeFile(path, scriptOf(batch))
        return path
      }),
    )
    const url = new URL(options.url)
    const { stdout } = await run(
      join(binaries, 'pgbench'),
      ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(seconds)].concat(
        ['-h', url.hostname, '-p', url.port, '-U', url.username],
        scripts.flatMap((script) => ['-f', script]),
        [url.pathname.slice(1)],
      ),
      { env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }, maxBuffer: 16 * 1024 * 1024 },
    )
    const perSecond = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (perSecond === undefined) throw new Error(`pgbench said:\n${stdout}`)
    return Number(perSecond)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function scriptOf(batch: SqlStatement[]): string {
  const statements = batch.map(({ text, values }) => {
    const withValues = text.replaceAll(/\$(\d+)/g, (_, index: string) =>
      literal(values[Number(index) - 1] ?? null),
    )
    return `${withValues.replaceAll(/\s+/g, ' ')};`
  })
  return ['\\startpipeline', ...statements, '\\endpipeline', ''].join('\n')
}

function literal(value: SqlValue): string {
  // A colon would be a variable of pgbench's.
  return value === null
    ? 'null'
    : `U&'${String(value).replaceAll("'", "''").replaceAll('\\', '\\\\').replaceAll(':', '\\003A')}'`
}
