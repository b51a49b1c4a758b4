/** The rule that no amount is wrapped, cut off or outside the screen. */
import { type Page, expect } from '@playwright/test'

export const widths = [320, 360, 390, 768, 1280]
export const textPercents = [100, 125, 150, 200]

type Circumstance = { width: number; textPercent: number }

/** Asserts that no amount on the page is cut off at the given width and text size. */
export async function staysWhole(page: Page, { width, textPercent }: Circumstance): Promise<void> {
  await page.setViewportSize({ width, height: 844 })
  await page.waitForFunction((wanted) => window.innerWidth === wanted, width)
  await page.evaluate((percent) => {
    document.documentElement.style.fontSize = `${percent}%`
    window.dispatchEvent(new Event('resize'))
  }, textPercent)
  await framesPass(page)
  await expect.poll(() => faultyAmounts(page), `${width} px, text at ${textPercent} %`).toEqual([])
}

const framesToSettle = 12

/** Waits for a few animation frames, because the list and container queries react to a change only in a later frame. */
async function framesPass(page: Page): Promise<void> {
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
  }, framesToSettle)
}

/**
 * Returns the amounts that are wrapped, cut off or outside the screen, and those that are not drawn by the component
 * for amounts.
 */
function faultyAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const amount = /[-+]?\$\s?\d[\d.,]*/g
    const faults: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const match of (text.nodeValue ?? '').matchAll(amount)) {
        const range = document.createRange()
        range.setStart(text, match.index)
        range.setEnd(text, match.index + match[0].length)
        const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
        const [first] = boxes
        if (first === undefined) continue
        const fault = faultOf(text.parentElement, boxes)
        if (fault !== null) faults.push(`${match[0]}: ${fault}`)
      }
    }
    return faults

    function isForScreenReaders(element: Element | null): boolean {
      for (let around = element; around !== null; around = around.parentElement)
        if (around instanceof HTMLElement && around.getBoundingClientRect().width <= 1) return true
      return false
    }

    function faultOf(element: Element | null, boxes: readonly DOMRect[]): string | null {
      if (isForScreenReaders(element)) return null
      // The scale of a chart is decorative, because a table repeats its values.
      if (element?.closest('[data-money], [aria-hidden]') === null) return 'drawn by something else'
      if (element?.closest('[data-money]')?.closest('[translate="no"]') === null) return 'translated'
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) return 'broken'
      const left = Math.min(...boxes.map((box) => box.left))
      const right = Math.max(...boxes.map((box) => box.right))
      if (left < 0 || right > document.documentElement.clientWidth) return 'out of the screen'
      for (let around = element; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === 'visible') continue
        const frame = around.getBoundingClientRect()
        if (left < frame.left - 1 || right > frame.right + 1) return 'cut off'
      }
      return null
    }
  })
}
