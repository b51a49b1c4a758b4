/** A probe inside the measured page: it times an input until the paint that shows its result. */
import type { Page } from '@playwright/test'

/** One measured input: `resultMs` until its result was painted, `nextPaintMs` until the next paint of any kind. */
export type Interaction = { resultMs: number; nextPaintMs: number }

const inputWaitMs = 10_000
/** Name under which a recording holds the time from an input to its result. */
export const interactionName = 'interaction'

/**
 * The result that ends the measurement: other rows in the list, another balance above the list, another heading of
 * the page, or the dashboard's latest transactions.
 */
export type Result = 'rows' | 'balance' | 'heading' | 'latest'

type Probe = {
  /** Times the next input of that type. Resolves when the page has painted a changed result. */
  next: (type: 'keydown' | 'change' | 'click', result: Result) => Promise<number>
  /**
   * Returns the longest time from an input to the next paint since the last call, as the browser reports it. 0 means
   * below 16 ms.
   */
  slowestInputMs: () => number
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface adds to the browser's own
  interface Window {
    probe: Probe
  }
}

/** Installs the probe in every document that the page opens. */
export async function installProbe(page: Page): Promise<void> {
  await page.addInitScript(
    ([waitMs, name]) => {
      let inputs: number[] = []
      new PerformanceObserver((list) => {
        inputs.push(...list.getEntries().map(({ duration }) => duration))
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)

      // The label of the list and its first rows: at least one of them changes.
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

      window.probe = {
        next: (type, result) =>
          new Promise((resolve, reject) => {
            setTimeout(() => reject(new Error(`Nothing changed after the ${type}: ${before}`)), waitMs)
            const before = shown(result)
            let startedAt = Number.NaN
            const observer = new MutationObserver(() => {
              // A page that is still loading shows nothing yet.
              if (Number.isNaN(startedAt) || ['', before].includes(shown(result))) return
              observer.disconnect()
              void painted().then((at) => {
                performance.measure(name, { start: startedAt, end: at })
                resolve(at - startedAt)
              })
            })
            observer.observe(document.body, { subtree: true, childList: true, characterData: true })
            document.addEventListener(
              type,
              (event) => {
                startedAt = event.timeStamp
              },
              { capture: true, once: true },
            )
          }),
        slowestInputMs: () => {
          const slowest = Math.max(0, ...inputs)
          inputs = []
          return slowest
        },
      }
    },
    [inputWaitMs, interactionName] as const,
  )
}

/** Performs an action on the page and returns how long the page took to show the result. */
export async function measureInput(
  page: Page,
  type: 'keydown' | 'change' | 'click',
  act: () => Promise<unknown>,
  result: Result = 'rows',
): Promise<Interaction> {
  await page.evaluate(() => window.probe.slowestInputMs())
  const painted = await page.evaluateHandle(([kind, wanted]) => ({ done: window.probe.next(kind, wanted) }), [
    type,
    result,
  ] as const)
  await act()
  const resultMs = await painted.evaluate(({ done }) => done)
  // The browser reports an input's duration one frame after the paint that ended it.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const nextPaintMs = await page.evaluate(() => window.probe.slowestInputMs())
  return { resultMs, nextPaintMs }
}
