/**
 * Loaded before `server/main.ts`: Makes Node cache the compiled files, from which the types are stripped, and read them
 * from the cache at the next start. The next start then does not load the TypeScript compiler and therefore needs less
 * memory. This file is plain JavaScript, because a TypeScript file would itself load the compiler. Without a writable
 * cache directory the server starts as usual, only slower.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The cache needs the same protection as the code beside it.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
