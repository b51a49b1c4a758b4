// Finds an installed Chromium or Chrome for the browser tests, or installs a browser.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, SetUpError } from './run.mjs'

/** Paths where operating systems install a Chromium or Chrome that can be started directly. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Headless Chromium, which is a separate package of Debian. A test with headless Chromium needs half the CPU time of a
 * test with Chromium.
 */
const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of the browser for tests, or undefined if no browser is installed. CHROMIUM_PATH takes precedence if
 * it is set.
 */
export async function findTestBrowser() {
  return !process.env['CHROMIUM_PATH'] && existsSync(headlessShell) ? headlessShell : await findBrowser()
}

/**
 * Returns the path of a Chromium, or undefined if no Chromium is installed. CHROMIUM_PATH takes precedence if it is
 * set.
 */
export async function findBrowser() {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : undefined
  return usualPlaces.find((place) => isRealProgram(place)) ?? (await playwrightBrowser())
}

/** Installs a browser for the browser tests unless the best browser for these tests is already installed. */
export async function installBrowser() {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen && !existsSync(chosen)) throw new SetUpError('CHROMIUM_PATH names a file that does not exist.')
  if (chosen || existsSync(headlessShell)) return

  if (isRootOnDebian() && installFromDebian()) return
  if ((await findBrowser()) !== undefined) return
  run('installing Chromium (playwright install chromium)', 'playwright', ['install', 'chromium'])
  if ((await findBrowser()) === undefined)
    throw new SetUpError('the browser tests need a browser: install Chromium, or set CHROMIUM_PATH to one.')
}

function installFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']
  return (
    run('asking Debian for its packages', 'apt-get', ['update', '-qq'], env) &&
    run('installing Chromium (apt-get install chromium-headless-shell)', 'apt-get', install, env)
  )
}

/** Returns true only on Debian itself. Ubuntu's package `chromium` installs a snap, which containers cannot start. */
function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/**
 * Distinguishes a browser from Ubuntu's placeholder script, which only reports that a snap is missing.
 * @param {string} file
 */
function isRealProgram(file) {
  if (!existsSync(file)) return false
  const isPointer = () => readFileSync(file, 'utf8').includes('requires the chromium snap to be installed')
  return existsSync('/snap/bin/chromium') || !isPointer()
}

async function playwrightBrowser() {
  if (!existsSync(path.join(root, 'node_modules/playwright-core'))) return undefined
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined
}
