/**
 * What it means to stand in line before one chain (docs/decisions/0017): commits arrive at random, one at a time holds
 * the chain until it is on the disk. A simulation, because what matters is the wait of the unlucky one in a hundred; its
 * mean is held against the formula that there is (Pollaczek and Khinchine, M/D/1).
 */
import { type Figure, atMost, known } from '#soak/report/figure.ts'
import { type Random, randomOf } from '#soak/places/random.ts'

/** How long a commit holds the chain, in milliseconds: a bad day, or a replica in another town; a server's own disk and cores. */
const holds = { 'a bad day': 7, 'a server': 1.5 }
/** Audited commits a second in the busiest minute, for the customers of docs/scaling.md. */
const rates = { '10⁴': 0.28, '10⁶': 28, '10⁷': 280, '10⁸': 2778 }
/** A line that grows without end is none that one stands in. */
const usableMax = 0.9

/** Simulates each size with one chain, and the largest with as many as it needs. */
export function runChainQueue({ arrivals, seed }: { arrivals: number; seed: number }): Figure[] {
  const figures: Figure[] = []
  for (const [name, holdMs] of Object.entries(holds))
    for (const [customers, perSecond] of Object.entries(rates)) {
      const what = `${customers} customers, ${perSecond}/s, ${holdMs} ms each (${name})`
      const chains = Math.ceil((perSecond * holdMs) / 1000 / usableMax)
      const { meanMs, p99Ms } = simulate({ perSecond: perSecond / chains, holdMs, arrivals }, randomOf(seed))
      figures.push(
        known(
          what,
          `${chains} ${chains === 1 ? 'chain' : 'chains'}, waits ${meanMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms`,
        ),
      )
    }
  const half = { perSecond: 500 / holds['a bad day'], holdMs: holds['a bad day'] }
  const { meanMs } = simulate({ ...half, arrivals }, randomOf(seed))
  const expectedMs = formulaMeanMs(half)
  return [
    ...figures,
    atMost('off the formula at half load', (Math.abs(meanMs - expectedMs) / expectedMs) * 100, 3, '%'),
  ]
}

/** Each comes at a random moment, waits until those before it are done, and takes as long as all. */
function simulate(
  { perSecond, holdMs, arrivals }: { perSecond: number; holdMs: number; arrivals: number },
  random: Random,
): { meanMs: number; p99Ms: number } {
  const waits = new Float64Array(arrivals)
  let at = 0
  let freeAt = 0
  for (let index = 0; index < arrivals; index += 1) {
    at += (-Math.log(1 - random.number()) / perSecond) * 1000
    waits[index] = Math.max(0, freeAt - at)
    freeAt = Math.max(at, freeAt) + holdMs
  }
  const meanMs = waits.reduce((sum, wait) => sum + wait, 0) / arrivals
  return { meanMs, p99Ms: waits.toSorted()[Math.floor(arrivals * 0.99)] ?? 0 }
}

/** ρ · hold / 2(1 − ρ) */
function formulaMeanMs({ perSecond, holdMs }: { perSecond: number; holdMs: number }): number {
  const share = (perSecond * holdMs) / 1000
  return (share * holdMs) / (2 * (1 - share))
}
