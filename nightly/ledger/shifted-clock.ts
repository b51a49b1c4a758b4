/**
 * Loaded before everything else (`node --import`), also in worker threads: a wall clock that is ahead of the
 * system's by as many milliseconds as the file CLOCK_FILE says, and jumps when it says something else. Timers
 * run by the monotonic clock and are left alone, as when an operator sets the clock.
 */
import { readFileSync } from 'node:fs'

const lookEveryMs = 20
const RealDate = Date
let shiftMs = 0

const look = () => {
  shiftMs = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'))
}
look()
setInterval(look, lookEveryMs).unref()

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    // Years, months and days come as more arguments than the type says.
    else super(...given)
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
