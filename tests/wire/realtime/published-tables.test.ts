// Tables that an operator adds to the publication: a subscription is confirmed only where changes are sent.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, signUpCustomer } from '#tests/wire/people.ts'
import { type Wanted, watch } from './watch.ts'

// The embedded engine belongs to the server's process: a test cannot create tables.
describe.skipIf(inject('server').ownerUrl === null)('a published table', () => {
  const suffix = randomUUID().replaceAll('-', '').slice(0, 12)
  const [own, foreign, foreigner] = [`own_${suffix}`, `foreign_${suffix}`, `foreigner_${suffix}`]
  const [empty, later] = [`empty_${suffix}`, `later_${suffix}`]
  let customer: Person
  beforeAll(async () => {
    customer = await signUpCustomer()
    await runAsOwner(`
      create role ${foreigner};
      grant ${foreigner} to current_user;
      grant create on schema public to ${foreigner};
      create table public.${own} (id integer primary key);
      create table public.${foreign} (id integer primary key);
      grant select on public.${own}, public.${foreign} to authenticated;
      alter publication supabase_realtime add table public.${own}, public.${foreign};
      alter table public.${foreign} owner to ${foreigner};
      revoke ${foreigner} from current_user;
    `)
  })
  afterAll(() =>
    runAsOwner(`
      grant ${foreigner} to current_user;
      drop table if exists public.${own}, public.${foreign}, public.${empty}, public.${later};
      revoke create on schema public from ${foreigner};
      drop role ${foreigner};
    `),
  )

  /** The server's answer to a subscription. */
  const answerTo = async (wanted: Wanted) => {
    const watching = await watch(customer.client, wanted)
    const message = await watching.message(() => true)
    await customer.client.removeChannel(watching.channel)
    return message
  }

  test('sends nothing before the server has prepared it, and says so', async () => {
    expect(await answerTo({ table: own })).toContain('Unable to subscribe')
  })

  test('is prepared by the owner, as each start does; one that is not the owner’s sends nothing and does not prevent it', async () => {
    await runAsOwner('select realtime.capture_published_tables()')

    await expect.poll(() => answerTo({ table: own })).toBe('Subscribed to PostgreSQL')
    expect(await answerTo({ table: foreign })).toContain('Unable to subscribe')
  })

  test('without columns is refused, and disturbs no other table', async () => {
    await runAsOwner(`
      create table public.${empty} ();
      create table public.${later} (id integer primary key);
      grant select on public.${empty}, public.${later} to authenticated;
      alter publication supabase_realtime add table public.${empty}, public.${later};
      select realtime.capture_published_tables();
    `)

    await expect.poll(() => answerTo({ table: later })).toBe('Subscribed to PostgreSQL')
    expect(await answerTo({ table: empty })).toContain('Unable to subscribe')
  })
})
