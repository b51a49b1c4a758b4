// `node tools/draw-icons.ts` renders the icons of the installed web app from the favicon, using the same browser as
// the tests.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '#tools/set-up/browser.mjs'
import { root } from './tree.ts'

const publicFolder = path.join(root, 'web/public')
/**
 * If the operating system crops an icon to a shape, the icon must fill the whole square, and its logo must be
 * within the middle 80 percent.
 */
const icons = [
  { file: 'icon-192.png', sizePx: 192, isCut: false },
  { file: 'icon-512.png', sizePx: 512, isCut: false },
  { file: 'icon-maskable-512.png', sizePx: 512, isCut: true },
  { file: 'apple-touch-icon.png', sizePx: 180, isCut: true },
]

const mark = await readFile(path.join(publicFolder, 'favicon.svg'), 'utf8')
const executablePath = await findBrowser()
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
for (const { file, sizePx, isCut } of icons) {
  await page.setViewportSize({ width: sizePx, height: sizePx })
  await page.setContent(
    `<style>html, body { margin: 0 } svg { display: block; width: 100vw }</style>${isCut ? mark.replace(' rx="8"', '') : mark}`,
  )
  await page.screenshot({ path: path.join(publicFolder, 'icons', file), omitBackground: true })
}
await browser.close()
