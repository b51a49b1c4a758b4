/** Configures browser tests against a server that runs like `npm start` on a copy of the migrated template. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { migratedDataDirectory } from '#testing/data-directory.ts'
import { freePort } from '#testing/ports.ts'

// Each worker also reads this file and receives the port and directory through the environment.
process.env['E2E_PORT'] ??= String(await freePort())
if (process.env['E2E_DATA_DIR'] === undefined) {
  const { path } = await migratedDataDirectory()
  process.env['E2E_DATA_DIR'] = path
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
}
process.env['E2E_ADMIN_PASSWORD'] ??= crypto.randomUUID()

const url = `http://127.0.0.1:${process.env['E2E_PORT']}`
const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../../test-results',
  // `npm run nightly` sets E2E_NIGHTLY and runs the tagged tests. The normal run has all other tests.
  ...(process.env['E2E_NIGHTLY'] === undefined ? { grepInvert: /@nightly/ } : { grep: /@nightly/ }),
  fullyParallel: true,
  // One worker more than the expected cores, because a test spends much of its time waiting.
  workers: 3,
  // A shared machine may stall, so a test gets a second attempt in CI. The report lists a test
  // that passed only then as `flaky`.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: url,
    locale: 'es-CO',
    timezoneId: 'America/Bogota',
    // The service worker would answer before a test's routes. Only offline.test.ts permits the service worker.
    serviceWorkers: 'block',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
        // Other host names do not resolve, so tests cannot reach third parties. A test can answer such requests
        // itself.
        '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
      ],
    },
  },
  // With E2E_SERVER=running, the tests use a running server at that port and directory. nightly/cluster/failover.ts
  // runs them this way behind a proxy.
  ...(process.env['E2E_SERVER'] === 'running' ? {} : { webServer: ownServer() }),
})

function ownServer() {
  return {
    command: `"${process.execPath}" server/main.ts`,
    cwd: join(import.meta.dirname, '../..'),
    url: `${url}/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: process.env['E2E_PORT'] ?? '',
      DATA_DIR: process.env['E2E_DATA_DIR'] ?? '',
      ADMIN_EMAIL: 'admin@banco.example',
      ADMIN_PASSWORD: process.env['E2E_ADMIN_PASSWORD'] ?? '',
      AUTH_RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
  } as const
}
