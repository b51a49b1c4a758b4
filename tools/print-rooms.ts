// `node tools/print-rooms.ts`: writes the rooms table into ARCHITECTURE.md, between its two markers.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { putRoomsTable } from './rooms-table.ts'
import { root } from './tree.ts'

const file = path.join(root, 'ARCHITECTURE.md')
writeFileSync(file, putRoomsTable(readFileSync(file, 'utf8')))
