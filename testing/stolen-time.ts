/**
 * Stolen time is processor time that a virtual machine's host gave to other machines, as Linux reports it. Every
 * measured duration includes stolen time, although the product does not cause it. Stolen time can halve a measured
 * rate and triple a latency percentile.
 */
import { existsSync, readFileSync } from 'node:fs'

/** Clock ticks of all processors since the machine booted. */
type Ticks = { readonly stolen: number; readonly all: number }

const path = '/proc/stat'
/**
 * Indexes into the counters user, nice, system, idle, iowait, irq, softirq and steal. Guest time is already
 * included in user and nice.
 */
const places = { stolen: 7, end: 8 }

/**
 * Starts a measurement. The returned function returns the share of processor time that was stolen since this start, or
 * zero on systems that do not report stolen time.
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
