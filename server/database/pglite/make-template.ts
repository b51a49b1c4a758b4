/** Makes the database that a new bank is copied from, for the set-up. Usage: node server/database/pglite/make-template.ts */
import { makeEngineTemplate } from './engine-directory.ts'

await makeEngineTemplate()
