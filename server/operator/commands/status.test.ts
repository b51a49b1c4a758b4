/** Runs `npm run status` beside a fake server, because a test cannot fill the disk. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { BankState } from '@finanzas/contract/operations/facts.ts'
import { engineDirectoryOf } from '#data-directory/data-directory.ts'
import type { CommandContext } from '#operator/command.ts'
import { openOperatorSocket, socketPath } from '#operator/socket.ts'

test('npm run status shows the present free space instead of the server’s last report', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finanzas-status-'))
  mkdirSync(engineDirectoryOf(dataDir))
  writeFileSync(join(engineDirectoryOf(dataDir), 'PG_VERSION'), '18')
  const now = new Date().toISOString()
  const reported: BankState = {
    read_at: now,
    serving_since: now,
    migration: '20261201000000_0_4_0',
    database_version: '18.3',
    database_bytes: 1,
    last_backup_at: now,
    ledger_checked_at: now,
    is_ledger_broken: false,
    mails_waiting: 0,
    oldest_mail_at: null,
    needs_administrator: false,
    servers: [
      {
        name: 'one:3000',
        version: '0.3.0',
        engine: 'pglite',
        started_at: now,
        seen_at: now,
        is_gone: false,
        disk_free_bytes: 1,
        backup_interval_minutes: 60,
        last_backup_at: now,
      },
    ],
    alarms: [],
  }
  const close = await openOperatorSocket(socketPath(dataDir), { status: () => Promise.resolve(reported) }, {
    config: { dataDir },
  } as unknown as CommandContext)
  try {
    const program = join(import.meta.dirname, 'status.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--json'], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    })

    const { servers } = JSON.parse(stdout) as BankState
    expect(servers).toHaveLength(1)
    expect(servers[0]?.disk_free_bytes).toBeGreaterThan(1)
  } finally {
    await close()
    rmSync(dataDir, { recursive: true })
  }
})
