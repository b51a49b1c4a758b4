/**
 * Two administrators demote each other at one moment, again and again: there is always one left (security.md
 * AD-02). Plant `count`: the last administrator is guarded by counting, without the lock.
 */
import { type Owner, sql } from '#server/database/database.ts'
import { type Person, addPerson, run } from '#tests/database/people.ts'
import { type Engine, type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { openPlace } from '#nightly/places/place.ts'

/** Runs so many rounds of two demotions at once. */
export async function runAdministrators(options: {
  engine: Engine
  rounds: number
  plant?: 'count'
}): Promise<Figure[]> {
  const { engine, rounds, plant } = options
  const place = await openPlace(engine)
  try {
    const { database, owner } = place
    if (plant === 'count') await guardByCounting(owner)
    let withoutAny = 0
    let withBoth = 0
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = [await addPerson(database, 'admin'), await addPerson(database, 'admin')]
      await Promise.allSettled([demote(one, other), demote(other, one)])
      const [left] = await owner.query(sql<{ count: number }>`
        select count(*) from auth.users where raw_app_meta_data ->> 'role' = 'admin'`)
      if (left?.count === 0) withoutAny += 1
      if (left?.count === 2) withBoth += 1
      // Past the triggers: the bank would refuse to lose its last administrator.
      await owner.script(
        `select set_config('session_replication_role', 'replica', true); delete from auth.users`,
      )
    }
    return [
      atLeast(`double demotions at once, ${engine}`, rounds, rounds),
      none(`left the bank without an administrator, ${engine}`, withoutAny),
      none(`demoted nobody, ${engine}`, withBoth),
    ]
  } finally {
    await place.close()
  }
}

function demote(by: Person, whom: Person) {
  return run(by, sql`update public.profiles set role = 'user' where id = ${whom.id}`)
}

async function guardByCounting(owner: Owner): Promise<void> {
  const [row] = await owner.query(
    sql<{ text: string }>`select pg_get_functiondef('private.guard_last_admin'::regproc) as text`,
  )
  const text = row?.text ?? ''
  const unlocked = text.replace(/perform pg_advisory_xact_lock\([^;]*;/, 'perform pg_sleep(0.01);')
  if (unlocked === text) throw new Error('The planted fault finds nothing to break.')
  // The demoted one's session ends in the same database transaction, and its row lock would order the two.
  const sessions = `create or replace function private.refuse_customers_request() returns trigger
    language plpgsql set search_path = '' as $$ begin return null; end $$;`
  await owner.script(`${unlocked}; ${sessions}`)
}
