/**
 * Tests a customer's main steps in Firefox (WebDriver BiDi) and WebKit (WebDriver), also on a translated page. If a
 * browser is not installed, its tests are skipped.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { translateDocument } from '#tests/e2e/strange-browser.ts'
import { temporaryDirectory } from '#testing/data-directory.ts'
import { freePort } from '#testing/ports.ts'
import { administrator, startServer } from '#testing/server.ts'

type Browser = {
  open(url: string): Promise<void>
  /** Runs `body` in the page as the body of a function, which must return a string. */
  run(body: string): Promise<string>
  close(): Promise<void>
}

const startAttempts = 300

const browsers: readonly { name: string; program: string; start: () => Promise<Browser> }[] = [
  { name: 'Firefox', program: '/usr/bin/firefox-esr', start: startFirefox },
  { name: 'WebKit', program: '/usr/bin/WebKitWebDriver', start: startWebKit },
].filter(({ program }) => existsSync(program))

if (browsers.length < 2)
  process.stderr.write('Firefox or WebKitWebDriver was not found: its story is left out.\n')

/** Returns the text of the page in capitals, because a translated page has only capitals. */
const text = (browser: Browser) => browser.run('return document.body.innerText.toUpperCase()')

const capitals = (words: string) => expect.stringContaining(words.toUpperCase()) as string

/** Sets the value of a field and dispatches the event that React listens to. */
const type = (browser: Browser, selector: string, value: string) =>
  browser.run(`const field = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value').set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true })); return ''`)

const press = (browser: Browser, name: string) =>
  browser.run(`const button = [...document.querySelectorAll('button, [role=menuitem], a')].find(
    (one) => (one.innerText.trim() || one.ariaLabel || '').toUpperCase() === ${JSON.stringify(name.toUpperCase())}); button.click(); return ''`)

async function translate(browser: Browser): Promise<void> {
  await browser.run(`(${String(translateDocument)})(); return ''`)
  const translated = () => browser.run(`return String(document.querySelectorAll('font').length > 0)`)
  await expect.poll(translated).toBe('true')
}

const visits = browsers.flatMap((browser) => [
  { ...browser, page: 'the page', isTranslated: false },
  { ...browser, page: 'a translated page', isTranslated: true },
])

test.each(visits)(
  '$name signs in, shows the balance, records an expense and signs out on $page',
  async ({ start, isTranslated }) => {
    const server = await startServer()
    onTestFinished(() => server.remove())
    const browser = await start()
    onTestFinished(() => browser.close())
    await browser.open(server.url)
    await expect.poll(() => text(browser)).toEqual(capitals('Iniciar Sesión'))
    if (isTranslated) await translate(browser)

    await type(browser, 'input[type=email]', administrator.email)
    await type(browser, 'input[type=password]', administrator.password)
    await press(browser, 'Iniciar Sesión')
    await expect.poll(() => text(browser)).toContain('$0.00')

    await type(browser, 'form [name=description]', 'Almuerzo')
    await type(browser, 'form [name=amount]', '38.25')
    await press(browser, 'Añadir gasto')
    await expect.poll(() => text(browser)).toContain('-$38.25')

    await press(browser, 'Cerrar Sesión')
    await expect.poll(() => text(browser)).toEqual(capitals('Bienvenido a Finanzas'))
  },
)

async function startFirefox(): Promise<Browser> {
  const port = await freePort()
  const profile = await temporaryDirectory()
  const program = spawn(
    '/usr/bin/firefox-esr',
    ['--headless', '--no-remote', '--profile', profile.path, '--remote-debugging-port', String(port)],
    { stdio: 'ignore', env: { PATH: process.env['PATH'], HOME: profile.path } },
  )
  const socket = await untilThere(async () => {
    const candidate = new WebSocket(`ws://127.0.0.1:${port}/session`)
    await new Promise((resolve, reject) => {
      candidate.addEventListener('open', resolve)
      candidate.addEventListener('error', () => reject(new Error('Firefox does not listen yet.')))
    })
    return candidate
  })
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as { id?: number } & Record<string, unknown>
    waiting.get(answer.id ?? 0)?.(answer)
  })
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = waiting.size + 1
    const answer = await new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer['type'] === 'error') throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer['result'] as Record<string, unknown>
  }
  await call('session.new', { capabilities: {} })
  const { contexts } = (await call('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context
  return {
    async open(url) {
      await call('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async run(body) {
      const functionDeclaration = `() => { ${body} }`
      const { result } = await call('script.callFunction', {
        functionDeclaration,
        target: { context },
        awaitPromise: true,
      })
      return String((result as { value?: unknown } | undefined)?.value)
    },
    async close() {
      socket.close()
      await end(program)
      await profile.remove()
    },
  }
}

async function startWebKit(): Promise<Browser> {
  const port = await freePort()
  // WebKitGTK has no headless mode. The program gets its own process group, so that its child processes can be killed
  // together with it.
  const program = spawn('xvfb-run', ['-a', '/usr/bin/WebKitWebDriver', `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
  })
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  await untilThere(() => call('GET', '/status'))
  const browser = [
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser',
  ].find((file) => existsSync(file))
  const webkitgtk = { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } }
  const created = await call('POST', '/session', {
    capabilities: { alwaysMatch: browser === undefined ? {} : webkitgtk },
  }).catch(async (error: unknown) => {
    await end(program)
    throw error
  })
  const session = `/session/${(created as { sessionId: string }).sessionId}`
  return {
    async open(url) {
      await call('POST', `${session}/url`, { url })
    },
    async run(body) {
      return String(await call('POST', `${session}/execute/sync`, { script: body, args: [] }))
    },
    async close() {
      await call('DELETE', session)
      await end(program)
    },
  }
}

async function untilThere<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (count === startAttempts) throw error
      await pause(100)
    }
  }
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  await new Promise((resolve) => {
    program.once('exit', resolve)
    process.kill(program.spawnargs[0] === 'xvfb-run' ? -(program.pid ?? 0) : (program.pid ?? 0), 'SIGKILL')
  })
}
