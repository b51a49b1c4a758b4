/** The upper limit on PostgreSQL: pgbench prepares the product's statements and sends them in one round trip. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SqlStatement, SqlValue } from '#server/database/database.ts'

const run = promisify(execFile)

/** Number of scripts from which pgbench chooses. Every connection prepares each script before the measurement. */
const scriptsMax = 8

/**
 * Runs batches for the given number of seconds, and returns how many batches ran per second. Each connection runs
 * randomly chosen batches. If `repeats` is set, each connection runs only the batch that has the connection's number.
 * Throws when a batch failed.
 */
export async function runPgbench(options: {
  binaries: string
  url: string
  batches: readonly SqlStatement[][]
  connections: number
  seconds: number
  repeats?: boolean
}): Promise<number> {
  const { binaries, batches, connections, seconds, repeats = false } = options
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-pgbench-'))
  try {
    const texts = batches.map(scriptOf)
    const scripts = await Promise.all(
      (repeats ? [scriptByConnection(texts.slice(0, connections))] : texts.slice(0, scriptsMax)).map(
        async (text, index) => {
          const path = join(directory, `${index}.sql`)
          await writeFile(path, text)
          return path
        },
      ),
    )
    const url = new URL(options.url)
    const { stdout, stderr } = await run(
      join(binaries, 'pgbench'),
      ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(Math.ceil(seconds))].concat(
        ['-h', url.hostname, '-p', url.port, '-U', url.username],
        scripts.flatMap((script) => ['-f', script]),
        [url.pathname.slice(1)],
      ),
      {
        // Uses the same settings as the server's own connections.
        env: {
          ...process.env,
          PGPASSWORD: decodeURIComponent(url.password),
          PGOPTIONS: '-c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
        },
        maxBuffer: 16 * 1024 * 1024,
      },
    )
    const perSecond = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (perSecond === undefined || stderr.includes('aborted'))
      throw new Error(`pgbench said:\n${stdout}\n${stderr}`)
    return Number(perSecond)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function scriptOf(batch: SqlStatement[]): string {
  const statements = batch.map((statement) => `${inlined(statement).replaceAll(/\s+/g, ' ')};`)
  return ['\\startpipeline', ...statements, '\\endpipeline', ''].join('\n')
}

/**
 * Returns one script with a branch for each connection. A connection prepares only the statements of its own branch.
 */
function scriptByConnection(texts: readonly string[]): string {
  const branches = texts.map(
    (text, index) => `\\if :client_id % ${texts.length} = ${index}\n${text}\\endif\n`,
  )
  return branches.join('')
}

/** Returns the statement's text with literals in place of its parameters, for programs that accept only text. */
export function inlined({ text, values }: SqlStatement<unknown>): string {
  return text.replaceAll(/\$(\d+)/g, (_, index: string) => literal(values[Number(index) - 1] ?? null))
}

function literal(value: SqlValue): string {
  if (value === null) return 'null'
  // Colons are escaped because pgbench would read them as the start of a variable.
  const text = `U&'${String(value).replaceAll("'", "''").replaceAll('\\', '\\\\').replaceAll(':', '\\003A')}'`
  // The load generator of the HTTP sides also replaces `%ID%` by a new id (testing/load.ts).
  return text.includes('%ID%') ? `replace(${text}, '%ID%', gen_random_uuid()::text)` : text
}
