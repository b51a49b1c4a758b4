// Batches of deposits for many customers. The database stores or refuses a batch as a whole. The database then posts
// the lines in several database transactions, each line once. The authorization matrix tests the rights of all roles.
import { afterEach, expect, test, vi } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { withAdmission } from '#server/overload/admission.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { openSurfaces } from '#testing/surfaces.ts'
import { accessTokenOf } from './access-tokens.ts'
import { letPass, use } from './counters.ts'
import { type Batch, createBatch, postAll, postPiece, readBatch } from './batches.ts'
import { useBank } from './database.ts'
import {
  type Person,
  addPerson,
  balanceOf,
  call,
  closeAccount,
  correct,
  expense,
  record,
  run,
  setRole,
} from './people.ts'

/** The limits that `public.create_batch` enforces. */
const linesMax = 10_000
const linesPerDayMax = 50_000

const bank = useBank()

type Line = { line?: unknown; user_id?: string | null; amount?: unknown; description?: unknown }
const linesFor = (customers: readonly Person[], amount: unknown = 12.5): Line[] =>
  customers.map(({ id }, index) => ({ line: index + 2, user_id: id, amount, description: 'Nómina' }))
const order = (lines: unknown, { by = bank.administrator, id }: { by?: Person; id?: string } = {}) =>
  createBatch(by, lines, id === undefined ? {} : { id })
const read = (id: string) => readBatch(bank, id)
/** Posts the next lines like a server, and then reads the batch. */
async function post(id: string, lines = 100): Promise<Batch> {
  await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [postPiece(lines)])
  return read(id)
}
const hold = (act: 'stop' | 'continue', id: string, by = bank.administrator) =>
  call<Batch>(by, act === 'stop' ? sql`public.stop_batch(${id})` : sql`public.continue_batch(${id})`)
const reverse = (id: string, { reason = 'Monto equivocado', by = bank.administrator } = {}) =>
  call<Batch>(by, sql`public.reverse_batch(${id}, ${reason})`)
/** Posts batches like a server, until `end` of the returned object is called. */
function serve(database = bank.database) {
  const { wake, close } = runJobs(database, [{ name: 'post', failure: '' }], (error) => {
    throw error
  })
  return { begin: () => wake('post'), end: close }
}
const untilFinished = (id: string) =>
  expect.poll(async () => (await read(id)).finished_at, { timeout: 30_000 }).not.toBeNull()
const statuses = (id: string) =>
  run(
    bank.administrator,
    sql<{ line: number; status: string; fault: string | null }>`
      select line, status, fault from public.batch_lines where batch_id = ${id} order by line`,
  )
const customers = (count: number) => Promise.all(Array.from({ length: count }, () => bank.addCustomer()))
const latestAudit = (count: number) =>
  bank.owner.query(
    sql`select action, actor, target, after from ledger.audit order by id desc limit ${count}::integer`,
  )
const refused = { sqlState: '42501' }

// Posts all waiting lines, because otherwise the next test would post them together with its own batch.
afterEach(() => postAll(bank))

test('a new batch is stored as a whole and does not change any balance', async () => {
  const people = await customers(3)

  const ordered = await order(linesFor(people))

  expect(ordered).toMatchObject({
    title: 'nomina.csv',
    lines: 3,
    amount: 37.5,
    posted: 0,
    finished_at: null,
  })
  expect(await balanceOf(people[0] as Person)).toBe('0')
})

