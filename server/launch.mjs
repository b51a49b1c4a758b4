/**
 * This file is loaded before `server/main.ts`. It is plain JavaScript, because a TypeScript file would itself load the
 * TypeScript compiler.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// glibc reads these settings only when a process begins, so the process replaces itself once, under the same number.
// They make glibc give back the memory that V8 needed to optimise the SQL parser (docs/performance.md). Threads load
// this file too, and find the settings in place.
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
if (isMainThread && process.platform === 'linux' && process.env['MALLOC_TRIM_THRESHOLD_'] === undefined)
  process.execve(
    process.execPath,
    // A small young generation: with the default of 16 MB for each half, the two threads keep 20 MB more at rest.
    [process.execPath, '--max-semi-space-size=2', ...process.execArgv, ...process.argv.slice(1)],
    { ...process.env, ...mallocSettings },
  )

// Node stores the compiled files in a cache. The next start reads the cache, does not load the TypeScript compiler, and
// therefore needs less memory. If the cache directory is not writable, the server still starts, but more slowly. The
// directory needs the same protection as the code directory beside it.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
