/**
 * Creates an empty database directory in a separate process. Initialising needs several times as much memory as
 * serving, and a WebAssembly memory never shrinks. Usage: node initialise.ts DIRECTORY
 */
import { PGlite } from '@electric-sql/pglite'
import { DurableFileSystem } from './durable-file-system.ts'
import { engineStartParameters } from './parameters.ts'

const [directory = ''] = process.argv.slice(2)
const engine = await PGlite.create({
  fs: new DurableFileSystem(directory),
  startParams: engineStartParameters,
})
await engine.exec('checkpoint')
await engine.close()