test('a new batch adds one audit entry that does not identify customers', async () => {
  const { id } = await order(linesFor(await customers(3)))
  await post(id)

  expect(await latestAudit(1)).toEqual([
    {
      action: 'register_batch',
      actor: bank.administrator.id,
      target: null,
      after: { id, lines: 3, amount: '37.50', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ])
})

test('a batch that is sent twice at the same time is stored only once', async () => {
  const lines = linesFor(await customers(2))
  const id = crypto.randomUUID()

  const [first, second] = await Promise.all([order(lines, { id }), order(lines, { id })])

  expect(second).toEqual(first)
  expect(await statuses(id)).toHaveLength(2)
})

test('a new batch cannot reuse the id of another administrator’s batch or of a batch with different lines', async () => {
  const lines = linesFor(await customers(2))
  const { id } = await order(lines)
  const colleague = await addPerson(bank.database, 'admin')

  await expect(order(lines.slice(1), { id })).rejects.toMatchObject({ sqlState: 'PT409' })
  await expect(order(lines, { id, by: colleague })).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('a batch with invalid lines is refused as a whole, and the refusal lists the line numbers', async () => {
  const [ana] = (await customers(1)) as [Person]
  const good = linesFor([ana])[0]
  const wrong = (line: number, fault: Line) => ({ ...good, line, ...fault })

  const attempt = order([
    good,
    wrong(3, { user_id: crypto.randomUUID() }),
    wrong(4, { amount: '12.50' }),
    wrong(5, { amount: 0 }),
    wrong(6, { amount: 0.005 }),
    wrong(7, { amount: 1e12 }),
    wrong(8, { description: null }),
    wrong(9, { description: 'dos\nlíneas' }),
    wrong(10, { description: 'x'.repeat(201) }),
    wrong(11, { user_id: null }),
    wrong(12, {}),
    wrong(12, {}),
    wrong(0, {}),
    wrong(99_999_999_999, {}),
    wrong(14, { user_id: 'nadie' }),
  ])

  const error = (await attempt.catch((thrown: unknown) => thrown)) as { sqlState: string; detail: string }
  expect(error.sqlState).toBe('PT422')
  const faults = JSON.parse(error.detail) as { line: number; message: string }[]
  expect(faults.map(({ line }) => line)).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 14, null])
  expect(faults.find(({ line }) => line === 3)?.message).toBe('El cliente no existe.')
  expect(faults.every(({ message }) => message.endsWith('.'))).toBe(true)
})

test('a batch without lines or with too many lines is refused', async () => {
  const [ana] = (await customers(1)) as [Person]

  await expect(order([])).rejects.toMatchObject({ sqlState: 'PT413' })
  await expect(order({})).rejects.toMatchObject({ sqlState: 'PT413' })
  await expect(order([1])).rejects.toMatchObject({ sqlState: 'PT422' })
  const tooMany = Array.from({ length: linesMax + 1 }, () => linesFor([ana])[0])
  await expect(order(tooMany)).rejects.toMatchObject({ sqlState: 'PT413' })
})

test('a new batch is refused once the administrator has reached the daily limit of lines', async () => {
  const [ana] = (await customers(1)) as [Person]
  const busy = await addPerson(bank.database, 'admin')
  await use(bank, 'batch line', busy.id, linesPerDayMax)
  await letPass(bank, 'batch line', busy.id, 25)
  await use(bank, 'batch line', busy.id, linesPerDayMax - 1)
  await letPass(bank, 'batch line', busy.id, 23)

  await order(linesFor([ana]), { by: busy })
  const attempt = order(linesFor([ana]), { by: busy })

  const error = (await attempt.catch((thrown: unknown) => thrown)) as { sqlState: string; detail: string }
  expect(error.sqlState).toBe('PT429')
  // The uses are 23 hours old. They count for 24 hours, and for at most one hour longer.
  const seconds = Number(/^Retry-After: (\d+)$/.exec(error.detail)?.[1])
  expect(seconds).toBeGreaterThan(3600)
  expect(seconds).toBeLessThanOrEqual(7200)
  await order(linesFor([ana]))
})

test('the server posts a limited number of lines at a time, each as a bank deposit that the customer sees', async () => {
  const people = await customers(5)
  const { id } = await order(linesFor(people))

  expect(await post(id, 2)).toMatchObject({ posted: 2, posted_amount: 25, finished_at: null })
  expect(await post(id, 2)).toMatchObject({ posted: 4 })
  const done = await post(id, 2)

  expect(done).toMatchObject({ posted: 5, failed: 0, posted_amount: 62.5 })
  expect(done).toHaveProperty('finished_at', expect.any(String))
  expect(await post(id, 2)).toEqual(done)
  for (const person of people) {
    expect(await balanceOf(person)).toBe('12.5')
    expect(
      await run(
        person,
        sql`select type, amount::text, description, category, recorded_by from public.transactions`,
      ),
    ).toEqual([
      { type: 'deposit', amount: '12.5', description: 'Nómina', category: 'Deposito', recorded_by: 'bank' },
    ])
    expect(await run(person, sql`select kind, actor from public.journal_entries`)).toEqual([
      { kind: 'deposit', actor: null },
    ])
  }
  expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
})

test('the server does not post a line twice when two servers post at once', async () => {
  const people = await customers(6)
  const { id } = await order(linesFor(people))

  for (let round = 0; round < 6; round += 1) await Promise.all([1, 2, 3].map(() => post(id, 1)))

  expect(await read(id)).toMatchObject({ posted: 6, failed: 0 })
  for (const person of people) expect(await balanceOf(person)).toBe('12.5')
})

test('the server starts posting after an administrator’s call, without further requests', async () => {
  const people = await customers(3)
  const server = serve()
  const begin = vi.fn(server.begin)
  const tables = await openTables(bank.database, begin)
  const id = crypto.randomUUID()
  const own = { user_id: people[0]?.id, type: 'expense', amount: 1, description: 'Café', category: 'Otro' }
  expect(await tables.post(people[0] as Person, '/transactions', own)).toBe(201)
  expect(await tables.post(bank.administrator, '/rpc/unordered', {})).toBe(404)
  expect(begin).not.toHaveBeenCalled()

  const order = { id, title: 'Nómina', lines: linesFor(people) }
  expect(await tables.post(bank.administrator, '/rpc/create_batch', order)).toBe(200)

  expect(begin).toHaveBeenCalledOnce()
  await untilFinished(id)
  await server.end()
  await tables.close()
})

/** Serves `/rest/v1` without a network port, to a customer or an administrator. */
async function openTables(database: typeof bank.database, onStaffCall: () => void) {
  const surfaces = await openSurfaces(database, { throttle: unlimited, onStaffCall })
  return {
    close: surfaces.close,
    async post(person: Person, path: string, payload: object): Promise<number> {
      const isStaff = person === bank.administrator
      const token = await accessTokenOf(surfaces.tokenKey, person, { isStaff })
      const headers = { apikey: surfaces.apiKeys.anonKey, authorization: `Bearer ${token}` }
      const request = { method: 'POST', url: `/rest/v1${path}`, headers, payload } as const
      return (await surfaces.inject(request)).statusCode
    },
  }
}

test('another server continues posting after a database transaction was rolled back', async () => {
  const people = await customers(4)
  const { id } = await order(linesFor(people))
  await post(id, 2)
  const killed = bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    postPiece(2),
    sql`select 1 / 0`,
  ])
  await expect(killed).rejects.toMatchObject({ sqlState: '22012' })
  expect(await read(id)).toMatchObject({ posted: 2, finished_at: null })

  const other = serve()
  await untilFinished(id)
  await other.end()

  for (const person of people) expect(await balanceOf(person)).toBe('12.5')
})

