/**
 * Processor time that a virtual machine's host gave to other machines, as Linux counts it. Every measured time
 * includes this stolen time, although the product does not cause it. It can halve a rate and triple a percentile.
 */
import { existsSync, readFileSync } from 'node:fs'

/** Ticks of all processors since the machine started. */
type Ticks = { readonly stolen: number; readonly all: number }

const path = '/proc/stat'
/**
 * Indexes in the list user, nice, system, idle, iowait, irq, softirq, steal. Guest time is already counted within user
 * and nice.
 */
const places = { stolen: 7, end: 8 }

/**
 * Returns a function that returns the share of processor time stolen since this call. It is zero on systems that do not
 * count it.
 */
export function watchStolenTime(read: () => string = readCounts): () => number {
  const before = ticksOf(read())
  return () => {
    const now = ticksOf(read())
    return now.all === before.all ? 0 : (now.stolen - before.stolen) / (now.all - before.all)
  }
}

function readCounts(): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function ticksOf(counts: string): Ticks {
  const [, ...ticks] = (/^cpu .*$/m.exec(counts)?.[0] ?? '').split(/ +/).map(Number)
  const all = ticks.slice(0, places.end).reduce((sum, one) => sum + one, 0)
  return { stolen: ticks[places.stolen] ?? 0, all }
}
