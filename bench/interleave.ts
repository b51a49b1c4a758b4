/**
 * Measures all sides of a scenario in turns, so that other work on the machine affects every side equally. First checks
 * that all sides return the same answer, because rates for different answers are not comparable.
 */
import { type Metric, atLeast, metricWithoutThreshold } from '#testing/report.ts'
import { median, ratioOf } from '#testing/statistics.ts'
import type { Order } from './scenario.ts'

/** One of the programs that a scenario compares. */
export type Side = {
  readonly name: string
  /** Returns the number of runs per second, measured over a few seconds. Throws when any run failed. */
  readonly measure: () => Promise<number>
  /** Called before the first round, for programs that compile their code at run time. */
  readonly warmUp?: () => Promise<unknown>
  /**
   * True if this side is another product. If that product fails to start, to answer or to be measured, its row in the
   * report shows the failure, and the scenario continues.
   */
  readonly isPeer?: boolean
  /** Returns the answer in a comparable form. A side without an answer to compare omits this function. */
  readonly answer?: () => Promise<unknown>
}

/**
 * Each side's rates, one for each round, keyed by the side's name. A rate is NaN when a peer failed. A peer that did not
 * answer, or was left out, has no rates.
 */
export type Rates = ReadonlyMap<string, readonly number[]>

/** Measures each side once in every round. Each round begins with a different side. */
export async function interleaveRounds(
  all: readonly Side[],
  { rounds, isShort }: Pick<Order, 'rounds' | 'isShort'>,
): Promise<Rates> {
  const sides = await answeringSides(all.filter(({ isPeer }) => !(isShort && isPeer === true)))
  for (const { name, warmUp, isPeer } of sides)
    await warmUp?.().catch((error: unknown) => {
      if (isPeer !== true) throw error
      console.error(`${name} failed:`, error)
    })
  const rates = new Map<string, number[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < sides.length; place += 1) {
      const side = sides[(round + place) % sides.length]
      if (side !== undefined) rates.get(side.name)?.push(await measureOf(side))
    }
  }
  return rates
}

async function measureOf({ name, measure, isPeer = false }: Side): Promise<number> {
  if (!isPeer) return measure()
  return measure().catch((error: unknown) => {
    console.error(`${name} failed:`, error)
    return Number.NaN
  })
}

/**
 * Returns the sides without the peers that did not answer. Throws when the answer of another side fails, is empty, or
 * differs from the first side's answer.
 */
async function answeringSides(sides: readonly Side[]): Promise<Side[]> {
  let first: { name: string; text: string } | null = null
  const answering: Side[] = []
  for (const side of sides) {
    const { name, answer, isPeer = false } = side
    if (answer !== undefined) {
      const given = await answer().catch((error: unknown) => {
        if (!isPeer) throw error
        console.error(`${name} failed:`, error)
        return null
      })
      if (given === null && isPeer) continue
      const text = JSON.stringify(given)
      if (text === undefined || text === '[]' || text === 'null') throw new Error(`${name} answered nothing.`)
      first ??= { name, text }
      if (text !== first.text)
        throw new Error(`${name} answers something else than ${first.name}:\n${text}\n${first.text}`)
    }
    answering.push(side)
  }
  return answering
}

/**
 * Returns every side's median rate, and the first side's rate divided by the rate of every other side. `lines` has the
 * smallest allowed quotients.
 */
export function rateMetrics(rates: Rates, lines: Readonly<Record<string, number>>, unit = '/s'): Metric[] {
  const [ours, ...others] = [...rates]
  if (ours === undefined) throw new Error('Nothing was measured.')
  for (const name of Object.keys(lines))
    if (!rates.has(name)) throw new Error(`A line is drawn against ${name}, which was not measured.`)
  return [
    metricWithoutThreshold(ours[0], median(ours[1]), unit),
    ...others.flatMap(([name, reached]) => {
      if (reached.length === 0) return [metricWithoutThreshold(name, 'was not measured')]
      if (reached.some(Number.isNaN)) return [metricWithoutThreshold(name, 'failed while it was measured')]
      const ratio = ratioOf(ours[1], reached)
      const line = lines[name]
      const what = `— as a multiple of it`
      return [
        metricWithoutThreshold(name, median(reached), unit),
        line === undefined
          ? metricWithoutThreshold(what, ratio, '×')
          : atLeast(`${name} ${what}`, ratio, line, '×'),
      ]
    }),
  ]
}