test('a customer can write between two database transactions that post a batch', async () => {
  const [ana, bystander] = (await customers(2)) as [Person, Person]
  const { database } = withAdmission(bank.database, bank.database.engine === 'pglite' ? null : 4)
  const lines = Array.from({ length: 3000 }, (_, index) => ({
    ...linesFor([ana], 0.01)[0],
    line: index + 1,
  }))
  const { id } = await order(lines)
  const server = serve(database)
  await expect.poll(async () => (await read(id)).posted).toBeGreaterThan(0)

  await run({ ...bystander, database }, expense(bystander, '3'))

  expect(await read(id)).toMatchObject({ finished_at: null })
  await server.end()
  await hold('stop', id)
})

test('the server alternates between two waiting batches', async () => {
  const people = await customers(2)
  const [first, second] = [await order(linesFor(people)), await order(linesFor(people))]

  await post(first.id, 1)
  await post(first.id, 1)

  expect([(await read(first.id)).posted, (await read(second.id)).posted]).toEqual([1, 1])
})

test('the server posts a line only once even if the line’s stored status is still waiting', async () => {
  const people = await customers(1)
  const { id } = await order(linesFor(people))
  await post(id)
  await bank.owner.query(sql`update public.batch_lines set status = 'waiting' where batch_id = ${id}`)
  await bank.owner.query(sql`update public.batches set finished_at = null, posted = 0 where id = ${id}`)
  await run(people[0] as Person, sql`delete from public.transactions`)

  expect(await post(id)).toMatchObject({ posted: 0, failed: 1 })
  expect(await balanceOf(people[0] as Person)).toBe('12.5')
})

