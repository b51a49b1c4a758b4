/**
 * Runs Lighthouse on the production build with the mobile preset, a cold cache, two years of transactions, and both
 * third-party services switched off. Each page is audited several times and judged by the median. The audits leave out
 * the time that the page's main thread waited for a processor, because Lighthouse counts this wait as work and
 * multiplies it by four. The report also shows Lighthouse's own figure. The package `lighthouse` is installed in a
 * separate folder, because the product does not need it.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, type Page, chromium } from '@playwright/test'
import { type Trace, withoutWaiting } from '#bench/browser/waiting-time.ts'
import { type Order, type Scenario, amountOf } from '#bench/scenario.ts'
import { type Demo, startDemo } from '#testing/demo.ts'
import { freePort } from '#testing/ports.ts'
import { type Metric, atLeast, atMost, exact, metricWithoutThreshold } from '#testing/report.ts'
import { median } from '#testing/statistics.ts'
import { findTestBrowser } from '#tools/set-up/browser.mjs'

type Audit = {
  performance: number
  /** Score that includes the time that the page's main thread waited for a processor. */
  performanceAsFound: number
  accessibility: number
  bestPractices: number
  shift: number
  paintMs: number
}

const paths = ['/login', '/dashboard', '/transacciones', '/resumen'] as const
const performanceMin = 97
const shiftMax = 0.02
const runs = 5
const triesMax = 8
const program = 'bench/lighthouse/node_modules/lighthouse/cli/index.js'
const run = promisify(execFile)

export const lighthouse: Scenario = {
  title: 'Lighthouse, mobile, a cold cache',
  needs: ['browser', 'lighthouse'],
  isOnProcessorTime: true,
  run: (_, order) => auditAll(order),
}

async function auditAll(order: Order): Promise<Metric[]> {
  await using closers = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'finanzas-lighthouse-'))
  closers.defer(() => rmSync(directory, { recursive: true, force: true }))
  const bank = await startDemo()
  closers.defer(bank.stop)
  const debuggingPort = await freePort()
  const executablePath = await findTestBrowser()
  const browser = await chromium.launchPersistentContext(join(directory, 'browser'), {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [`--remote-debugging-port=${debuggingPort}`, '--no-sandbox', '--disable-gpu'],
  })
  closers.defer(() => browser.close())
  const [page] = browser.pages()
  if (page === undefined) throw new Error('The browser has no page.')
  const metrics: Metric[] = []
  // The shortest form audits the dashboard alone, which needs a sign-in.
  for (const path of order.isShort ? paths.slice(1, 2) : paths) {
    if (path === '/dashboard') await signIn(page, bank)
    metrics.push(
      ...metricsOf(
        path,
        await auditPage({
          browser,
          page,
          url: bank.url + path,
          debuggingPort,
          times: amountOf(order, runs),
        }),
      ),
    )
  }
  return metrics
}

function metricsOf(path: string, audit: Audit): Metric[] {
  return [
    atLeast(`${path}, performance`, audit.performance, performanceMin),
    metricWithoutThreshold(`${path}, performance with waits for a processor`, audit.performanceAsFound),
    exact(atLeast(`${path}, accessibility`, audit.accessibility, 100)),
    exact(atLeast(`${path}, best practices`, audit.bestPractices, 100)),
    atMost(`${path}, layout shift`, audit.shift, shiftMax, ''),
    metricWithoutThreshold(`${path}, largest paint`, audit.paintMs, 'ms'),
  ]
}

async function signIn(page: Page, bank: Demo): Promise<void> {
  await page.goto(`${bank.url}/login`)
  await page.getByLabel('Email').fill(bank.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(bank.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

type Opened = { browser: BrowserContext; page: Page; url: string; debuggingPort: number; times: number }

/**
 * Audits a page several times and returns the median of each figure. This function clears the caches itself, because
 * Lighthouse would clear all storage and thereby delete the session.
 */
async function auditPage({ browser, page, url, debuggingPort, times }: Opened): Promise<Audit> {
  const audits: Audit[] = []
  for (let tries = 0; audits.length < times; tries += 1) {
    const devtools = await browser.newCDPSession(page)
    await devtools.send('Network.clearBrowserCache')
    // Without this call, the service worker's caches would be warm.
    await devtools.send('Storage.clearDataForOrigin', {
      origin: new URL(url).origin,
      storageTypes: 'service_workers,cache_storage',
    })
    await devtools.detach()
    try {
      audits.push(await auditOnce(url, debuggingPort))
    } catch (error) {
      // Chromium's trace recording sometimes fails (NO_NAVSTART) for reasons that have nothing to do with the page.
      if (tries >= triesMax) throw error
    }
  }
  const middle = (figure: keyof Audit) => median(audits.map((audit) => audit[figure]))
  return {
    performance: middle('performance'),
    performanceAsFound: middle('performanceAsFound'),
    accessibility: middle('accessibility'),
    bestPractices: middle('bestPractices'),
    shift: middle('shift'),
    paintMs: middle('paintMs'),
  }
}

type Report = {
  categories: Record<'performance' | 'accessibility' | 'best-practices', { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

async function auditOnce(url: string, debuggingPort: number): Promise<Audit> {
  const folder = mkdtempSync(join(tmpdir(), 'finanzas-lighthouse-page-'))
  try {
    await lighthouseRun(url, debuggingPort, `--gather-mode=${folder}`)
    const asFound = await judged(url, debuggingPort, folder)
    const recording = join(folder, 'trace.json')
    const trace = JSON.parse(readFileSync(recording, 'utf8')) as Trace
    writeFileSync(recording, JSON.stringify(withoutWaiting(trace)))
    const audit = await judged(url, debuggingPort, folder)
    return { ...audit, performanceAsFound: asFound.performance }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Lighthouse's audits on the artifacts in a folder. */
async function judged(
  url: string,
  debuggingPort: number,
  folder: string,
): Promise<Omit<Audit, 'performanceAsFound'>> {
  const stdout = await lighthouseRun(url, debuggingPort, `--audit-mode=${folder}`)
  const { categories, audits } = JSON.parse(stdout) as Report
  const scoreOf = (name: keyof Report['categories']) => Math.round((categories[name].score ?? 0) * 100)
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    bestPractices: scoreOf('best-practices'),
    shift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    paintMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
  }
}

async function lighthouseRun(url: string, debuggingPort: number, mode: string): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [
      program,
      url,
      `--port=${debuggingPort}`,
      '--form-factor=mobile',
      '--disable-storage-reset',
      '--only-categories=performance,accessibility,best-practices',
      '--output=json',
      '--quiet',
      mode,
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  return stdout
}
