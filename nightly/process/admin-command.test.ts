/** `npm run admin`: beside a server that runs, without one, and what the audit says afterwards. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { migratedDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const first = { email: 'admin@banco.example', password: 'una clave de prueba larga' }

async function admin(dataDir: string, ...call: string[]) {
  const answer = await promisify(execFile)(
    process.execPath,
    ['server/operator/commands/admin.ts', ...call, '--json'],
    {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ADMIN_EMAIL: first.email },
    },
  ).catch((error: { code: number; stdout: string; stderr: string }) => error)
  const code = 'code' in answer ? answer.code : 0
  return {
    code,
    stderr: answer.stderr,
    result: answer.stdout === '' ? null : (JSON.parse(answer.stdout) as unknown),
  }
}

async function clientOf(url: string, dataDir: string) {
  const { anonKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { anonKey: string }
  return createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
}

test('a locked-out administrator gets back in beside the running server, and every step is in the audit', async () => {
  const dataDir = await migratedDirectory()
  const server = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: first.email,
    ADMIN_PASSWORD: first.password,
  })
  await untilReady(server)
  const before = await clientOf(server.url, dataDir)
  expect((await before.auth.signInWithPassword(first)).error).toBe(null)

  const created = await admin(dataDir, 'create', 'Segunda@Banco.example', '--name', 'Segunda')
  const reset = await admin(dataDir, 'reset-access', first.email)
  const { password } = reset.result as { password: string }

  // The old password and the old session are over, the new password opens.
  expect((await before.auth.getUser()).error).not.toBe(null)
  const after = await clientOf(server.url, dataDir)
  expect((await after.auth.signInWithPassword(first)).error).toMatchObject({ code: 'invalid_credentials' })
  expect((await after.auth.signInWithPassword({ ...first, password })).error).toBe(null)
  const second = await clientOf(server.url, dataDir)
  const { password: given } = created.result as { password: string }
  expect(
    (await second.auth.signInWithPassword({ email: 'segunda@banco.example', password: given })).error,
  ).toBe(null)

  await admin(dataDir, 'revoke', 'segunda@banco.example')
  expect((await second.auth.getUser()).error).not.toBe(null)
  const list = await admin(dataDir, 'list')
  expect(list.result).toMatchObject([
    { email: first.email, sessions: 1 },
    { email: 'segunda@banco.example', full_name: 'Segunda', sessions: 0 },
  ])
  const { data: entries } = await after.from('audit_entries').select('action, origin').order('id')
  expect(entries?.filter(({ origin }) => origin === 'operator')).toEqual([
    { action: 'create_user', origin: 'operator' },
    { action: 'reset_access', origin: 'operator' },
    { action: 'revoke_sessions', origin: 'operator' },
  ])
})

test('without a server the command opens the bank by itself; mistakes are said in a sentence', async () => {
  const dataDir = await migratedDirectory()
  const server = await startProgram({ DATA_DIR: dataDir })
  await untilReady(server)
  server.process.kill('SIGTERM')
  await server.ended

  const { code, result } = await admin(dataDir, 'create', 'sola@banco.example')
  expect(code).toBe(0)
  expect(result).toMatchObject({
    email: 'sola@banco.example',
    password: expect.stringMatching(/^[\w-]{24}$/),
  })

  const taken = await admin(dataDir, 'create', 'sola@banco.example')
  const nobody = await admin(dataDir, 'reset-access', 'nadie@banco.example')
  const usage = await admin(dataDir, 'promote', 'sola@banco.example')
  const unbanned = await admin(dataDir, 'unban', 'sola@banco.example')

  expect([taken.code, nobody.code, usage.code, unbanned.code]).toEqual([1, 1, 2, 0])
  expect(taken.stderr).toContain('ya tiene una cuenta')
  expect(nobody.stderr).toContain('No hay ninguna cuenta con la dirección nadie@banco.example.')
  expect(usage.stderr).toContain('Acción desconocida: promote.\nUso: npm run admin')
})
