/**
 * Writes and signs papers. A worker thread draws them one after another, and this thread only signs the result. The
 * worker starts with the first paper, and ends when no paper has been requested for a minute.
 */
import { Worker } from 'node:worker_threads'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { Drawn, Order } from './worker.ts'

const idleMs = 60_000
/** Memory in MiB that the worker may use, which is enough for a statement of 10,000 transactions. */
const memoryMax = 640
/** Memory in MiB for new objects. With less, the collection of the many small objects takes a third of the time. */
const youngMemoryMax = 64

type Waiting = {
  readonly resolve: (pdf: Uint8Array<ArrayBuffer>) => void
  readonly reject: (error: unknown) => void
}

export class PaperWriter {
  #worker: Worker | null = null
  #waiting = new Map<number, Waiting>()
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  /** Returns the signed PDF of a signed statement or receipt. The key must have a certificate. */
  async write(csv: string, key: SigningKey): Promise<Uint8Array<ArrayBuffer>> {
    const pdf = await this.#draw(csv)
    // Loaded with the first paper, because a server does not need the code to start.
    const { signPdf } = await import('./sign.ts')
    return signPdf(pdf, key)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #draw(csv: string): Promise<Uint8Array<ArrayBuffer>> {
    clearTimeout(this.#idle)
    const id = (this.#lastId += 1)
    const worker = (this.#worker ??= this.#start())
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, csv } satisfies Order)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMax, maxYoungGenerationSizeMb: youngMemoryMax },
    })
    let cause: unknown = null
    worker.unref()
    worker.on('message', ({ id, pdf, error }: Drawn) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#endLater(worker)
      if (pdf === null) waiting?.reject(error)
      else waiting?.resolve(pdf)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = null
      const lost = [...this.#waiting.values()]
      this.#waiting.clear()
      for (const { reject } of lost) reject(new Error('The thread that draws papers ended.', { cause }))
    })
    return worker
  }

  #endLater(worker: Worker): void {
    this.#idle = setTimeout(() => {
      // The next paper starts another thread, even if it is requested before this one has ended.
      this.#worker = null
      void worker.terminate()
    }, idleMs).unref()
  }
}
