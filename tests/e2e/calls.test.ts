/**
 * The calls of the page: docs/specification.md §7. Each call is compared whole, except for tokens, challenges, ids and
 * times, so that no specified call can be replaced by another one unseen.
 */
import { type Page, expect } from '@playwright/test'
import { administratorTest, recordExpenses, sessionKey, customerTest as test } from './people.ts'
import { card, historyRow, loginHeading, password, sendCredentials, signOut, toast } from './screens.ts'
import { newEmail } from '#testing/population.ts'

test('the page sends the specified calls of a customer', async ({ page, person, openAs, baseURL }) => {
  await recordExpenses(person, [{ description: 'Pan', amount: 12.5, category: 'Comida' }])
  const calls = recordCalls(page, { [person.id]: 'USER', [person.email]: 'EMAIL' })

  await test.step('a stored session that has expired is refreshed', async () => {
    await page.addInitScript(expireOnce, sessionKey)
    await page.goto('/dashboard')
    await expect(card(page, 'Historial de Transacciones').getByText('Pan')).toBeVisible()
    await expect.poll(calls).toContain('GET /auth/v1/user')
  })
  await expect
    .poll(calls)
    .toEqual(
      expect.arrayContaining([
        'POST /auth/v1/token?grant_type=refresh_token {"refresh_token":"TOKEN"}',
        'GET /rest/v1/budgets?select=balance&user_id=eq.USER',
        'GET /rest/v1/transactions?select=*&user_id=eq.USER&order=date.desc&limit=5',
      ]),
    )

  await test.step('the history reads all transactions and deletes one', async () => {
    await page.goto('/transacciones')
    await expect(historyRow(page, 'Pan')).toBeVisible()
    await page.getByRole('button', { name: 'Eliminar Pan,' }).click()
    await expect(toast(page)).toContainText('Transacción Eliminada')
    await expect.poll(calls).toContain('DELETE /rest/v1/transactions?id=eq.ID')
  })
  expect(calls()).toContain('GET /rest/v1/transactions?select=*&user_id=eq.USER&order=date.desc')

  await test.step('the profile saves the name', async () => {
    await page.goto('/perfil')
    await page.getByRole('button', { name: 'Editar Perfil' }).click()
    await page.getByRole('dialog').getByLabel('Nombre').fill('Inés')
    await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(page)).toContainText('Perfil actualizado correctamente.')
  })
  expect(calls()).toContain(
    'PUT /auth/v1/user {"data":{"full_name":"Inés Pérez"},"code_challenge":null,"code_challenge_method":null}',
  )

  await test.step('the customer leaves and enters with the password', async () => {
    await signOut(page)
    await sendCredentials(page, { email: person.email, password, button: 'Iniciar Sesión' })
    await expect(toast(page)).toContainText('¡Bienvenido de nuevo! 🎉')
  })
  expect(calls()).toEqual(
    expect.arrayContaining([
      'POST /auth/v1/logout?scope=global',
      `POST /auth/v1/token?grant_type=password {"email":"EMAIL","password":"${password}","gotrue_meta_security":{}}`,
    ]),
  )

  const stranger = await openAs(null)
  const email = newEmail()
  const signUp = recordCalls(stranger, { [email]: 'EMAIL', [encodeURIComponent(baseURL ?? '')]: 'SITE' })
  await stranger.goto('/login')
  await stranger.getByRole('button', { name: 'Regístrate' }).click()
  await sendCredentials(stranger, { email, password, button: 'Registrarse' })
  await expect(loginHeading(stranger)).toBeVisible()
  expect(signUp()).toEqual([
    `POST /auth/v1/signup?redirect_to=SITE%2Fenlace {"email":"EMAIL","password":"${password}","data":{},"gotrue_meta_security":{},"code_challenge":"TOKEN","code_challenge_method":"s256"}`,
  ])
})

