/**
 * Measures the size of the embedded engine's directory, and raises an alarm if the directory grows faster than in
 * normal use (security.md DO-08).
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const measureIntervalMs = 60_000
const windowMs = 60 * 60_000
/** Ten thousand customers add 4 GB in a year (docs/scaling.md), so normal use does not add this much in an hour. */
export const growthBytesMax = 500 * 1024 * 1024

export type GrowthReport = { readonly grownMb: number; readonly sizeMb: number }

const bytesPerMb = 1024 * 1024

export class DirectoryGrowth {
  readonly #directory: string
  readonly #timer: NodeJS.Timeout
  #samples: { readonly at: number; readonly bytes: number }[] = []
  #listener: (report: GrowthReport) => void = () => undefined

  constructor(directory: string) {
    this.#directory = directory
    this.#timer = setInterval(() => {
      // Errors are ignored, because the timer measures again a minute later.
      this.measure().catch(() => undefined)
    }, measureIntervalMs).unref()
  }

  /** Returns the directory's size at the last measurement; `null` before the first measurement. */
  get bytes(): number | null {
    return this.#samples.at(-1)?.bytes ?? null
  }

  /**
   * Calls the listener if the directory has grown by more than `growthBytesMax` within an hour. The listener is called
   * at most once an hour.
   */
  onAlarm(listener: (report: GrowthReport) => void): void {
    this.#listener = listener
  }

  async measure(now = Date.now()): Promise<void> {
    this.#samples.push({ at: now, bytes: await sizeOf(this.#directory) })
    this.#samples = this.#samples.filter(({ at }) => now - at <= windowMs)
    const bytes = this.bytes ?? 0
    const grown = bytes - Math.min(...this.#samples.map((sample) => sample.bytes))
    if (grown <= growthBytesMax) return
    this.#samples = [{ at: now, bytes }]
    this.#listener({ grownMb: Math.round(grown / bytesPerMb), sizeMb: Math.round(bytes / bytesPerMb) })
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    // The engine may remove files during the measurement.
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null)
    bytes += found?.size ?? 0
  }
  return bytes
}
