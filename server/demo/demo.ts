/**
 * `npm run demo`: a realistic bank in a directory that is removed when the process ends. The bank and its child
 * processes form a process group, because the directory can be removed only after all processes of the group have
 * ended. The option `--keep` names a directory that is not removed, so that `npm start` can use it.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

const usage = 'Uso: npm run demo [-- --keep DIRECTORIO]'
const { help, keep } = readOptions()
if (help === true) {
  console.log(usage)
  process.exit(0)
}
const kept = keep === undefined ? null : resolve(keep)
if (kept !== null && existsSync(kept) && readdirSync(kept).length > 0) {
  console.error(`${kept} no está vacío. Si el banco de demostración ya está allí: DATA_DIR=${kept} npm start`)
  process.exit(1)
}
if (kept !== null) mkdirSync(kept, { recursive: true, mode: 0o700 })

// Registers the signal handlers before the directory is created, so that a signal cannot leave the directory behind. A
// handler runs only after the synchronous lines below.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => endGroup(signal === 'SIGHUP' ? 'SIGTERM' : signal))
const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'finanzas-demo-'))
const program = fileURLToPath(new URL('demo-bank.ts', import.meta.url))
const bank = spawn(process.execPath, [program, dataDir], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  detached: true,
})
bank.once('exit', (code, signal) => {
  // Other processes of the group may still write to the directory, for example while they create the database.
  endGroup('SIGKILL')
  if (kept === null) rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  process.exit(code ?? (signal === null ? 1 : 0))
})

function readOptions() {
  try {
    return parseArgs({ options: { keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } } }).values
  } catch {
    console.error(`La única opción es --keep, con un directorio.\n${usage}`)
    return process.exit(2)
  }
}

function endGroup(signal: NodeJS.Signals): void {
  if (bank.pid === undefined) return
  try {
    process.kill(-bank.pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