test('one channel carries all changes of the customer’s transactions and budget', async ({
  page,
  person,
}) => {
  const joins: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const frame = String(payload)
      if (frame.includes('"phx_join"')) joins.push(frame.replaceAll(person.id, 'USER'))
    }),
  )
  await page.goto('/dashboard')
  await expect.poll(() => joins).toHaveLength(1)
  for (const table of ['transactions', 'budgets'])
    expect(joins[0]).toContain(
      `{"event":"*","schema":"public","filter":"user_id=eq.USER","table":"${table}"}`,
    )
})

administratorTest('the page sends the specified calls of an administrator', async ({ page, customer }) => {
  const email = newEmail()
  const calls = recordCalls(page, {
    [customer.id]: 'USER',
    [customer.email]: 'EMAIL',
    [email]: 'NEW',
  })
  await page.goto('/admin')
  await page.getByRole('searchbox').fill(customer.email)
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(calls()).toContain('GET /rest/v1/profiles?select=id,full_name,role,user_safe(email,last_sign_in_at)')

  await page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Monto (COP)').fill('12.5')
  await dialog.getByLabel('Descripción').fill('Cuota')
  await dialog.getByRole('button', { name: 'Depositar $12.50' }).click()
  await expect(toast(page)).toContainText('Transacción registrada correctamente.')
  expect(calls()).toContain(
    'POST /functions/v1/manage-transactions {"action":"create","transactionData":{"type":"deposit","amount":12.5,"description":"Cuota","user_id":"USER","category":"Deposito","date":"TIME"}}',
  )

  const more = page.getByRole('button', { name: `Más acciones de ${customer.fullName}` })
  await more.click()
  await page.getByRole('button', { name: `Editar rol de ${customer.fullName}` }).click()
  await dialog.getByLabel('Rol').selectOption('admin')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(toast(page)).toContainText('Rol de usuario actualizado.')
  expect(calls()).toContain('PATCH /rest/v1/profiles?id=eq.USER {"role":"admin"}')

  page.on('dialog', (question) => void question.accept())
  await more.click()
  await page.getByRole('button', { name: `Eliminar a ${customer.fullName}` }).click()
  await expect(toast(page)).toContainText('Usuario eliminado.')
  expect(calls()).toContain('POST /functions/v1/manage-users {"action":"delete","userId":"USER"}')

  await page.getByRole('button', { name: 'Crear usuario' }).click()
  await dialog.getByLabel('Nombre completo').fill('Julia Peña')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña').fill(password)
  await dialog.getByRole('button', { name: 'Crear usuario' }).click()
  await expect(toast(page)).toContainText('Usuario creado correctamente.')
  expect(calls()).toContain(
    `POST /functions/v1/manage-users {"action":"create","email":"NEW","password":"${password}","role":"user","user_metadata":{"full_name":"Julia Peña"}}`,
  )
})

/** Makes the stored session look expired when the page starts for the first time. */
function expireOnce(key: string): void {
  const stored = window.localStorage.getItem(key)
  if (stored === null || window.sessionStorage.getItem('expired') !== null) return
  window.sessionStorage.setItem('expired', 'yes')
  window.localStorage.setItem(key, JSON.stringify({ ...(JSON.parse(stored) as object), expires_at: 1 }))
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const token = /(?<="(?:refresh_token|code_challenge)":")[^"]+/g

/** Records the calls of a page as `METHOD path body`, with names in place of everything that differs in each run. */
function recordCalls(page: Page, names: Readonly<Record<string, string>>): () => string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!/^\/(?:auth|rest|functions)\/v1\//.test(pathname)) return
    const body = request.postData()
    const call = `${request.method()} ${pathname}${search}${body === null ? '' : ` ${body}`}`
    const named = Object.entries(names).reduce(
      (text, [value, name]) => text.replaceAll(value, name).replaceAll(encodeURIComponent(value), name),
      call,
    )
    sent.push(
      named
        .replaceAll('%2C', ',')
        .replaceAll('%28', '(')
        .replaceAll('%29', ')')
        .replaceAll('%2A', '*')
        .replace(token, 'TOKEN')
        .replace(time, 'TIME')
        .replace(uuid, 'ID'),
    )
  })
  return () => [...sent]
}
