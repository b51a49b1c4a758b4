/**
 * Creates the template of a new bank's database at installation. Usage: node server/database/pglite/make-template.ts
 */
import { makeEngineTemplate } from './engine-directory.ts'

await makeEngineTemplate()
