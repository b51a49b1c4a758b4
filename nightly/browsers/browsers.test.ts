// The page's main job in Firefox and WebKit; each where the machine has it.
import { expect, onTestFinished, test } from 'vitest'
import { administrator, startServer } from '#testing/server.ts'
import { type Browser, browsers } from './drivers.ts'

if (browsers.length < 2)
  process.stderr.write('Firefox or WebKitWebDriver was not found: its story is left out.\n')

const text = (browser: Browser) => browser.run('return document.body.innerText')

/** Types as React hears it. */
const type = (browser: Browser, selector: string, value: string) =>
  browser.run(`const field = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value').set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true })); return ''`)

const press = (browser: Browser, name: string) =>
  browser.run(`const button = [...document.querySelectorAll('button, [role=menuitem], a')].find(
    (one) => (one.innerText.trim() || one.ariaLabel) === ${JSON.stringify(name)}); button.click(); return ''`)

test.each(browsers)(
  '$name signs in, shows the balance, records an expense and signs out',
  async ({ start }) => {
    const server = await startServer()
    onTestFinished(() => server.remove())
    const browser = await start()
    onTestFinished(() => browser.close())
    await browser.open(server.url)
    await expect.poll(() => text(browser)).toContain('Iniciar Sesión')

    await type(browser, 'input[type=email]', administrator.email)
    await type(browser, 'input[type=password]', administrator.password)
    await press(browser, 'Iniciar Sesión')
    await expect.poll(() => text(browser)).toContain('$0.00')

    await type(browser, 'form [name=description]', 'Almuerzo')
    await type(browser, 'form [name=amount]', '38.25')
    await press(browser, 'Añadir gasto')
    await expect.poll(() => text(browser)).toContain('-$38.25')

    await press(browser, 'Cerrar Sesión')
    await expect.poll(() => text(browser)).toContain('Bienvenido a Finanzas')
  },
)