test('the server stores the reason on a line that cannot be posted, and posts the other lines', async () => {
  const people = (await customers(4)) as [Person, Person, Person, Person]
  const [rich, gone, closed, well] = people
  const { id } = await order(linesFor(people, 999_999_999_999.99))
  await bank.owner.query(
    sql`update public.budgets set balance = 90071992547409.91 where user_id = ${rich.id}`,
  )
  await run(bank.administrator, sql`select private.delete_user(${gone.id})`)
  await bank.owner.query(sql`delete from public.budgets where user_id = ${closed.id}`)

  expect(await post(id)).toMatchObject({ posted: 1, failed: 3 })

  expect(await statuses(id)).toEqual([
    { line: 2, status: 'failed', fault: 'El saldo quedaría fuera de lo que el banco puede registrar.' },
    { line: 3, status: 'failed', fault: 'El cliente ya no tiene una cuenta.' },
    { line: 4, status: 'failed', fault: 'El cliente no tiene una cuenta abierta.' },
    { line: 5, status: 'posted', fault: null },
  ])
  expect(await balanceOf(well)).toBe('999999999999.99')
  await bank.owner.query(sql`update public.budgets set balance = 0 where user_id = ${rich.id}`)
})

test('one administrator can stop a batch and another can continue it, with an audit entry for each action', async () => {
  const colleague = await addPerson(bank.database, 'admin')
  const { id } = await order(linesFor(await customers(3)))
  await post(id, 1)

  const stopped = await hold('stop', id)
  expect(stopped).toMatchObject({ posted: 1, stopped_at: expect.any(String) })
  expect(await hold('stop', id)).toEqual(stopped)
  await postAll(bank)
  expect(await read(id)).toEqual(stopped)

  expect(await hold('continue', id, colleague)).toMatchObject({ stopped_at: null, posted_by: colleague.id })
  await hold('continue', id)
  await postAll(bank)

  const finished = await read(id)
  expect(finished).toMatchObject({ posted: 3, posted_by: colleague.id })
  expect(await hold('stop', id)).toEqual(finished)
  expect(await latestAudit(3)).toEqual([
    { action: 'continue_batch', actor: colleague.id, target: null, after: { id } },
    { action: 'stop_batch', actor: bank.administrator.id, target: null, after: { id } },
    expect.objectContaining({ action: 'register_batch', actor: bank.administrator.id }),
  ])
})

test.for(['demoted', 'blocked', 'deleted'] as const)(
  'a batch whose administrator was %s stops until another administrator continues it',
  async (end) => {
    const former = await addPerson(bank.database, 'admin')
    const people = await customers(2)
    const { id } = await order(linesFor(people), { by: former })
    await post(id, 1)
    const ended = {
      demoted: setRole(former, 'user'),
      blocked: sql`select public.block_user(${former.id}, 'other')`,
      deleted: sql`select private.delete_user(${former.id})`,
    }
    await run(bank.administrator, ended[end])

    await postAll(bank)

    expect(await read(id)).toMatchObject({ posted: 1, stopped_at: expect.any(String) })
    expect(await latestAudit(1)).toEqual([{ action: 'stop_batch', actor: null, target: null, after: { id } }])
    await hold('continue', id)
    await postAll(bank)
    expect(await read(id)).toMatchObject({ posted: 2 })
    for (const person of people) expect(await balanceOf(person)).toBe('12.5')
  },
)

