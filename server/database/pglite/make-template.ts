/**
 * Creates, at installation, the database from which a new bank is copied. Usage: node
 * server/database/pglite/make-template.ts
 */
import { makeEngineTemplate } from './engine-directory.ts'

await makeEngineTemplate()
