/** Worker thread that draws papers: a statement of 10,000 transactions keeps a thread busy for seconds. */
import { parentPort } from 'node:worker_threads'
import { writePdf } from './write.ts'

export type Order = { readonly csv: string }
export type Drawn = {
  readonly pdf: Uint8Array<ArrayBuffer> | null
  readonly error: unknown
}

parentPort?.on('message', ({ csv }: Order) => {
  try {
    const pdf = writePdf(csv)
    parentPort?.postMessage({ pdf, error: null } satisfies Drawn, [pdf.buffer])
  } catch (error) {
    parentPort?.postMessage({ pdf: null, error } satisfies Drawn)
  }
})
