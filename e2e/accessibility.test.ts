import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { signInAsAdministrator, watchForErrors } from './screens.ts'

const routes = ['/dashboard', '/transacciones', '/cuentas', '/documentos', '/soporte', '/perfil', '/admin']
const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 800 },
}

for (const [name, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`on a ${name}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: 'reduce' })

      test('no route breaks a rule that a machine can check, and none scrolls sideways', async ({ page }) => {
        watchForErrors(page)
        await page.goto('/')
        await expect(page).toHaveTitle('Iniciar Sesión - Finanzas')
        expect(await violations(page)).toEqual([])
        await signInAsAdministrator(page)
        for (const route of routes) {
          await page.goto(route)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page).toHaveTitle(/ - (?:Finanzas|Banco Finanzas)$/)
          expect(await violations(page), route).toEqual([])
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(overflow, route).toBe(0)
        }
      })
    })
  }
}

async function violations(page: Parameters<typeof signInAsAdministrator>[0]): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
