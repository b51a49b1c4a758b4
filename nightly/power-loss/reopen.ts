/** Opens a disk image as the next start would, and says what is in it: node nightly/power-loss/reopen.ts DIRECTORY */
import { sql } from '#server/database/database.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { verifyLedger } from '#server/ledger/verify.ts'

const [, , directory = ''] = process.argv
const { database, owner } = await openPglite(directory)
const rows = await owner.query(sql<{ id: string }>`select id from public.transactions`)
const { broken } = await verifyLedger(database)
process.stdout.write(JSON.stringify({ ids: rows.map(({ id }) => id), broken }))
process.exit(0)
