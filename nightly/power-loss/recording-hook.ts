/**
 * Node loads this module before all others (`node --import`), even in worker threads. This module makes the engine's
 * thread load the recording file system. Apart from its file system, the thread runs the product's unmodified code.
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
