// `npm run types`: writes contract/database-types.ts from the catalogue of a migrated database.
import { writeFileSync } from 'node:fs'
import { typesPath, writtenTypes } from './written-types.ts'

writeFileSync(typesPath, await writtenTypes())
