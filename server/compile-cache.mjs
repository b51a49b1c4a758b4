/**
 * Loaded before `server/main.ts`: Node caches the compiled files, without types, and reads them from the cache at the
 * next start. That start does not load the TypeScript compiler, so its process needs less memory. This file is plain
 * JavaScript, because TypeScript here would load the compiler. Without a writable cache directory the server starts
 * as usual, only slower.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The cache needs the same protection as the code beside it.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
