/**
 * Lighthouse on the production build: the mobile preset, a cold cache, a bank with two years of movements, the two
 * third parties switched off. Each page is audited several times and judged by the median, because the simulation
 * moves with the machine's load. Lighthouse is a package of its own folder: the product runs without it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { type BrowserContext, type Page, chromium } from '@playwright/test'
import { freePort } from '#testing/ports.ts'
import { median } from '#testing/statistics.ts'
import { findBrowser } from '#tools/set-up/browser.mjs'

type Budget = { path: string; performance: number }
type Audit = {
  performance: number
  accessibility: number
  bestPractices: number
  shift: number
  paintMs: number
}

const budgets: readonly Budget[] = [
  { path: '/login', performance: 97 },
  { path: '/dashboard', performance: 95 },
  { path: '/transacciones', performance: 95 },
]
const shiftMax = 0.02
const runs = 3
const program = 'bench/lighthouse/node_modules/lighthouse/cli/index.js'
const run = promisify(execFile)

const directory = mkdtempSync(join(tmpdir(), 'finanzas-lighthouse-'))
const bank = await openBank()
const debuggingPort = await freePort()
const executablePath = await findBrowser()
const browser = await chromium.launchPersistentContext(join(directory, 'browser'), {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [`--remote-debugging-port=${debuggingPort}`, '--no-sandbox', '--disable-gpu'],
})
try {
  const [page] = browser.pages()
  if (page === undefined) throw new Error('The browser has no page.')
  let isWithin = true
  console.log('page             performance  accessibility  best practices  layout shift  largest paint')
  for (const budget of budgets) {
    if (budget.path === '/dashboard') await signIn(page)
    const audit = await auditPage(browser, page, budget.path)
    isWithin &&= isGoodEnough(audit, budget)
    console.log(lineOf(audit, budget))
  }
  if (!isWithin) process.exitCode = 1
} finally {
  await browser.close()
  bank.server.kill('SIGTERM')
  await once(bank.server, 'exit')
  rmSync(directory, { recursive: true, force: true })
}

/** The bank of `npm run demo`, and how one of its customers signs in. */
async function openBank(): Promise<{ server: ChildProcess; url: string; email: string; password: string }> {
  const port = String(await freePort())
  const server = spawn(process.execPath, ['server/demo.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], PORT: port, AVATAR_URL: '', CHART_URL: '', LOG_LEVEL: 'warn' },
  })
  let email = ''
  for await (const line of createInterface({ input: server.stdout })) {
    email ||= /Cliente:\s+(\S+)/.exec(line)?.[1] ?? ''
    const password = /Contraseña de todos: (\S+)/.exec(line)?.[1]
    if (password !== undefined) return { server, url: `http://127.0.0.1:${port}`, email, password }
  }
  throw new Error('The bank did not open.')
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${bank.url}/login`)
  await page.getByLabel('Email').fill(bank.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(bank.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

/** The median of each figure. The cache is emptied before each run: Lighthouse leaves it, or the session would go too. */
async function auditPage(context: BrowserContext, page: Page, path: string): Promise<Audit> {
  const audits: Audit[] = []
  for (let count = 0; count < runs; count += 1) {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.clearBrowserCache')
    await devtools.detach()
    audits.push(await auditOnce(bank.url + path))
  }
  const middle = (figure: keyof Audit) => median(audits.map((audit) => audit[figure]))
  return {
    performance: middle('performance'),
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

async function auditOnce(url: string): Promise<Audit> {
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
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  )
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

function isGoodEnough(audit: Audit, budget: Budget): boolean {
  return (
    audit.performance >= budget.performance &&
    audit.accessibility === 100 &&
    audit.bestPractices === 100 &&
    audit.shift <= shiftMax
  )
}

function lineOf(audit: Audit, budget: Budget): string {
  return [
    budget.path.padEnd(16),
    `${audit.performance} (≥ ${budget.performance})`.padStart(11),
    String(audit.accessibility).padStart(14),
    String(audit.bestPractices).padStart(15),
    audit.shift.toFixed(3).padStart(13),
    `${Math.round(audit.paintMs)} ms`.padStart(14),
    isGoodEnough(audit, budget) ? '' : '  ← below',
  ].join(' ')
}
