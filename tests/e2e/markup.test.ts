/** Every screen shows a person's input as plain text, even if the input contains markup. */
import { type Page, expect } from '@playwright/test'
import { population } from '#testing/population.ts'
import { newPerson, recordExpenses, test } from './people.ts'
import { card, pageHeading, toast } from './screens.ts'

const mark = 'window.wasRun = true'
const corpus = [
  `<script>${mark}</script>`,
  `<img src=x onerror="${mark}">`,
  `<svg/onload="${mark}">`,
  `"><iframe srcdoc="<script>parent.${mark}</script>">`,
  `' onfocus='${mark}' autofocus='`,
  `<a href="javascript:${mark}">clic</a>`,
  '<b>gordo</b> &amp; &lt;i&gt;',
  '{{constructor.constructor("return 1")()}} ${1+1} %3Cb%3E',
  '</title><h1>otro</h1>',
]
const wasRun = (page: Page) => page.evaluate(() => 'wasRun' in window)

test(
  'the customer and the staff see markup in a customer’s input as plain text',
  { tag: '@nightly' },
  async ({ administrator, openAs }) => {
    const name = `<img src=x onerror="${mark}"> <b>Mora</b> ${crypto.randomUUID().slice(0, 8)}`
    const customer = await newPerson(administrator, { fullName: name, role: 'user' })
    const clerk = await newPerson(administrator, population.administrator)
    await recordExpenses(
      customer,
      corpus.map((text) => ({ description: text, amount: 1, category: text.slice(0, 50) })),
    )
    const viewport = { width: 1280, height: 2400 }
    const [page, office] = [await openAs(customer, { viewport }), await openAs(clerk, { viewport })]
    for (const one of [page, office]) {
      one.on('dialog', () => {
        throw new Error('A dialog was opened.')
      })
    }

    await page.goto('/transacciones')
    for (const text of corpus) {
      await expect(page.getByRole('main').getByTitle(text, { exact: true })).toBeVisible()
    }
    await page.getByRole('searchbox').fill(corpus[0] ?? '')
    await expect(page.getByRole('main').getByText('1 movimiento', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Eliminar / }).click()
    await expect(toast(page)).toContainText(corpus[0] ?? '')
    expect(await wasRun(page)).toBe(false)

    await page.goto('/dashboard')
    await expect(pageHeading(page)).toHaveText(`Hola, ${name.split(' ')[0]}`)
    await expect(card(page, 'En qué se fue')).toContainText('<')
    await page.goto('/perfil')
    await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Editar Perfil' }).click()
    await expect(page.getByRole('dialog').getByLabel('Nombre')).toHaveValue(name.split(' ')[0] ?? '')
    expect(await wasRun(page)).toBe(false)

    await office.goto('/admin')
    await office.getByRole('searchbox').fill(name)
    await expect(office.getByRole('row').filter({ hasText: customer.email })).toContainText(name)
    await office.getByRole('button', { name: `Nueva transacción para ${name}` }).click()
    await expect(office.getByRole('dialog')).toContainText(name)
    expect(await wasRun(office)).toBe(false)
  },
)
