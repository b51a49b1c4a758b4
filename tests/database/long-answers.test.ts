// The size of an answer is limited (security.md IN-03): neither engine returns more than `answerBytesMax` bytes to
// the server.
import { expect, onTestFinished, test } from 'vitest'
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { useBank } from './database.ts'
import { openTableApi } from './table-api.ts'

const bank = useBank()
const mebibyte = 1024 * 1024
const asReader = asService('supabase_auth_admin', 'read')

/** Reads rows of one mebibyte each. */
const read = (rows: number) =>
  bank.database.transaction(asReader, [
    sql<{
      text: string
    }>`select repeat('x', ${mebibyte}::integer) as text from generate_series(1, ${rows}::integer)`,
  ])
/** Reads one row of this size in mebibytes. */
const readOne = (mebibytes: number) =>
  bank.database.transaction(asReader, [
    sql<{ text: string }>`select repeat('x', ${mebibytes * mebibyte}::integer) as text`,
  ])

test('an answer with more than 8 MiB is refused, whether it has one row or many', async () => {
  const [rows] = await read(7)
  expect(rows).toHaveLength(7)
  const [[row]] = await readOne(7)
  expect(row?.text).toHaveLength(7 * mebibyte)

  for (const tooLong of [() => read(9), () => readOne(9)])
    await expect(tooLong()).rejects.toMatchObject({ sqlState: 'FZ431' })
  expect(answerBytesMax).toBe(8 * mebibyte)
})

test('the table API refuses a call whose answer is too long and rolls it back', async () => {
  const api = await openTableApi(bank)
  onTestFinished(() => api.close())
  await api.make(`
    create table public.calls (at timestamptz default now());
    create function public.long_text(mebibytes integer) returns table (line integer, text text) language sql volatile
      as $$ insert into public.calls default values; select line, repeat('x', 1048576) from generate_series(1, mebibytes) line $$`)
  await api.restart()
  const call = (mebibytes: number, headers = {}) =>
    api.ask('POST', '/rpc/long_text', { body: JSON.stringify({ mebibytes }), headers })

  expect((await call(1)).status).toBe(200)
  for (const headers of [{}, { accept: 'text/csv' }]) {
    const { status, text } = await call(9, headers)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        code: '54000',
        message: 'The answer is longer than 8388608 bytes',
        details: expect.stringMatching(/^The answer has 94\d{5} bytes$/),
        hint: 'Ask for fewer rows or columns.',
      },
    ])
  }
  expect((await api.ask('GET', '/calls?select=at')).range).toBe('0-0/*')
})

test('a short answer succeeds even if a simultaneous answer is too long', async () => {
  const [long, short] = await Promise.allSettled([readOne(20), readOne(1)])

  expect([long.status, short.status]).toEqual(['rejected', 'fulfilled'])
})

test('answers that are too long do not fill the server’s memory', async () => {
  // Warms up the engine, because compiling its code for the first time allocates memory.
  for (let round = 0; round < 2; round += 1) await expect(readOne(20)).rejects.toThrow()
  const before = process.memoryUsage().rss

  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => readOne(20)))

  expect(process.memoryUsage().rss - before).toBeLessThan(8 * 20 * mebibyte)
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
})

// Only the embedded engine runs inside the server's process and uses its memory.
test.runIf(process.env['ENGINE'] !== 'postgres')(
  'a statement that needs too much memory fails without affecting others',
  async () => {
    const greedy = bank.database.transaction(asReader, [sql`select octet_length(repeat('x', 900000000))`])

    await expect(greedy).rejects.toMatchObject({ sqlState: '53200' })
    expect(process.memoryUsage().rss).toBeLessThan(1400 * mebibyte)
    const [rows] = await read(1)
    expect(rows).toHaveLength(1)
  },
)
