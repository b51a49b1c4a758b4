/**
 * Accessibility rules that a machine can check on a screen: WCAG 2.2 AA with axe, and that nothing overflows.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]

export type State = { name: string; path: string; open?: (page: Page) => Promise<void> }

/** Opens the state and checks axe's rules and the overflow in both schemes and three widths. */
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

// Legacy mode does not check frames of other origins, and needs only one call.
const axe = (page: Page) =>
  // Without this option, axe takes longer to collect the passed rules than to check them.
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
export const everyRule = (page: Page) =>
  axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
/** Checks only colours, because the dark scheme is the same page in other colours. */
const colourRules = (page: Page) => axe(page).withRules(['color-contrast'])

export async function violations(page: Page, rules: (page: Page) => AxeBuilder): Promise<string[]> {
  const found = await rules(page).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Asserts that nothing overflows. Retries, because the list follows a change of size only in its next frame. */
async function staysWithin(page: Page, circumstance: string): Promise<void> {
  await expect.poll(() => overflow(page), circumstance).toEqual([])
}

/** Returns the elements that overflow the page or a dialog and make it scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('[role=dialog]')]
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

/** Applies a reader's own style to the page. The page's content security policy would refuse a style element. */
async function setText(page: Page, style: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, style)
}
