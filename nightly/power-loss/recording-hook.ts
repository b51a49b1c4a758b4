/**
 * Node loads this module before all others (`node --import`), also in worker threads. It makes the engine's thread
 * load the recording file system. The code of that thread is still the product's.
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
