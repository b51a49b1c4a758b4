/**
 * The two third parties in the specification: the frame with the market chart, and the avatar service. The tests mock
 * the answers of both services.
 */
import { type Page, expect } from '@playwright/test'
import { threeNamesTest as test } from './people.ts'

const routes = ['/dashboard', '/transacciones', '/cuentas', '/documentos', '/soporte', '/perfil']

/** Records every request to another host. */
function watchThirdParties(page: Page): URL[] {
  const asked: URL[] = []
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol.startsWith('http') && address.hostname !== '127.0.0.1') asked.push(address)
  })
  return asked
}

async function visit(page: Page, routes: readonly string[]): Promise<void> {
  for (const route of routes) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForLoadState('networkidle')
  }
}

test(
  'the page sends requests only to the hosts of the chart and of the avatar',
  { tag: '@nightly' },
  async ({ page }) => {
    const asked = watchThirdParties(page)
    await page.route(/tradingview-widget\.com|ui-avatars\.com/, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await visit(page, routes)

    expect(new Set(asked.map(({ hostname }) => hostname))).toEqual(
      new Set(['www.tradingview-widget.com', 'ui-avatars.com']),
    )
  },
)

test(
  'a page with both third parties switched off does not send requests to other hosts',
  { tag: '@nightly' },
  async ({ page }) => {
    const asked = watchThirdParties(page)
    await page.route('**/config.json', async (route) => {
      const answer = await route.fetch()
      const configuration = (await answer.json()) as Record<string, unknown>
      await route.fulfill({ json: { ...configuration, avatarUrl: '', chartUrl: '' } })
    })
    await visit(page, ['/dashboard', '/perfil'])

    expect(asked).toEqual([])
    await expect(page.getByText('LG', { exact: true })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByText('El gráfico no está disponible en este momento.')).toBeVisible()
  },
)

test('the frame shows a daily chart of NASDAQ:AAPL, is sandboxed and gets no customer data', async ({
  page,
  person,
}) => {
  const asked = watchThirdParties(page)
  await page.route(/tradingview-widget\.com/, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Gráfico</title>' }),
  )
  await page.goto('/dashboard')
  const frame = page.getByTitle('Gráfico diario de Apple (NASDAQ:AAPL)')
  await page.getByRole('region', { name: 'Mercado Financiero' }).scrollIntoViewIfNeeded()
  await expect(frame).toBeVisible()

  const address = decodeURIComponent((await frame.getAttribute('src')) ?? '')
  expect(address).toContain('"symbol":"NASDAQ:AAPL"')
  expect(address).toContain('"interval":"D"')
  expect(address).toContain('"theme":"dark"')
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
  expect(asked.length).toBeGreaterThan(0)
  for (const { href } of asked) {
    expect(href).not.toContain(person.id)
    expect(decodeURIComponent(href)).not.toContain(person.email)
    expect(decodeURIComponent(href)).not.toContain('Laura')
  }
})

test('the page shows a message if the chart is unreachable', { tag: '@nightly' }, async ({ page }) => {
  await page.goto('/dashboard')
  await page.getByRole('region', { name: 'Mercado Financiero' }).scrollIntoViewIfNeeded()

  await expect(page.getByText('El gráfico no está disponible en este momento.')).toBeVisible()
  await expect(page.getByText('No hay transacciones recientes.')).toBeVisible()
})
