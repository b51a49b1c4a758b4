/**
 * When the processors of this machine were another machine's: a virtual one is given what its host has left ("steal" in
 * `/proc/stat`, proc(5)). Whoever judges a bound on time there has to know which seconds were not the program's. Linux only.
 */
import { readFileSync } from 'node:fs'

/** Of all processor time in a second: with more than this taken, half of what the machine can do is not there. */
const shareMax = 0.2
const lookMs = 1000

/** From when to when, in milliseconds of one clock. */
export type Stretch = { readonly from: number; readonly to: number }
/** A look at the machine: how much of that time was taken, 0 to 1. */
export type Taken = Stretch & { readonly share: number }

/** Watches from its making until its end. */
export class StolenTime {
  readonly #looks: Taken[] = []
  readonly #startedAt = now()
  readonly #first = readTimes()
  readonly #timer: NodeJS.Timeout
  #last = { at: this.#startedAt, times: this.#first }

  constructor() {
    this.#timer = setInterval(() => this.#look(), lookMs)
  }

  /** Ends watching: how much was taken in all, and when there was too little left. */
  end(): { share: number; disturbances: Stretch[] } {
    clearInterval(this.#timer)
    this.#look()
    return { share: shareOf(this.#first, this.#last.times), disturbances: disturbancesOf(this.#looks) }
  }

  #look(): void {
    const here = { at: now(), times: readTimes() }
    this.#looks.push({ from: this.#last.at, to: here.at, share: shareOf(this.#last.times, here.times) })
    this.#last = here
  }
}

/**
 * The stretches in which too much was taken. Each begins a look before, at whose end it may have begun, and is as long
 * again: at half of what a machine can do, so long it works off what was left undone.
 */
export function disturbancesOf(looks: readonly Taken[]): Stretch[] {
  const stretches: { before: number; from: number; to: number }[] = []
  for (const [index, { from, to, share }] of looks.entries()) {
    if (share <= shareMax) continue
    const last = stretches.at(-1)
    if (last !== undefined && last.to === from) last.to = to
    else stretches.push({ before: looks[index - 1]?.from ?? from, from, to })
  }
  return stretches.map(({ before, from, to }) => ({ from: before, to: to + (to - from) }))
}

/** Whether any of it was in one of the stretches. */
export function isIn(stretches: readonly Stretch[], { from, to }: Stretch): boolean {
  return stretches.some((stretch) => stretch.from < to && from < stretch.to)
}

/** How long the stretches are together, counting no moment twice, up to a moment. */
export function lengthOf(stretches: readonly Stretch[], until: number): number {
  let length = 0
  let counted = 0
  for (const { from, to } of stretches) {
    length += Math.max(0, Math.min(to, until) - Math.max(from, counted))
    counted = Math.max(counted, to)
  }
  return length
}

/** Milliseconds since 1970, with the steady clock: comparable between processes. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

type Times = { readonly taken: number; readonly all: number }

function readTimes(): Times {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  // user nice system idle iowait irq softirq steal; what guests had is in the first two already.
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { taken: times[7] ?? 0, all: times.reduce((sum, each) => sum + each, 0) }
}

function shareOf(before: Times, after: Times): number {
  const all = after.all - before.all
  return all === 0 ? 0 : (after.taken - before.taken) / all
}
