/** Rules that only triggers can enforce. */
import { type Cell, asActor } from './authorization-cell.ts'
import type { SqlActor } from './authorization-people.ts'
import { effectWords } from './effect-words.ts'
import { accessRules, roleRules } from './effects-access.ts'
import { categoryRules, moneyRules } from './effects-money.ts'
import { correctionRules, requestRules } from './effects-orders.ts'
import { userRules } from './effects-people.ts'

/** A rule, an attempt that tests it, and the expected verdict. */
export type Effect = {
  readonly rule: string
  readonly object: string
  readonly cell: Cell
  readonly expected: string
}

/** Lists the rules. Throws an error if one of the actors is missing. */
export function listEffects(actors: readonly SqlActor[]): readonly Effect[] {
  const words = effectWords(actors)
  const rulesByObject = {
    ...userRules(words),
    ...accessRules(words),
    ...roleRules(words),
    ...moneyRules(words),
    ...categoryRules(words),
    ...requestRules(words),
    ...correctionRules(words),
  }
  return Object.entries(rulesByObject).flatMap(([object, rules]) =>
    rules.map(({ rule, as, sql, prepare, see, expected }) => ({
      rule,
      object,
      cell: {
        ...asActor(as, sql),
        ...(prepare === undefined ? {} : { prepare }),
        ...(see === undefined ? {} : { observe: see }),
      },
      expected,
    })),
  )
}