test('a separate deposit gets an audit entry even if a waiting line has the same id', async () => {
  const customer = await bank.addCustomer()
  const { id } = await order(linesFor([customer], 0.01))
  const [line] = await run(
    bank.administrator,
    sql<{ transaction_id: string }>`select transaction_id from public.batch_lines where batch_id = ${id}`,
  )

  await run(
    bank.administrator,
    sql`select private.register_transaction(
      ${customer.id}, 'deposit', 1000000, 'Nómina', now(), 'Deposito', ${line?.transaction_id ?? ''})`,
  )

  expect(await latestAudit(1)).toMatchObject([
    { action: 'register_transaction', target: customer.id, after: { amount: '1000000.00' } },
  ])
  expect(await post(id)).toMatchObject({ posted: 0, failed: 1 })
  expect((await statuses(id))[0]?.fault).toBe('El cliente ya tiene un movimiento con este identificador.')
  expect(await balanceOf(customer)).toBe('1000000')
})

test('a batch that does not exist cannot be stopped or continued', async () => {
  await expect(hold('stop', crypto.randomUUID())).rejects.toMatchObject({ sqlState: 'PT404' })
  await expect(hold('continue', crypto.randomUUID())).rejects.toMatchObject({ sqlState: 'PT404' })
})

const posted = async (count: number, by = bank.administrator) => {
  const people = await customers(count)
  const { id } = await order(linesFor(people), { by })
  await postAll(bank)
  return { people, id }
}

test('the reversal of a batch corrects each deposit and shows the customer the correction with its reason', async () => {
  const { people, id } = await posted(3)

  expect(await reverse(id)).toMatchObject({ reversed: 0, finished_at: null })
  expect(await post(id, 8)).toMatchObject({ reversed: 2, finished_at: null })
  expect(await post(id, 8)).toMatchObject({
    posted: 3,
    reversed: 3,
    kept: 0,
    reversed_amount: 37.5,
    finished_at: expect.any(String),
  })

  for (const person of people) {
    expect(Number(await balanceOf(person))).toBe(0)
    expect(
      await run(
        person,
        sql`select type, amount::text, description, is_void from public.transactions order by type`,
      ),
    ).toEqual([
      { type: 'deposit', amount: '12.5', description: 'Nómina', is_void: true },
      { type: 'expense', amount: '12.5', description: 'Corrección: Nómina', is_void: true },
    ])
    expect(await run(person, sql`select reason from public.corrections`)).toEqual([
      { reason: 'Monto equivocado' },
    ])
  }
  expect(await statuses(id)).toEqual([2, 3, 4].map((line) => ({ line, status: 'reversed', fault: null })))
  expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
})

test('the reversal of a batch adds one audit entry, which appears in the register of each affected customer', async () => {
  const { people, id } = await posted(2)
  await reverse(id)
  await postAll(bank)

  const entry = { action: 'reverse_batch', actor: bank.administrator.id }
  expect(await latestAudit(1)).toEqual([{ ...entry, target: null, after: { id, lines: 2, amount: '25.00' } }])
  const about = sql`select action, after from public.audit_of(${(people[0] as Person).id})`
  expect((await run(bank.administrator, about))[0]).toEqual({
    action: 'reverse_batch',
    after: { id, lines: 1, amount: '12.50' },
  })
})

test('the reversal of a batch skips deposits that were corrected separately before or during the reversal', async () => {
  const { people, id } = await posted(3)
  const correct = async (person: Person) =>
    run(
      bank.administrator,
      sql`select public.correct_transaction(${person.id}, (
        select l.transaction_id from public.batch_lines l where l.batch_id = ${id} and l.user_id = ${person.id}
      ), 'Duplicado')`,
    )
  await correct(people[0] as Person)
  expect(await reverse(id)).toMatchObject({ kept: 1 })
  await correct(people[1] as Person)

  await postAll(bank)

  expect(await read(id)).toMatchObject({ reversed: 1, kept: 2, finished_at: expect.any(String) })
  const kept = { status: 'posted', fault: 'Este abono ya se había corregido.' }
  expect(await statuses(id)).toMatchObject([kept, kept, { status: 'reversed', fault: null }])
  for (const person of people) expect(Number(await balanceOf(person))).toBe(0)
})

