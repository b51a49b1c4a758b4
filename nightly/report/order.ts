/** How large a run is, and the suites that can be run. */
import type { Figure } from './figure.ts'

/** 1 is what the report is measured at; a seed repeats the choices of a run. */
export type Order = { scale: number; seed: number }

/** Name → title, and the run that answers its figures. */
export type Suites = Readonly<Record<string, { title: string; run(order: Order): Promise<Figure[]> }>>

/** So many at scale 1, never none. */
export function sized(full: number, scale: number): number {
  return Math.max(1, Math.round(full * scale))
}
