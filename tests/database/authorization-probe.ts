/** Makes every attempt of the authorization matrix in a database, and repeats the attempts after schema changes. */
import { readFile } from 'node:fs/promises'
import type { Attempt } from '#supabase/authorization/is-permitted.ts'
import { type Owner, sql } from '#server/database/database.ts'
import { listCells } from './authorization-cells.ts'
import type { Change } from './authorization-changes.ts'
import { type Effect, listEffects } from './authorization-effects.ts'
import { addActors } from './authorization-people.ts'
import { openTestDatabase } from './database.ts'

/** An attempt with its verdict: the refusal, or the number of rows. */
export type AttemptResult = { readonly attempt: Attempt; readonly verdict: string }

/** The verdicts of all attempts, and a function that repeats the attempts after a schema change. */
export type Probe = {
  readonly owner: Owner
  readonly results: readonly AttemptResult[]
  readonly effects: readonly (Effect & { readonly verdict: string })[]
  /**
   * Returns the first attempt on a related object whose verdict differs after the change, or `null`. `gone` is a
   * statement that runs before the attempts and removes a second defence. If `onOthers` is true, repeats only the
   * attempts on all other objects.
   */
  firstDifference(
    change: Change,
    options?: { readonly gone?: string; readonly onOthers?: boolean },
  ): Promise<string | null>
  close(): Promise<void>
}

/** Creates a database with the actors and makes all attempts in it. */
export async function openProbe(): Promise<Probe> {
  const db = await openTestDatabase()
  const superuser = await db.connectSuperuser()
  await superuser.script(await readFile(new URL('authorization-probe.sql', import.meta.url), 'utf8'))
  const actors = await addActors(db)
  // A vacuum can change a query plan, and the plan decides which of two refusals happens first. A vacuum at this point
  // prevents a change of the plan between two attempts.
  await superuser.script('vacuum')
  const cells = await listCells(superuser, actors)
  const effects = listEffects(actors)
  const rows = [...effects, ...cells].map(({ object, cell }, number) => ({ number, object, cell }))
  await superuser.query(sql`
    insert into probe.cells (number, object, cell)
    select (c ->> 'number')::integer, c ->> 'object', c -> 'cell'
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) c`)
  await superuser.query(sql`update probe.cells set verdict = probe.attempt(cell)`)
  const verdicts = (
    await superuser.query(sql<{ verdict: string }>`select verdict from probe.cells order by number`)
  ).map(({ verdict }) => verdict)
  const results = cells.map(({ attempt }, index) => ({
    attempt,
    verdict: verdicts[effects.length + index] ?? '',
  }))
  return {
    owner: db.owner,
    results,
    effects: effects.map((effect, index) => ({ ...effect, verdict: verdicts[index] ?? '' })),
    async firstDifference({ text, related }, { gone = null, onOthers = false } = {}) {
      const [answer] = await superuser.query(sql<{ difference: string | null }>`
        select probe.first_difference(
          ${text}, array(select jsonb_array_elements_text(${JSON.stringify(related)}::jsonb)), ${gone}, ${onOthers}
        ) as difference`)
      const [number, verdict] = answer?.difference?.split('|') ?? []
      if (number === undefined) return null
      const index = Number(number)
      const attempt = results[index - effects.length]?.attempt
      const what = effects[index]?.rule ?? Object.values(attempt ?? {}).join(' | ')
      return `${what}: ${verdicts[index]} → ${verdict}`
    },
    async close() {
      await superuser.close()
      await db.close()
    },
  }
}
