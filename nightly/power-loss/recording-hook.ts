/**
 * Loaded before everything else (`node --import`), also in worker threads: has the engine's thread take the
 * file system that records. The thread itself is the product's, to the letter.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const isEngine = context.parentURL?.endsWith('/server/database/pglite/worker.ts') === true
    return isEngine && specifier === './durable-file-system.ts'
      ? next(new URL('recording-file-system.ts', import.meta.url).href, context)
      : next(specifier, context)
  },
})