test('the reversal of a batch corrects a deposit that is valid again because its correction was corrected', async () => {
  const { people, id } = await posted(2)
  const [before, during] = people as [Person, Person]
  const correctTwice = async (person: Person) => {
    const [line] = await run(
      bank.administrator,
      sql<{ deposit: string }>`
        select transaction_id as deposit from public.batch_lines
        where batch_id = ${id} and user_id = ${person.id}`,
    )
    const correction = await record(bank.administrator, correct(person, line?.deposit ?? '', 'Duplicado'))
    return record(bank.administrator, correct(person, correction, 'No era un duplicado'))
  }
  const cancellation = await correctTwice(before)
  expect(await reverse(id)).toMatchObject({ kept: 0 })
  await correctTwice(during)
  const [{ entry } = { entry: 0 }] = await bank.owner.query(
    sql<{ entry: number }>`select max(id)::integer as entry from ledger.audit`,
  )

  await postAll(bank)

  expect(await read(id)).toMatchObject({ reversed: 2, kept: 0 })
  for (const person of people) {
    expect(Number(await balanceOf(person))).toBe(0)
    expect(
      await run(person, sql`select is_void from public.transactions where category = 'Deposito'`),
    ).toEqual([{ is_void: true }])
  }
  expect(
    await run(before, sql`select reason from public.corrections where corrected_id = ${cancellation}`),
  ).toEqual([{ reason: 'Monto equivocado' }])
  // The whole reversal adds only one audit entry, which records the administrator's order.
  expect(await bank.owner.query(sql`select action from ledger.audit where id > ${entry}`)).toEqual([])
  expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
})

test('each individual correction after the reversal of a batch gets an audit entry', async () => {
  const { people, id } = await posted(1)
  const [person] = people as [Person]
  await reverse(id)
  await postAll(bank)
  const [reversal] = await run(person, sql<{ id: string }>`select id from public.corrections`)

  const correction = await record(bank.administrator, correct(person, reversal?.id ?? '', 'Era correcto'))

  expect(await latestAudit(1)).toMatchObject([
    { action: 'correct_transaction', target: person.id, after: { id: correction, corrects: reversal?.id } },
  ])
})

test('the lines that are still waiting are no longer posted after the reversal of their batch', async () => {
  const people = await customers(2)
  const { id } = await order(linesFor(people))
  await post(id, 1)

  await reverse(id)
  await postAll(bank)

  expect(await read(id)).toMatchObject({ posted: 1, failed: 1, reversed: 1 })
  for (const person of people) expect(Number(await balanceOf(person))).toBe(0)
})

test('the reversal of a batch also corrects deposits that customers have removed from their list', async () => {
  const { people, id } = await posted(1)
  await run(people[0] as Person, sql`delete from public.transactions`)

  await reverse(id)
  await postAll(bank)

  expect(Number(await balanceOf(people[0] as Person))).toBe(0)
  expect(await run(people[0] as Person, sql`select description from public.transactions`)).toEqual([
    { description: 'Corrección' },
  ])
})

test('the reversal of a batch skips the lines of a deleted customer', async () => {
  const { people, id } = await posted(2)
  await closeAccount(people[0] as Person)

  await reverse(id)
  await postAll(bank)

  expect(await read(id)).toMatchObject({ reversed: 1, kept: 1 })
  expect(await statuses(id)).toMatchObject([{ fault: 'El cliente ya no tiene una cuenta.' }, { fault: null }])
})

