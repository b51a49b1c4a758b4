/** What the scenarios of one run work on, each made when a scenario first asks for it and kept for those after it. */
import type { BankSize } from './customers.ts'
import { type EmbeddedBank, openEmbeddedBank } from './embedded-bank.ts'
import { type HistoryDirectory, makeHistoryDirectory } from './history-directory.ts'
import { type PostgresBank, openPostgresBank } from './postgres-bank.ts'

/** How much is in the bank on each engine. */
type PlaceSizes = { readonly postgres: BankSize; readonly embedded: BankSize }

export class Places {
  readonly #sizes: PlaceSizes
  readonly #onMade: (what: string, seconds: number) => void
  #postgres: Promise<PostgresBank> | null = null
  #embedded: Promise<EmbeddedBank> | null = null
  #histories: Promise<HistoryDirectory> | null = null

  /** `onMade` hears how long it took to make each of them. */
  constructor(sizes: PlaceSizes, onMade: (what: string, seconds: number) => void = () => undefined) {
    this.#sizes = sizes
    this.#onMade = onMade
  }

  /** The bank on PostgreSQL. Throws where this machine has none. */
  postgres(): Promise<PostgresBank> {
    this.#postgres ??= this.#make('the bank on PostgreSQL', () => openPostgresBank(this.#sizes.postgres))
    return this.#postgres
  }

  /** The bank on the embedded engine. */
  embedded(): Promise<EmbeddedBank> {
    this.#embedded ??= this.#make('the embedded bank', () => openEmbeddedBank(this.#sizes.embedded))
    return this.#embedded
  }

  /** The embedded directory with long histories. */
  histories(): Promise<HistoryDirectory> {
    this.#histories ??= this.#make('the directory of long histories', makeHistoryDirectory)
    return this.#histories
  }

  /** Ends everything and removes what it kept. */
  async close(): Promise<void> {
    await (await this.#postgres)?.close()
    await (await this.#embedded)?.close()
    await (await this.#histories)?.close()
  }

  async #make<T>(what: string, make: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const made = await make()
    this.#onMade(what, (performance.now() - startedAt) / 1000)
    return made
  }
}
