/**
 * Configures the browser tests. These tests start the server like `npm start`, on a copy of the migrated template.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { migratedDataDirectory } from '#testing/data-directory.ts'
import { freePort } from '#testing/ports.ts'

// Each worker process evaluates this file again and gets the port and the directory from the environment.
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
  // `npm run nightly` sets E2E_NIGHTLY and runs only the tests tagged @nightly. The normal run contains all other
  // tests.
  ...(process.env['E2E_NIGHTLY'] === undefined ? { grepInvert: /@nightly/ } : { grep: /@nightly/ }),
  fullyParallel: true,
  // The number of workers is twice the expected number of cores, because a test spends much of its time waiting.
  workers: 4,
  // A shared machine may stall. In CI a failed test therefore gets a second attempt. If the second attempt succeeds,
  // the report lists the test as `flaky`.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: url,
    locale: 'es-CO',
    timezoneId: 'America/Bogota',
    // A service worker would answer requests before the routes that a test mocks. Only offline.test.ts allows the
    // service worker.
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
        // Other host names do not resolve, so that tests cannot reach third parties. A test can mock the answers to
        // requests to other hosts.
        '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
      ],
    },
  },
  // With E2E_SERVER=running, the tests use a server that is already running with the given port and directory.
  // nightly/cluster/failover.ts runs the tests in this way behind a proxy.
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