test('the reversal of a batch starts only once even if the request is repeated or sent by two administrators', async () => {
  const { people, id } = await posted(2)
  const colleague = await addPerson(bank.database, 'admin')

  const answers = await Promise.allSettled([reverse(id), reverse(id), reverse(id, { by: colleague })])

  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.length).toBeLessThan(3)
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ sqlState: 'PT409', message: 'Este lote ya se revirtió.' })
  await postAll(bank)
  await expect(reverse(id, { reason: 'Otro motivo' })).rejects.toMatchObject({ sqlState: 'PT409' })
  for (const person of people) expect(Number(await balanceOf(person))).toBe(0)
  const orders = sql`select count(*)::integer as count from ledger.audit
    where action = 'reverse_batch' and after ->> 'id' = ${id}`
  expect(await bank.owner.query(orders)).toEqual([{ count: 1 }])
})

test('the reversal of a batch stops when its administrator is blocked, and another administrator can continue the reversal', async () => {
  const former = await addPerson(bank.database, 'admin')
  const { people, id } = await posted(2)
  await reverse(id, { by: former })
  await post(id, 4)
  await run(bank.administrator, sql`select public.block_user(${former.id}, 'other')`)

  await postAll(bank)

  expect(await read(id)).toMatchObject({ reversed: 1, stopped_at: expect.any(String) })
  await hold('continue', id)
  await postAll(bank)
  for (const person of people) expect(Number(await balanceOf(person))).toBe(0)
})

test('the reversal of a batch is refused if the reason is not a single line or the batch does not exist', async () => {
  const { id } = await posted(1)

  for (const reason of ['', ' ', 'dos\nlíneas', 'x'.repeat(201)])
    await expect(reverse(id, { reason })).rejects.toMatchObject({ sqlState: '23514' })
  await expect(reverse(crypto.randomUUID())).rejects.toMatchObject({ sqlState: 'PT404' })
  expect(await read(id)).toMatchObject({ reversed_at: null })
})

test('a batch keeps the amounts in a deleted customer’s lines but not the customer’s id or the descriptions', async () => {
  const people = (await customers(2)) as [Person, Person]
  const { id } = await order(linesFor(people))
  await post(id)
  await closeAccount(people[0])

  expect(
    await run(
      bank.administrator,
      sql`select user_id, description, status from public.batch_lines where batch_id = ${id} order by line`,
    ),
  ).toEqual([
    { user_id: null, description: null, status: 'posted' },
    { user_id: people[1].id, description: 'Nómina', status: 'posted' },
  ])
})

test('unknown fields in a batch are ignored even if they contain huge numbers', async () => {
  const [customer] = (await customers(1)) as [Person]
  const numbers = Array.from({ length: 9000 }, (_, index) => `"key${index}":1e131071`).join()
  const text = `[${JSON.stringify(linesFor([customer])[0]).slice(0, -1)},${numbers}}]`
  const ordered = sql`select lines from public.create_batch(${crypto.randomUUID()}, 'nomina.csv', ${text})`

  await expect(run(customer, ordered)).rejects.toMatchObject(refused)
  expect(await run(bank.administrator, ordered)).toEqual([{ lines: 1 }])
})

test('a customer search by email or id ignores case, and shows which customers are blocked', async () => {
  const [ana, luis] = (await customers(2)) as [Person, Person]
  await run(bank.administrator, sql`select public.block_user(${luis.id}, 'other')`)
  const names = [` ${ana.id.toUpperCase()}@Banco.example `, luis.id, 'nadie@banco.example', '']

  const [answer] = await run(
    bank.administrator,
    sql<{ found: object[] }>`select public.find_customers(
      array(select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))) as found`,
  )

  expect(answer?.found).toHaveLength(2)
  expect(answer?.found).toEqual(
    expect.arrayContaining([
      {
        name: names[0],
        id: ana.id,
        email: `${ana.id}@banco.example`,
        full_name: 'Ana Pérez',
        is_blocked: false,
        is_unclaimed: true,
      },
      expect.objectContaining({ name: luis.id, id: luis.id, is_blocked: true }),
    ]),
  )
})
