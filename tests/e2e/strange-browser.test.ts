/** The page in a stranger's browser: translated, with a wrong clock, or without storage. */
import { type Page, expect } from '@playwright/test'
import { resignToken } from '#testing/resigned-token.ts'
import { type Person, administratorTest, recordByBank, recordExpenses, test } from './people.ts'
import {
  askForRecovery,
  customerRoutes,
  loginHeading,
  pageHeading,
  password,
  staffRoutes,
} from './screens.ts'
import { forbidStorage, setClock, translatePages } from './strange-browser.ts'

const minuteMs = 60_000
const widths = [360, 768, 1280]
const failure = /algo salió mal/i

/** Returns the person with an access token that has expired, as an hour after the sign-in. */
async function afterAnHour(person: Person): Promise<Person> {
  const exp = Math.floor(Date.now() / 1000) - 90
  const access_token = await resignToken(process.env['E2E_DATA_DIR'] ?? '', person.session.access_token, {
    exp,
  })
  return { ...person, session: { ...person.session, access_token, expires_at: exp } }
}

for (const [clock, offsetMs, tag] of [
  ['two hours slow', -120 * minuteMs, []],
  ['five minutes slow', -5 * minuteMs, ['@nightly']],
  ['an hour fast', 60 * minuteMs, ['@nightly']],
] as const)
  test(
    `a translated page with a clock ${clock} shows the balance, records one expense and signs out`,
    { tag: [...tag] },
    async ({ openAs, customer, administrator }) => {
      await recordByBank(administrator, customer, {
        type: 'deposit',
        description: 'Nómina',
        amount: 100,
        category: 'Deposito',
      })
      const page = await openAs(await afterAnHour(customer))
      const renewals: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('grant_type=refresh_token')) renewals.push(request.url())
      })
      await translatePages(page)
      await setClock(page, offsetMs)
      await page.goto('/dashboard')
      const main = page.getByRole('main')
      await expect(main).toContainText('$100.00')

      await page.locator('form [name=description]').fill('Almuerzo')
      await page.locator('form [name=amount]').fill('12.50')
      await page.locator('form:has([name=description]) button[type=submit]').click()

      await expect(main).toContainText('$87.50')
      await recordByBank(administrator, customer, {
        type: 'deposit',
        description: 'Regalo',
        amount: 12.5,
        category: 'Deposito',
      })
      await expect(main.getByText('Regalo')).toBeVisible()
      const { data } = await customer.client
        .from('transactions')
        .select('description')
        .eq('description', 'Almuerzo')
      expect(data).toHaveLength(1)
      expect(renewals).toHaveLength(1)
      await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
      await expect(page.getByLabel('EMAIL')).toBeVisible()
      await expect(page.getByText(failure)).toHaveCount(0)
    },
  )

test('a translated login without storage explains it, refuses a wrong password and then signs in', async ({
  openAs,
  customer,
}) => {
  const page = await openAs(null)
  await translatePages(page)
  await forbidStorage(page)
  await page.goto('/login')
  await expect(page.getByText(/^Tu navegador no guarda datos de este sitio/i)).toBeVisible()
  const submit = async (chosen: string) => {
    await page.locator('[name=email]').fill(customer.email)
    await page.locator('[name=password]').fill(chosen)
    await page.locator('form button[type=submit]').click()
  }

  await submit('otra clave')
  await expect(page.getByText(/no son correctos/i).first()).toBeVisible()
  await submit(password)

  await expect(pageHeading(page)).toBeVisible()
  await expect(page).toHaveURL(/dashboard$/)
  await expect(page.getByText(failure)).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const)
  administratorTest(
    `every translated page survives a visit, and amounts, names and addresses are not translated (${colorScheme})`,
    { tag: '@nightly' },
    async ({ page, person, administrator }) => {
      administratorTest.setTimeout(240_000)
      await recordExpenses(person, [{ description: 'Tienda El Sol', amount: 41.57, category: 'Comida' }])
      await recordByBank(administrator, person, {
        type: 'deposit',
        description: 'Nómina',
        amount: 500,
        category: 'Deposito',
      })
      await translatePages(page)
      await page.emulateMedia({ colorScheme })
      await page.goto('/dashboard')
      for (const [index, route] of [
        '/dashboard',
        ...customerRoutes,
        ...staffRoutes,
        '/admin?vista=registro',
        `/admin/clientes/${person.id}`,
      ].entries()) {
        await page.setViewportSize({ width: widths[index % widths.length] ?? 1280, height: 800 })
        // The page itself changes the route, so that React replaces the translated page.
        await page.evaluate((to) => {
          history.pushState(null, '', to)
          dispatchEvent(new PopStateEvent('popstate'))
        }, route)
        await expect(pageHeading(page), route).toBeVisible()
        await page.waitForLoadState('networkidle')
        for (const button of await page.locator('main button[aria-haspopup=dialog]:visible').all()) {
          if ((await page.getByRole('dialog').count()) > 0 || !(await button.isEnabled())) break
          await button.click()
          await expect(page.getByRole('dialog').first()).toBeVisible()
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toHaveCount(0)
          break
        }
        await expect(page.getByText(failure), route).toHaveCount(0)
        expect(await translatedWords(page, [person.fullName, person.email, 'Tienda El Sol']), route).toEqual(
          [],
        )
      }
    },
  )

/** Returns the amounts on the page, and those of the words, that the browser has translated. */
function translatedWords(page: Page, words: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll('font > font')]
        .map(({ textContent }) => textContent)
        .filter((text) => /\$\s?\d/.test(text) || wanted.includes(text)),
    words.map((word) => word.toUpperCase()),
  )
}

test(
  'a recovery link that was used leads to another link',
  { tag: '@nightly' },
  async ({ page, openAs, customer }) => {
    const link = await askForRecovery(page, customer.email)
    await page.goto(link)
    await expect(page.getByLabel('Contraseña nueva', { exact: true })).toBeVisible()
    const elsewhere = await openAs(null)
    await elsewhere.goto(link)
    await elsewhere.getByRole('button', { name: 'Continuar' }).click()

    await expect(loginHeading(elsewhere)).toBeVisible()
    await expect(elsewhere.getByRole('main')).toContainText('Elige «¿Olvidaste tu contraseña?»')
    await expect(elsewhere.getByRole('button', { name: '¿Olvidaste tu contraseña?' })).toBeVisible()
  },
)
