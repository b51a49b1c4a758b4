// Tests the change feed with every kind of published table.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, signUpCustomer } from '#tests/wire/people.ts'
import { type ChangeEvent, type Wanted, type Watch, answerTo, watch } from './watch.ts'

const suffix = randomUUID().replaceAll('-', '').slice(0, 12)
const named = (name: string) => `${name}_${suffix}`
const [typed, whole, guarded, indexed] = [named('typed'), named('whole'), named('guarded'), named('indexed')]
const [keyless, hiddenKey, parent] = [named('keyless'), named('hidden_key'), named('parent')]
const [brief, odd] = [named('brief'), named('Odd. "name"')]
const quotedOdd = `public."${odd.replaceAll('"', '""')}"`

/** A value of each type, written as an SQL expression. */
const values = {
  smallint: '-32768',
  bigint: '9007199254740993',
  numeric: "'12345678901234567890.123456789'",
  'numeric(5,2)': '1.5',
  real: '0.1',
  'double precision': "'NaN'",
  boolean: 'true',
  text: 'E\'a \\\\ "b" \\n ñ 😀\'',
  'char(3)': "'ab'",
  'varchar(3)': "'abc'",
  uuid: "'00000000-0000-4000-8000-00000000000a'",
  date: "'infinity'",
  time: "'12:34:56.789'",
  timetz: "'12:34:56+05'",
  timestamp: "'2026-01-02 03:04:05.123456'",
  timestamptz: "'2026-01-02 03:04:05-05'",
  interval: "'1 year 2 days 03:04'",
  json: `'{"b": 1, "a": [null, 1.50]}'`,
  jsonb: `'{"b": 1, "a": [null, 1.50]}'`,
  bytea: "'\\\\xdeadbeef'",
  inet: "'10.0.0.1/8'",
  'bit(3)': "'101'",
  'int[]': "'{{1,2},{3,null}}'",
  'text[]': `'{"a,b",null}'`,
  int4range: "'[1,5)'",
  point: "'(1,2)'",
  money: "'12.50'",
  xml: "'<a/>'",
}
const columns = Object.entries(values).map(([type, value], index) => ({ name: `c${index}`, type, value }))

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('the change feed', () => {
  let ana: Person
  beforeAll(async () => {
    ana = await signUpCustomer()
    await runAsOwner(`
      create table public.${typed} (id integer primary key, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
      create table public.${whole} (id integer primary key, note text);
      alter table public.${whole} replica identity full;
      create table public.${guarded} (like public.${whole} including all);
      alter table public.${guarded} replica identity full, enable row level security;
      create policy "everybody reads" on public.${guarded} for select using (true);
      create table public.${indexed} (id integer primary key, code text not null unique, note text);
      alter table public.${indexed} replica identity using index ${indexed}_code_key;
      create table public.${keyless} (note text);
      create table public.${hiddenKey} (id integer primary key, note text);
      create table public.${parent} (id integer primary key, note text) partition by range (id);
      create table public.${parent}_low partition of public.${parent} for values from (0) to (100);
      create table public.${brief} (id integer primary key);
      create table ${quotedOdd} (id integer primary key, "a ""b"".c" text);
      grant select on public.${typed}, public.${whole}, public.${guarded}, public.${indexed}, public.${keyless},
        public.${parent}, public.${brief}, ${quotedOdd} to authenticated;
      grant select (note) on public.${hiddenKey} to authenticated;
      alter publication supabase_realtime set (publish_via_partition_root = true);
      alter publication supabase_realtime add table public.${typed}, public.${whole}, public.${guarded},
        public.${indexed}, public.${keyless}, public.${hiddenKey}, public.${parent}, public.${brief},
        ${quotedOdd};`)
  })
  afterAll(() =>
    runAsOwner(`
      alter publication supabase_realtime set (publish_via_partition_root = false);
      drop table public.${typed}, public.${whole}, public.${guarded}, public.${indexed}, public.${keyless},
        public.${hiddenKey}, public.${parent}, public.${brief}, ${quotedOdd};`),
  )

  /** Waits until the server has noticed that the table is published, and subscribes. */
  async function watching(wanted: Wanted): Promise<Watch> {
    await expect.poll(() => answerTo(ana, wanted)).toBe('Subscribed to PostgreSQL')
    return watch(ana.client, wanted)
  }

  test('the change feed sends values of every type in the same form as in the answer to a read', async () => {
    const feed = await watching({ table: typed })
    await runAsOwner(
      `insert into public.${typed} values (1, ${columns.map(({ value }) => value).join(', ')})`,
    )

    const { new: sent } = await feed.change(isOf('INSERT'))

    // The client library converts ranges, points and large numbers in the same way for changes and for reads. The read
    // is retried, because the table API may have read the schema just before the table was created.
    const read = async () => (await ana.client.from(typed).select('*').single()).data
    await expect.poll(read).toEqual(sent)
  })

  test.each([
    ['with all columns for a full replica identity', whole, { id: 1, note: 'old' }, { id: 1, note: 'new' }],
    ['with only its key for a full replica identity and policies', guarded, { id: 1 }, { id: 1 }],
    ['with the columns of the index that is the replica identity', indexed, { code: 'x' }, { code: 'x' }],
  ])('sends the old row %s', async (_what, table, changed, deleted) => {
    const feed = await watching({ table })
    await runAsOwner(`
      insert into public.${table} (id, note${table === indexed ? ', code' : ''}) values (1, 'old'${table === indexed ? ", 'x'" : ''});
      update public.${table} set note = 'new'; delete from public.${table};`)

    expect((await feed.change(isOf('UPDATE'))).old).toEqual(changed)
    expect((await feed.change(isOf('DELETE'))).old).toEqual(deleted)
  })

  test.each([
    ['has no primary key', keyless, "(note) values ('x')", 'Error 400: Bad Request, no primary key'],
    ['has a key that the caller may not read', hiddenKey, '(id) values (1)', 'Error 401: Unauthorized'],
  ])('sends an error instead of the row if the table %s', async (_what, table, row, error) => {
    const feed = await watching({ table })
    await runAsOwner(`insert into public.${table} ${row}`)

    const { errors, new: sent } = await feed.change(isOf('INSERT'))

    expect([errors, sent]).toEqual([[error], {}])
  })

  test('rows of partitions are sent as rows of the published table, and unusual names are left unchanged', async () => {
    const partitioned = await watching({ table: parent })
    const quoted = await watching({ table: odd })
    await runAsOwner(`
      insert into public.${parent} values (1, 'x');
      insert into ${quotedOdd} values (1, 'x');`)

    expect(await partitioned.change(isOf('INSERT'))).toMatchObject({
      table: parent,
      new: { id: 1, note: 'x' },
    })
    expect((await quoted.change(isOf('INSERT'))).new).toEqual({ id: 1, 'a "b".c': 'x' })
  })

  test('truncations are not sent, nor are changes of a table that was removed from the publication', async () => {
    const feed = await watching({ table: brief })
    await runAsOwner(
      `insert into public.${brief} values (1); truncate public.${brief}; insert into public.${brief} values (2)`,
    )
    await feed.change(({ new: sent }) => (sent as { id?: number }).id === 2)
    expect(feed.changes).toHaveLength(2)

    await runAsOwner(`alter publication supabase_realtime drop table public.${brief}`)
    await expect.poll(() => answerTo(ana, { table: brief })).toContain('Unable to subscribe')
    const other = await watching({ table: whole, event: 'INSERT' })
    await runAsOwner(`insert into public.${brief} values (3); insert into public.${whole} values (9, 'last')`)
    await other.change(isOf('INSERT'))

    expect(feed.changes).toHaveLength(2)
  })
})

function isOf(type: ChangeEvent['eventType']): (change: ChangeEvent) => boolean {
  return ({ eventType }) => eventType === type
}
