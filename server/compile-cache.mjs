/**
 * Loaded before `server/main.ts`: Node keeps what it made of the files, types taken away and compiled, and finds it at
 * the next start. That process is smaller by the compiler that it never loads. Plain JavaScript, or it would load it
 * for this file. A directory that cannot be written costs nothing but that.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The cache is as trustworthy as the code beside it.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
