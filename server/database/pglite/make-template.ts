/**
 * Creates the empty database that each new bank copies. This script runs during the installation. Usage: node
 * server/database/pglite/make-template.ts
 */
import { makeEngineTemplate } from './engine-directory.ts'

await makeEngineTemplate()
