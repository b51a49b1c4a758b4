/**
 * Accessibility rules that can be checked automatically on a screen: the WCAG 2.2 AA rules of axe, and the rule that
 * nothing overflows.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]

export type State = { name: string; path: string; open?: (page: Page) => Promise<void> }

/**
 * Opens a state of the page. Checks axe's rules, and that nothing overflows, in both colour schemes and at three
 * widths.
 */
export async function check(page: Page, { name, path, open }: State): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await open?.(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await violations(page, everyRule), `${name}, ${size.width} px`).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, colourRules), `${name}, ${size.width} px, dark`).toEqual([])
    await staysWithin(page, `${name}, ${size.width} px`)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await staysWithin(page, `${name}, 320 px`)
  await page.setViewportSize({ width: 360, height: 740 })
  await setText(page, ':root { font-size: 200% }')
  await staysWithin(page, `${name}, text at 200 %`)
  await setText(
    page,
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
  )
  await staysWithin(page, `${name}, text spaced out`)
}

// In axe's legacy mode, one call checks the page, but not the frames of other origins.
const axe = (page: Page) =>
  // Without `resultTypes`, axe spends more time on the results of passed rules than on the checks.
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
export const everyRule = (page: Page) =>
  axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
/**
 * Checks only colour contrast. The dark scheme needs no other check, because only its colours differ from the light
 * scheme.
 */
const colourRules = (page: Page) => axe(page).withRules(['color-contrast'])

export async function violations(page: Page, rules: (page: Page) => AxeBuilder): Promise<string[]> {
  const found = await rules(page).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Asserts that nothing overflows. Retries, because the list adapts to a new size only in the next animation frame. */
async function staysWithin(page: Page, circumstance: string): Promise<void> {
  await expect.poll(() => overflow(page), circumstance).toEqual([])
}

/** Returns the elements that overflow the page or a dialog and therefore cause sideways scrolling. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('[role$=dialog]')]
    return boxes
      .filter((box) => box.scrollWidth > box.clientWidth)
      .flatMap((box) => {
        const edge = box.getBoundingClientRect().left + box.clientWidth
        const sticking = [...box.querySelectorAll<HTMLElement>('*:not(svg, svg *)')].filter(
          (element) => element.getBoundingClientRect().right > edge + 1,
        )
        return sticking.map(
          (element) => `<${element.tagName} class="${element.className}"> ${element.textContent}`,
        )
      })
  })
}

/**
 * Applies a reader's custom style to the page. Uses a constructed style sheet, because the page's content security
 * policy refuses style elements.
 */
async function setText(page: Page, style: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, style)
}
