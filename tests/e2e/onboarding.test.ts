/** Staff can open many accounts with one file. The specification does not mention this feature. */
import { expect } from '@playwright/test'
import { newEmail } from '#testing/population.ts'
import { administratorTest as test } from './people.ts'

test('staff can open the accounts of a file, invite the customers and correct a name', async ({
  page,
  customer,
}) => {
  const document = () => String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).padStart(10, '1')
  const [ana, luis] = [newEmail(), newEmail()]
  const rows = [
    'Nombre;Correo;Documento;Celular;Saldo',
    `Ana Peres;${ana};${document()};300 123 4567;1.250,50`,
    `Luis Díaz;${customer.email};;;`,
  ]
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Crear usuario' }).click()
  await page.getByRole('button', { name: 'Muchos clientes, desde un archivo' }).click()
  await page.getByLabel('Elige un archivo').setInputFiles({
    name: 'clientes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  })

  const email = page.getByLabel('Email de la línea 3')
  await expect(email).toHaveAccessibleDescription('Ya hay un usuario con este email')
  await email.fill(luis)
  await email.press('Enter')
  await page.getByRole('button', { name: 'Abrir 2 cuentas · $1,250.50' }).click()

  const main = page.getByRole('main')
  await expect(main).toContainText('Cuentas abiertas')
  await expect(main).toContainText('2 de 2 cuentas')
  await expect(page.getByRole('row', { name: luis })).toContainText('Abierta')
  await page.getByRole('button', { name: 'Enviar invitaciones' }).click()
  await expect(page.getByRole('button', { name: 'Detener las invitaciones' })).toBeVisible()

  await page.goto('/admin')
  await page.getByRole('searchbox').fill(ana)
  await page.getByRole('link', { name: 'Ana Peres' }).click()
  await page.getByRole('link', { name: 'Cuenta y acceso' }).click()
  await page.getByRole('button', { name: 'Corregir datos' }).click()
  await page.getByLabel('Nombre').fill('Ana Pérez')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()

  await expect(page.getByRole('heading', { name: 'Ana Pérez' })).toBeVisible()
  await page.getByText('1 corrección de datos').click()
  await expect(main).toContainText('Nombre: Ana Peres → Ana Pérez')
  await expect(main).toContainText('$1,250.50')
})
