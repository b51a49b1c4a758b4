/**
 * Creates, at installation, the empty database that a new bank copies. Usage: node
 * server/database/pglite/make-template.ts
 */
import { makeEngineTemplate } from './engine-directory.ts'

await makeEngineTemplate()
