// Tables that an operator adds to the publication: which tables are served, and who receives their rows.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { type ChangeEvent, type Wanted, type Watch, answerTo, watch } from './watch.ts'

// On the embedded engine, tests cannot run SQL as the owner.
describe.skipIf(!hasOwner)('published tables', () => {
  const suffix = randomUUID().replaceAll('-', '').slice(0, 12)
  const [notes, open, closed] = [`notes_${suffix}`, `open_${suffix}`, `closed_${suffix}`]
  const [foreign, foreigner, empty] = [`foreign_${suffix}`, `foreigner_${suffix}`, `empty_${suffix}`]
  const remade = `remade_${suffix}`
  let ana: Person
  let eva: Person

  beforeAll(async () => {
    ana = await signUpCustomer()
    eva = await signUpCustomer()
    // The columns deliberately have names that might also occur in the server's own SQL.
    await runAsOwner(`
      create table public.${notes} (image int primary key, owner uuid, place text, secret text);
      alter table public.${notes} enable row level security;
      grant select (image, owner, place) on public.${notes} to authenticated;
      create policy "owners read their notes" on public.${notes} for select to authenticated
        using (exists (select from public.budgets b where b.user_id = ${notes}.owner) and owner = (select auth.uid()));
      create policy "the wall is public" on public.${notes} for all to public
        using (place = 'wall');
      create policy "the safe is hidden" on public.${notes} as restrictive for select
        using (place is distinct from 'safe');
      create policy "anonymous reading" on public.${notes} for select to anon using (true);
      create table public.${open} (id int primary key, owner uuid);
      grant select on public.${open} to authenticated, anon;
      create table public.${closed} (id int primary key, owner uuid);
      alter table public.${closed} enable row level security;
      grant select on public.${closed} to authenticated;
      create role ${foreigner};
      grant ${foreigner} to current_user;
      grant create on schema public to ${foreigner};
      create table public.${foreign} (id integer primary key);
      create table public.${empty} ();
      grant select on public.${foreign}, public.${empty} to authenticated;
      alter publication supabase_realtime add table public.${notes}, public.${open}, public.${closed},
        public.${foreign}, public.${empty};
      alter table public.${foreign} owner to ${foreigner};
      revoke ${foreigner} from current_user;`)
  })
  afterAll(() =>
    runAsOwner(`
      grant ${foreigner} to current_user;
      drop table public.${notes}, public.${open}, public.${closed}, public.${foreign}, public.${empty};
      drop table if exists public.${remade};
      revoke create on schema public from ${foreigner};
      drop role ${foreigner};`),
  )

  test('a published table is served even if it is created while the server runs', async () => {
    // The server reads the catalogue every few seconds.
    for (const table of [notes, open, closed])
      await expect.poll(() => answerTo(ana, { table })).toBe('Subscribed to PostgreSQL')
    for (const table of [foreign, empty])
      expect(await answerTo(ana, { table })).toContain('Unable to subscribe')
  })

  test('a row is sent only if all restrictive policies and at least one permissive policy allow it', async () => {
    const [anaWatch, evaWatch] = await bothWatch({ table: notes })

    await runAsOwner(`
      insert into public.${notes} values
        (1, '${ana.id}', 'desk', 'x'), (2, '${ana.id}', 'safe', 'x'), (3, '${eva.id}', 'desk', 'x'),
        (4, '${eva.id}', 'wall', 'x'), (5, null, 'wall', 'x')`)

    await Promise.all([received(anaWatch, 'image', 5), received(evaWatch, 'image', 5)])
    expect(valuesOf(anaWatch, 'image')).toEqual([1, 4, 5])
    expect(valuesOf(evaWatch, 'image')).toEqual([3, 4, 5])
  })

  test('a row whose owner changes is sent only to the new owner', async () => {
    await runAsOwner(`insert into public.${notes} values (10, '${ana.id}', 'desk', 'x')`)
    const [anaWatch, evaWatch] = await bothWatch({ table: notes, event: 'UPDATE' })

    await runAsOwner(`update public.${notes} set owner = '${eva.id}' where image = 10`)
    await runAsOwner(`insert into public.${notes} values (11, null, 'wall', 'x')`)
    await runAsOwner(`update public.${notes} set owner = owner where image = 11`)

    await Promise.all([received(anaWatch, 'image', 11), received(evaWatch, 'image', 11)])
    expect(valuesOf(anaWatch, 'image')).toEqual([11])
    expect(valuesOf(evaWatch, 'image')).toEqual([10, 11])
  })

  test('columns without a grant are not sent and cannot be used in filters', async () => {
    const watching = await watch(ana.client, { table: notes })
    const guessing = await watch(ana.client, { table: notes, filter: 'secret=eq.x' })

    await runAsOwner(`insert into public.${notes} values (20, '${ana.id}', 'desk', 'x')`)

    expect((await received(watching, 'image', 20)).new).toEqual({ image: 20, owner: ana.id, place: 'desk' })
    await guessing.message(() => true)
    expect(guessing.messages).toMatchObject([
      { message: 'Error parsing `filter` params: invalid column for filter secret' },
    ])
  })

  test('a table without row-level security sends its rows to every subscriber with a grant', async () => {
    const anonymous = await watch(newClient(), { table: open })
    const watching = await watch(ana.client, { table: open })

    await runAsOwner(`insert into public.${open} values (1, '${eva.id}')`)

    await Promise.all([received(watching, 'id', 1), received(anonymous, 'id', 1)])
  })

  test('a subscription without a grant is refused, even if a policy allows the rows', async () => {
    const anonymous = await watch(newClient(), { table: notes })

    expect(await anonymous.message(() => true)).toContain('Unable to subscribe')
  })

  test('a table that has row-level security but no policy sends nothing', async () => {
    const watching = await watch(ana.client, { table: closed }, { table: open })

    await runAsOwner(`
      insert into public.${closed} values (1, '${ana.id}'); delete from public.${closed};
      insert into public.${open} values (2, null)`)

    await received(watching, 'id', 2)
    expect(watching.changes).toHaveLength(1)
  })

  test('a published table sends all new rows after it is dropped and created again', async () => {
    const columns = ['', ', word text']
    for (const [round, more] of columns.entries()) {
      await runAsOwner(`
        drop table if exists public.${remade};
        create table public.${remade} (id int primary key, owner uuid${more});
        grant select on public.${remade} to authenticated;
        alter publication supabase_realtime add table public.${remade}`)
      // Once the server has read the catalogue again, a subscription causes the server to record the table's changes.
      const isRecorded = async () => {
        await answerTo(ana, { table: remade })
        return runAsOwner(
          `select count(*) from pg_trigger
          where tgrelid = 'public.${remade}'::regclass and tgname = 'zz_realtime_capture'`,
        )
      }
      await expect.poll(isRecorded, { timeout: 20_000 }).toEqual(['1'])
      const watching = await watch(ana.client, { table: remade })
      // With this many rows, each of the server's database connections authorizes at least one row.
      const ids = Array.from({ length: 8 }, (_, index) => 100 * round + index)

      for (const id of ids) {
        await runAsOwner(`insert into public.${remade} (id) values (${id})`)
        await received(watching, 'id', id)
      }

      expect(valuesOf(watching, 'id')).toEqual(ids)
      expect(watching.states).toEqual(['SUBSCRIBED'])
      await ana.client.removeChannel(watching.channel)
    }
  })

  function bothWatch(wanted: Wanted): Promise<[Watch, Watch]> {
    return Promise.all([watch(ana.client, wanted), watch(eva.client, wanted)])
  }
})

function received(watching: Watch, column: string, value: number): Promise<ChangeEvent> {
  return watching.change((each) => newValue(each, column) === value)
}

function valuesOf({ changes }: Watch, column: string): unknown[] {
  return changes.map((each) => newValue(each, column))
}

function newValue(change: ChangeEvent, column: string): unknown {
  return (change.new as Record<string, unknown>)[column]
}
