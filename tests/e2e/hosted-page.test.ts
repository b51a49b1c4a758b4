/** The built page on a static host. Three variables configure the page for a project on another origin. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { freePort } from '#testing/ports.ts'
import { startServer, testEnvironment } from '#testing/server.ts'
import { startStaticHost } from '#testing/hosted/static-host.ts'
import { newEmail } from '#testing/population.ts'
import { card, password, sendCredentials, watchForErrors } from './screens.ts'

test(
  'a page on a static host signs a customer in to a project on another origin and keeps the balance up to date',
  { tag: '@nightly' },
  async ({ page }) => {
    watchForErrors(page)
    const port = await freePort()
    const out = await mkdtemp(join(tmpdir(), 'finanzas-hosted-page-'))
    const project = await startServer({
      environment: {
        ...testEnvironment,
        AUTH_AUTOCONFIRM: 'true',
        CORS_ORIGINS: `http://127.0.0.1:${port}`,
      },
    })
    const anonKey = await project.anonKey()
    await promisify(execFile)(process.execPath, ['server/operator/commands/hosted-page.ts', '--out', out], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env['PATH'],
        SUPABASE_URL: project.url,
        SUPABASE_ANON_KEY: anonKey,
        SITE_URL: `http://127.0.0.1:${port}`,
        AVATAR_URL: '',
        CHART_URL: '',
      },
    })
    const host = await startStaticHost(out, port)
    try {
      const customer = { email: newEmail(), password }
      const { error } = await createClient(project.url, anonKey).auth.signUp(customer)
      expect(error).toBeNull()

      await page.goto(`${host.origin}/dashboard`)
      await sendCredentials(page, { ...customer, button: 'Iniciar Sesión' })
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(page).toHaveTitle('Panel - Banco Finanzas')
      const bank = card(page, 'Detalles de la Banca')
      await expect(bank.getByText('$0.00', { exact: true })).toBeVisible()

      const form = card(page, 'Añadir Nuevo Gasto')
      await form.getByLabel('Descripción').fill('Café')
      await form.getByLabel('Monto').fill('3.50')
      await form.getByRole('button', { name: 'Añadir gasto' }).click()

      // The balance must come from a realtime event, because the form does not calculate the balance.
      await expect(bank.getByText('-$3.50', { exact: true })).toBeVisible()
    } finally {
      // Closes the page before the test stops the server, because an open page would log that the server cannot be
      // reached.
      await page.close()
      host.close()
      await project.remove()
      await rm(out, { recursive: true, force: true })
    }
  },
)
