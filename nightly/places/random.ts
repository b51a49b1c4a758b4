/** Random choices that a seed repeats (mulberry32); what the load of the machine decides, no seed repeats. */

/** A source of choices. */
export type Random = {
  /** At least 0, less than 1. */
  readonly number: () => number
  /** A whole number from 0, less than `below`. */
  readonly integer: (below: number) => number
  /** One of the list. Throws when it is empty. */
  readonly one: <T>(list: readonly T[]) => T
  /** A UUID of version 4. */
  readonly uuid: () => string
}

/** The choices of a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(number() * below)
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(16).toString(16)).join('')
  return {
    number,
    integer,
    one<T>(list: readonly T[]): T {
      const chosen = list[integer(list.length)]
      if (chosen === undefined) throw new RangeError('There is nothing to choose from.')
      return chosen
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}
