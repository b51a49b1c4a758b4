/**
 * Writes and signs papers. A worker thread draws one paper at a time, the shortest first, so that a receipt does not wait
 * for many long statements. This thread only signs the result. The worker starts with the first paper, and ends when no
 * paper has been requested for a minute.
 */
import { Worker } from 'node:worker_threads'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { Drawn, Order } from './worker.ts'

const idleMs = 60_000
/** Memory in MiB for new objects. With less, the collection of the many small objects takes a third of the time. */
const youngMemoryMax = 64

const limits = {
  /** Memory in MiB that the worker may use. A statement of 10,000 transactions with long descriptions needs 160. */
  memoryMax: 256,
  /** Time for drawing one paper: several times what a statement of 10,000 transactions takes. */
  drawMs: 25_000,
  /** Time from the request until the paper is drawn. It is shorter than the time for which a page waits. */
  waitMs: 30_000,
  /** Time that requested papers have while the server ends. */
  closeMs: 8000,
}

/** Other papers take too long, or the server ends. Retryable. */
export class PapersBusy extends Error {
  override readonly name = 'PapersBusy'
}

const ended = () => new PapersBusy('The server ends.')

/** The paper needs more memory or time than one paper may use. */
export class PaperTooLarge extends Error {
  override readonly name = 'PaperTooLarge'
}

/** The client closed the connection before its paper was ready, and no longer reads the answer. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}

type Job = Omit<PromiseWithResolvers<Uint8Array<ArrayBuffer>>, 'promise'> & { readonly csv: string }

export class PaperWriter {
  readonly #limits: typeof limits
  /** All papers that are not drawn yet, in the order of the requests. */
  readonly #jobs = new Set<Job>()
  #drawing: Job | null = null
  #worker: Worker | null = null
  #isClosed = false
  #onEmpty: () => void = () => undefined
  #idle: NodeJS.Timeout | undefined
  #drawLimit: NodeJS.Timeout | undefined

  constructor(given: Partial<typeof limits> = {}) {
    this.#limits = { ...limits, ...given }
  }

  /**
   * Returns the signed PDF of a signed statement or receipt. The key must have a certificate. Throws `PapersBusy`,
   * `PaperTooLarge` and, when the client has left, the reason of the signal.
   */
  async write(csv: string, key: SigningKey, left: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const pdf = await this.#draw(csv, left)
    // Loaded with the first paper, because a server does not need the code to start.
    const { signPdf } = await import('./sign.ts')
    return signPdf(pdf, key)
  }

  /** Refuses further papers, and waits for the requested ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    const late = setTimeout(() => {
      // The paper that is being drawn comes last, because another would be begun after it.
      for (const job of this.#jobs) if (job !== this.#drawing) this.#refuse(job, ended())
      if (this.#drawing !== null) this.#refuse(this.#drawing, ended())
    }, this.#limits.closeMs)
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve))
    clearTimeout(late)
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  async #draw(csv: string, left: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#isClosed) throw ended()
    left.throwIfAborted()
    clearTimeout(this.#idle)
    const { promise, ...settle } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    const job = { csv, ...settle }
    this.#jobs.add(job)
    const late = setTimeout(() => {
      this.#refuse(job, new PapersBusy('Other papers take too long.'))
    }, this.#limits.waitMs)
    const stop = () => this.#refuse(job, left.reason as Error)
    left.addEventListener('abort', stop)
    this.#drawNext()
    try {
      return await promise
    } finally {
      clearTimeout(late)
      left.removeEventListener('abort', stop)
    }
  }

  #drawNext(): void {
    if (this.#drawing !== null) return
    const [shortest] = [...this.#jobs].sort((one, other) => one.csv.length - other.csv.length)
    if (shortest === undefined) {
      this.#onEmpty()
      this.#endLater()
      return
    }
    this.#drawing = shortest
    this.#worker ??= this.#start()
    this.#drawLimit = setTimeout(() => {
      this.#refuse(shortest, new PaperTooLarge('The paper takes too long.'))
    }, this.#limits.drawMs)
    this.#worker.postMessage({ csv: shortest.csv } satisfies Order)
  }

  #refuse(job: Job, error: Error): void {
    if (job === this.#drawing) this.#endWorker()
    job.reject(error)
    this.#finish(job)
  }

  #finish(job: Job): void {
    this.#jobs.delete(job)
    if (job === this.#drawing) {
      clearTimeout(this.#drawLimit)
      this.#drawing = null
    }
    this.#drawNext()
  }

  #start(): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.memoryMax,
        maxYoungGenerationSizeMb: youngMemoryMax,
      },
    })
    worker.unref()
    worker.on('message', ({ pdf, error }: Drawn) => {
      const job = this.#drawing
      // A thread that was ended may still answer.
      if (job === null || this.#worker !== worker) return
      if (pdf === null) job.reject(error)
      else job.resolve(pdf)
      this.#finish(job)
    })
    const lose = (cause?: Error & { code?: string }) => {
      if (this.#worker !== worker) return
      this.#worker = null
      if (this.#drawing === null) return
      const isTooLarge = cause?.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const Lost = isTooLarge ? PaperTooLarge : PapersBusy
      this.#refuse(this.#drawing, new Lost('The thread that draws papers ended.', { cause }))
    }
    worker.on('error', lose)
    worker.on('exit', () => lose())
    return worker
  }

  /** The next paper starts another thread, even if it is requested before this one has ended. */
  #endWorker(): void {
    void this.#worker?.terminate()
    this.#worker = null
  }

  #endLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#endWorker(), idleMs).unref()
  }
}
