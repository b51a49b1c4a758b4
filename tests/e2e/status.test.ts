/** Pages that show the state of the bank: `/admin/estado` for administrators, and `/estado` for the public. */
import { expect } from '@playwright/test'
import { showAlarms } from './held-requests.ts'
import { administratorTest as test } from './people.ts'

test('an administrator can read the state and the alarms of the bank, and a visitor can read whether the bank works', async ({
  page,
  customer,
  openAs,
}) => {
  await page.goto('/admin')
  const sections = page.getByRole('navigation', { name: 'Secciones del panel' })
  await sections.getByRole('link', { name: 'Estado' }).click()
  await expect(page).toHaveURL('/admin/estado')
  await expect(page).toHaveTitle('Estado - Finanzas')
  await expect(sections.getByRole('link', { name: 'Estado' })).toHaveAttribute('aria-current', 'page')
  const facts = page.getByRole('region', { name: 'Datos' })
  await expect(facts).toContainText('PostgreSQL')
  await expect(facts).toContainText(/Servidor 1: versión \d+\.\d+\.\d+, iniciado hace/)

  await showAlarms(page)
  const open = page.getByRole('region', { name: 'Alarmas abiertas' })
  await expect(open.getByRole('heading')).toHaveText('El libro no es correcto')
  await expect(open).toContainText('Qué hacer: No corrijas, borres ni restaures nada.')
  await expect(page.getByRole('region', { name: /^Alarmas terminadas/ })).toContainText('Queda poco espacio')

  const [own, visitor] = [await openAs(customer), await openAs(null)]
  await own.goto('/admin/estado')
  await expect(own).toHaveURL('/dashboard')
  for (const anyone of [own, visitor]) {
    await anyone.goto('/estado')
    await expect(anyone.getByRole('heading')).toHaveText('El banco funciona')
    await expect(anyone.getByText(/^Desde el .*hora de Bogotá/)).toBeVisible()
  }
})
