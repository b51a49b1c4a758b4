// Kinds of database objects that the product itself does not use. An operator can add these objects while the server
// runs. The server treats each kind of object as PostgREST does.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { rawRest } from './raw-rest.ts'

const named = (name: string) => `${name}_${suffix}`
const suffix = randomUUID().replaceAll('-', '').slice(0, 12)
const [prices, labels, parts, notes] = [named('prices'), named('labels'), named('parts'), named('notes')]
const servedSoon = { timeout: 40_000, interval: 100 }
const merge = { prefer: 'resolution=merge-duplicates,return=representation' }

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('an operator’s objects', () => {
  let customer: SignedIn
  beforeAll(async () => {
    customer = await signUpCustomer()
    // Causes the server to read the schema before the objects exist.
    await rawRest('GET', '/budgets', { as: customer })
    await runAsOwner(`
      create domain public.${named('grade')} as integer default 7;
      create table public.${prices} (
        id integer generated always as identity primary key, code varchar(3),
        doubled integer generated always as (2) stored, grade public.${named('grade')}, note text default 'nada'
      );
      create table public.${labels} (id integer primary key, name text);
      create view public.${named('label_view')} with (security_invoker = true) as select * from public.${labels};
      create table public.${parts} (id integer primary key, name text) partition by range (id);
      create table public.${named('parts_low')} partition of public.${parts} for values from (0) to (100);
      create table public.${named('parts_high')} partition of public.${parts} for values from (100) to (200);
      grant select, insert, update on public.${prices}, public.${labels}, public.${parts},
        public.${named('label_view')} to authenticated;
      create function public.${named('numbers')}() returns table (id integer) language sql stable
        as 'select generate_series(1, 3)';
      create function public.${named('one')}(out id integer) language sql stable as 'select 1';
      create function public.${named('unnamed')}(out integer) language sql stable as 'select 1';
      create function public.${named('unnamed_two')}(out integer, out b text) language sql stable as $$ select 1, 'x' $$;
      create type public.${named('pair')} as (a integer, b text);
      create domain public.${named('pairs')} as public.${named('pair')};
      create function public.${named('paired')}() returns public.${named('pairs')} language sql stable
        as $$ select (row(1, 'x')::public.${named('pair')})::public.${named('pairs')} $$;
      create function public.${named('any')}(a anyelement) returns anyelement language sql stable as 'select a';
      create materialized view public.${named('stale')} as select 1 as id;
      grant select, insert, update on public.${named('stale')} to authenticated;
      create function public.${named('settings')}() returns json language sql stable as $$
        select json_build_array(nullif(current_setting('request.headers', true), ''),
          nullif(current_setting('request.method', true), ''), nullif(current_setting('request.path', true), ''),
          set_config('response.status', '418', true)) $$;
      create function public.${named('raising')}() returns void language plpgsql as $$ begin
        raise sqlstate 'PGRST' using message = '{"code":"x","message":"y"}', detail = '{"status":402,"headers":{}}';
      end $$;
      create domain public.${named('coloured')} as integer;
      create function public.${named('to_json')}(public.${named('coloured')}) returns json language sql immutable
        as $$ select to_json('#' || $1::text) $$;
      create cast (public.${named('coloured')} as json) with function public.${named('to_json')}(public.${named('coloured')}) as implicit;
      create table public.${named('paint')} (id integer primary key, hue public.${named('coloured')});
      insert into public.${named('paint')} values (1, 255); grant select on public.${named('paint')} to authenticated;
      create table public.${named('between')} (label integer references public.${labels}, paint integer references public.${named('paint')}, primary key (label, paint));
      create table public.${notes} (id integer primary key);
      create function public.full_${notes}(public.${notes}) returns text language sql stable as 'select ''x''::text';
      grant select, insert, update, delete on public.${notes} to authenticated;
    `)
    await vi.waitFor(async () => expect(await statusOf(`/${prices}?limit=0`)).toBe(200), servedSoon)
  })
  afterAll(() =>
    runAsOwner(`
      drop materialized view public.${named('stale')};
      drop function public.${named('unnamed')}, public.${named('unnamed_two')}, public.${named('paired')}, public.${named('any')};
      drop domain public.${named('pairs')};
      drop type public.${named('pair')};
      drop function public.${named('numbers')}, public.${named('one')};
      drop table public.${named('between')}, public.${named('paint')};
      drop domain public.${named('coloured')} cascade;
      drop function public.${named('settings')}, public.${named('raising')}, public.full_${notes} cascade;
      drop table public.${prices}, public.${labels}, public.${parts}, public.${notes} cascade;
      drop domain public.${named('grade')};
    `),
  )
  const ask = (path: string) => rawRest('GET', path, { as: customer })
  const statusOf = async (path: string) => (await ask(path)).status
  const rowsOf = async (path: string) => (await ask(path)).body

  test('a function with one named result column returns rows with that column', async () => {
    expect(await rowsOf(`/rpc/${named('numbers')}`)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(await rowsOf(`/rpc/${named('numbers')}?select=id&id=gt.2`)).toEqual([{ id: 3 }])
    expect(await rowsOf(`/rpc/${named('one')}`)).toEqual({ id: 1 })
    expect(await rowsOf(`/rpc/${named('unnamed')}`)).toBe(1)
    expect(await rowsOf(`/rpc/${named('unnamed_two')}`)).toEqual({ column1: 1, b: 'x' })
    expect(await rowsOf(`/rpc/${named('paired')}`)).toEqual({ a: 1, b: 'x' })
  })

  test.each(['id', 'doubled'])('a value for the generated column %s is refused', async (column) => {
    const { status, body } = await rawRest('POST', `/${prices}`, { as: customer, body: { [column]: 1 } })

    expect([status, body]).toEqual([400, expect.objectContaining({ code: '428C9' })])
  })

  test.each([
    ['a write to a materialized view', `/${named('stale')}`, [{ id: 2 }], '42809'],
    ['an upsert of one row twice', `/${labels}`, [{ id: 9 }, { id: 9 }], '21000'],
    ['a call of a polymorphic function', `/rpc/${named('any')}`, { a: 1 }, '42P16'],
  ])('%s is refused', async (_name, path, body, code) => {
    const answer = await rawRest('POST', path, { as: customer, body, headers: merge })

    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code })])
  })

  test('the API serves a new column within seconds, without a restart', async () => {
    await runAsOwner(`alter table public.${notes} add column colour text`)

    await expect.poll(() => statusOf(`/${notes}?select=colour`), servedSoon).toBe(200)
  })

  test.each([
    ['table', labels],
    ['view', named('label_view')],
    ['partitioned table', parts],
  ])('an upsert into a %s answers 201 for new rows and 200 for existing rows', async (kind, table) => {
    const id = kind === 'view' ? 60 : 50
    const upsert = async (body: object, resolution = 'merge') => {
      const headers = { prefer: `return=representation,resolution=${resolution}-duplicates` }
      const answer = await rawRest('POST', `/${table}?on_conflict=id`, { as: customer, body, headers })
      return [answer.status, answer.body]
    }
    const [row, other] = [
      { id, name: 'nuevo' },
      { id: id + 1, name: 'más' },
    ]

    expect(await upsert(row)).toEqual([201, [row]])
    expect(await upsert({ id, name: 'otro' })).toEqual([200, [{ id, name: 'otro' }]])
    expect(await upsert([row, other])).toEqual([201, [row, other]])
    expect(await upsert([row, { id: id + 2, name: 'x' }], 'ignore')).toEqual([
      201,
      [{ id: id + 2, name: 'x' }],
    ])
  })

  test('missing=default fills a missing column with its own default or its domain’s default', async () => {
    const wanted = { prefer: 'missing=default,return=representation' }
    const columns = 'select=note,grade&columns=note,grade,code'

    const inserted = await rawRest('POST', `/${prices}?${columns}`, {
      as: customer,
      body: [{ code: 'x' }],
      headers: wanted,
    })
    const changed = await rawRest('PATCH', `/${prices}?${columns}&code=eq.x`, {
      as: customer,
      body: { code: 'y' },
      headers: wanted,
    })

    expect(inserted.body).toEqual([{ note: 'nada', grade: 7 }])
    expect(changed.body).toEqual([{ note: 'nada', grade: 7 }])
  })

  test('PostgREST features that this server lacks are refused or have no effect', async () => {
    const codeOf = async (path: string) => ((await rowsOf(path)) as { code?: string }).code

    expect(await codeOf(`/${labels}?select=*,${named('paint')}(*)`)).toBe('PGRST200')
    expect(await codeOf(`/${notes}?select=full_${notes}`)).toBe('42703')
    expect(await rowsOf(`/${named('paint')}?select=hue`)).toEqual([{ hue: 255 }])
    expect(await ask(`/rpc/${named('settings')}`)).toMatchObject({
      status: 200,
      body: [null, null, null, '418'],
    })
    expect(await rawRest('POST', `/rpc/${named('raising')}`, { as: customer, body: {} })).toMatchObject({
      status: 400,
      body: { code: 'PGRST' },
    })
  })
})
