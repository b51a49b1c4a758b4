/** Browser stories against a server that `npm start`'s own code starts on an empty directory. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// Workers read this file again: what the first reading chose is handed to them in the environment.
process.env['E2E_PORT'] ??= freePort()
process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'finanzas-e2e-'))
process.env['E2E_ADMIN_PASSWORD'] ??= crypto.randomUUID()

const url = `http://127.0.0.1:${process.env['E2E_PORT']}`
const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 5000 },
  use: {
    baseURL: url,
    locale: 'es-CO',
    timezoneId: 'America/Bogota',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" server/main.ts`,
    cwd: join(import.meta.dirname, '..'),
    url: `${url}/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: process.env['E2E_PORT'],
      DATA_DIR: process.env['E2E_DATA_DIR'],
      ADMIN_EMAIL: 'admin@banco.example',
      ADMIN_PASSWORD: process.env['E2E_ADMIN_PASSWORD'],
      AUTH_RATE_LIMITS: 'off',
      // No third party is reached in a test; the page says calmly that there is no chart.
      AVATAR_URL: '',
      CHART_URL: '',
      LOG_LEVEL: 'warn',
    },
  },
})

function freePort(): string {
  const program =
    'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim()
}
