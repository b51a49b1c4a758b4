/**
 * This file is loaded before `server/main.ts`. With this file, Node stores the compiled files in a cache. The next
 * start reads the cache, does not load the TypeScript compiler, and therefore needs less memory. This file is plain
 * JavaScript, because a TypeScript file would itself load the compiler. If the cache directory is not writable, the
 * server still starts, but more slowly.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The cache directory needs the same protection as the code directory beside it.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
