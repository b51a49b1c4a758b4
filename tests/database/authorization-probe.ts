/** A database in which every attempt of the matrix has been made, and can be made again under changes. */
import { readFile } from 'node:fs/promises'
import type { Attempt } from '#supabase/authorization/is-permitted.ts'
import { sql } from '#server/database/database.ts'
import { listCells } from './authorization-cells.ts'
import type { Change } from './authorization-changes.ts'
import { type Effect, listEffects } from './authorization-effects.ts'
import { addActors } from './authorization-people.ts'
import type { TestDatabase } from './database.ts'

/** An attempt and how it ended: what refused it, or the number of rows. */
export type AttemptResult = { readonly attempt: Attempt; readonly verdict: string }

/** All attempts with their verdicts, and a way to make them once more under a change. */
export type Probe = {
  readonly results: readonly AttemptResult[]
  readonly effects: readonly (Effect & { readonly verdict: string })[]
  /** The first attempt that ends in another way while the change is made; `null` when none does. */
  firstDifference(change: Change): Promise<string | null>
  /** The same where another defence is gone already, among the attempts on what the change is about. */
  firstDifferenceBehind(gone: string, change: Change): Promise<string | null>
  close(): Promise<void>
}

/** Creates the actors, lists the attempts and makes them. */
export async function openProbe(db: TestDatabase): Promise<Probe> {
  const superuser = await db.connectSuperuser()
  await superuser.script(await readFile(new URL('authorization-probe.sql', import.meta.url), 'utf8'))
  const actors = await addActors(db)
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
  const explained = (difference: string | null | undefined): string | null => {
    if (difference === null || difference === undefined) return null
    const [number = '', verdict = ''] = difference.split('|')
    const index = Number(number)
    const attempt = results[index - effects.length]?.attempt
    const what = effects[index]?.rule ?? Object.values(attempt ?? {}).join(' | ')
    return `${what}: ${verdicts[index] ?? ''} → ${verdict}`
  }
  return {
    results,
    effects: effects.map((effect, index) => ({ ...effect, verdict: verdicts[index] ?? '' })),
    async firstDifference({ text, related }) {
      const [answer] = await superuser.query(sql<{ difference: string | null }>`
        select probe.first_difference(
          ${text}, array(select jsonb_array_elements_text(${JSON.stringify(related)}::jsonb))
        ) as difference`)
      return explained(answer?.difference)
    },
    async firstDifferenceBehind(gone, { text, related }) {
      const [answer] = await superuser.query(sql<{ difference: string | null }>`
        select probe.first_difference_behind(
          ${gone}, ${text}, array(select jsonb_array_elements_text(${JSON.stringify(related)}::jsonb))
        ) as difference`)
      return explained(answer?.difference)
    },
    close: () => superuser.close(),
  }
}
