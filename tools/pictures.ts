/**
 * `npm run pictures`: draws the pictures of the README from the bank of `npm run demo`, and writes the release that they
 * show to `pictures.json`. A test compares that release with package.json, so each release has new pictures.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { startDemo } from '#testing/demo.ts'
import { findBrowser } from '#tools/set-up/browser.mjs'
import { root } from './tree.ts'

const folder = path.join(root, 'docs/pictures')

/** The pictures, each of one page in one state. The heights are those of a usual screen. */
const pictures = [
  { name: 'dashboard', path: '/dashboard', width: 1280, height: 900, scheme: 'light' },
  { name: 'budget', path: '/presupuesto', width: 1280, height: 760, scheme: 'light' },
  { name: 'transactions-phone', path: '/transacciones', width: 390, height: 844, scheme: 'dark' },
] as const

/** Quality of the compression. A picture of 1280 px is then smaller than 100 kB, and its letters stay sharp. */
const quality = 82
const customer = 'laura@demo.finanzas.local'

const { url, password, stop } = await startDemo()
mkdirSync(folder, { recursive: true })
try {
  const executablePath = await findBrowser()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox'],
  })
  try {
    for (const picture of pictures) await draw(browser, { url, password, ...picture })
  } finally {
    await browser.close()
  }
} finally {
  await stop()
}
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
const files = pictures.map(({ name }) => fileOf(name))
writeFileSync(path.join(folder, 'pictures.json'), `${JSON.stringify({ version, files }, null, 2)}\n`)

type Drawing = (typeof pictures)[number] & { url: string; password: string }

async function draw(
  browser: Browser,
  { url, password, name, path: address, width, height, scheme }: Drawing,
) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: width < 500 ? 2 : 1,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'es-CO',
    timezoneId: 'America/Bogota',
  })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(customer)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.goto(url + address)
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => document.querySelector('.skeleton, .spinner') === null)
  const browserSession = await context.newCDPSession(page)
  const { data } = await browserSession.send('Page.captureScreenshot', { format: 'webp', quality })
  writeFileSync(path.join(folder, fileOf(name)), Buffer.from(data, 'base64'))
  await context.close()
}

function fileOf(name: string): string {
  return `${name}.webp`
}
