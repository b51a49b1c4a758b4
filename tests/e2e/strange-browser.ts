/** Functions that run in the page before its scripts, and make the browser a stranger's browser. */
import type { Page } from '@playwright/test'

/**
 * Does to the document what Chromium's translation does: each text moves into two nested FONT elements, also a text that
 * appears later. The translated letters are capitals, so that a test sees which texts were translated. The function runs
 * in the page and uses nothing from this file.
 */
export function translateDocument(): void {
  const skipped = ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA', 'TITLE', 'FONT']
  const translate = (root: Node) => {
    const texts: Node[] = []
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    if (root.nodeType === Node.TEXT_NODE) texts.push(root)
    while (walk.nextNode() !== null) texts.push(walk.currentNode)
    for (const text of texts) {
      const parent = text.parentElement
      if (parent === null || skipped.includes(parent.nodeName)) continue
      if (!/\p{L}/u.test(text.nodeValue ?? '') || parent.closest('[translate="no"]') !== null) continue
      const outer = document.createElement('font')
      outer.append(document.createElement('font'))
      outer.children[0]?.append((text.nodeValue ?? '').toUpperCase())
      text.parentNode?.replaceChild(outer, text)
    }
  }
  translate(document.body)
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    setTimeout(() => added.filter((node) => node.isConnected).forEach(translate), 20)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Translates every page that this tab opens. */
export async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(`addEventListener('DOMContentLoaded', ${String(translateDocument)})`)
}

/** Makes the device's clock wrong by the given time, which is negative if the clock is slow. */
export async function setClock(page: Page, offsetMs: number): Promise<void> {
  await page.addInitScript((offset) => {
    const Real = Date
    const now = () => Real.now() + offset
    const Wrong = function Wrong(...given: []) {
      return new.target === undefined
        ? String(new Real(now()))
        : Reflect.construct(Real, given.length === 0 ? [now()] : given)
    }
    Object.setPrototypeOf(Wrong, Real)
    Wrong.prototype = Real.prototype
    window.Date = Object.assign(Wrong, { now }) as unknown as DateConstructor
  }, offsetMs)
}

/** Makes every access to the storage throw, as a browser does that forbids the site's data. */
export async function forbidStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
}
