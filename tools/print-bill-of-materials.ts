// Prints what this release runs on (`npm run --silent sbom`).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { billOfMaterials } from './bill-of-materials.ts'
import type { Lockfile } from './lockfile.ts'

const file = path.join(import.meta.dirname, '..', 'package-lock.json')
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
process.stdout.write(`${JSON.stringify(billOfMaterials(lockfile), null, 2)}\n`)
