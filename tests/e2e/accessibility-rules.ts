/**
 * Accessibility rules that a machine can check on a screen: WCAG 2.2 AA by axe, and whether anything sticks out of it.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]

export type State = { name: string; path: string; open?: (page: Page) => Promise<void> }

/** Opens the state and checks it: axe's rules in both schemes and three widths, then what scrolls sideways. */
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

// Frames of other origins are left out; without them one call does.
const axe = (page: Page) =>
  // Collecting what passes takes longer than the check.
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
export const everyRule = (page: Page) =>
  axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
/** The dark scheme is the same page in other colours. */
const colourRules = (page: Page) => axe(page).withRules(['color-contrast'])

export async function violations(page: Page, rules: (page: Page) => AxeBuilder): Promise<string[]> {
  const found = await rules(page).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** The list follows a change of size with its next frame, so one look would be too early. */
async function staysWithin(page: Page, circumstance: string): Promise<void> {
  await expect.poll(() => overflow(page), circumstance).toEqual([])
}

/** Elements that stick out of the page, or of a dialog on it, and make it scroll sideways. */
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

/** Puts a style of the reader's own on the page; the page's policy lets no style element in. */
async function setText(page: Page, style: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, style)
}
