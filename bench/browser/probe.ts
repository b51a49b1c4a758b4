/** Probe that runs inside the measured page and measures the time from an input to the paint that shows its result. */
import type { Page } from '@playwright/test'

/**
 * One measured input: `resultMs` is the time from the input until its result was painted, and `nextPaintMs` is the time
 * until the next paint of any kind.
 */
export type Interaction = { resultMs: number; nextPaintMs: number }

const inputWaitMs = 10_000
/** Name of the performance measure that spans the time from an input to its result in a trace recording. */
export const interactionName = 'interaction'

/**
 * The change that ends the measurement: different rows in the list, a different balance above the list, a different
 * page heading, or different latest transactions on the dashboard.
 */
export type Result = 'rows' | 'balance' | 'heading' | 'latest'

type Inputs = {
  /**
   * Returns the longest input-to-next-paint time that the browser has reported since the last call. 0 means that every
   * input took less than 16 ms.
   */
  slowestMs: () => number
}

type Results = {
  /**
   * Measures the next input of the given type. Resolves with the milliseconds until the page has painted the changed
   * result.
   */
  next: (type: 'keydown' | 'change' | 'click', result: Result) => Promise<number>
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge with the browser's own
  interface Window {
    inputs: Inputs
    results: Results
  }
}

/** Installs the probe in every document that the page opens. The browser runs the text of these two functions. */
export async function installProbe(page: Page): Promise<void> {
  await page.addInitScript(watchInputs)
  await page.addInitScript(watchResults, [inputWaitMs, interactionName] as const)
}

function watchInputs(): void {
  let inputs: number[] = []
  new PerformanceObserver((list) => {
    inputs.push(...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  window.inputs = {
    slowestMs: () => {
      const slowest = Math.max(0, ...inputs)
      inputs = []
      return slowest
    },
  }
}

function watchResults([waitMs, name]: readonly [number, string]): void {
  // For `rows`, the text combines the list's label with the first two rows, because every measured input changes
  // the label or one of these rows.
  const shown = (result: Result) => {
    if (result === 'balance') return document.querySelector('main dl dd')?.textContent ?? ''
    if (result === 'heading') return document.querySelector('h1')?.textContent ?? ''
    if (result === 'latest') {
      const cards = [...document.querySelectorAll('main section')]
      const latest = cards.find((each) => each.textContent.startsWith('Historial de Transacciones'))
      return latest?.querySelector('li')?.textContent ?? ''
    }
    const card = document.querySelector('main section:has(search)')
    const count = document.querySelector('main [role=status]')?.textContent
    const [first, second] = card?.querySelectorAll('[role=listitem]') ?? []
    return `${count} ${first?.textContent} ${second?.textContent}`
  }
  const painted = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now()))
        port1.start()
        port2.postMessage(null)
      })
    })
  window.results = {
    next: (type, result) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`Nothing changed after the ${type}: ${before}`)), waitMs)
        const before = shown(result)
        let startedAt = Number.NaN
        const observer = new MutationObserver(() => {
          // An empty text means that the page is still loading.
          if (Number.isNaN(startedAt) || ['', before].includes(shown(result))) return
          observer.disconnect()
          void painted().then((at) => {
            performance.measure(name, { start: startedAt, end: at })
            resolve(at - startedAt)
          })
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        const onInput = (event: Event) => (startedAt = event.timeStamp)
        document.addEventListener(type, onInput, { capture: true, once: true })
      }),
  }
}

/** Performs an action on the page and returns how long the page took to paint the result. */
export async function measureInput(
  page: Page,
  type: 'keydown' | 'change' | 'click',
  act: () => Promise<unknown>,
  result: Result = 'rows',
): Promise<Interaction> {
  await page.evaluate(() => window.inputs.slowestMs())
  const painted = await page.evaluateHandle(
    ([kind, wanted]) => ({ done: window.results.next(kind, wanted) }),
    [type, result] as const,
  )
  await act()
  const resultMs = await painted.evaluate(({ done }) => done)
  // The browser paints the result of an input, and it reports the duration of this input one frame later.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const nextPaintMs = await page.evaluate(() => window.inputs.slowestMs())
  return { resultMs, nextPaintMs }
}
