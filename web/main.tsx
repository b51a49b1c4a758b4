import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { Failure } from '#app/error-boundary.tsx'
import { login, preloadSignedIn, signedIn } from '#app/entrances.ts'
import { tolerateTranslation } from '#app/page-translation.ts'
import { backend, runClientAfter } from '#api/client.ts'
import { loadConfiguration, startedOffline } from '#api/configuration.ts'
import { logQuietly } from '#api/errors.ts'
import { readAuthLink } from '#people/session/auth-link.ts'
import { forgetLastSeen, lastSeen } from '#people/session/last-seen.ts'
import { askedLink, hasStoredSession, needsNoRenewal, storedSession } from '#people/session/stored.ts'
import { applyTheme } from '#ui/theme.ts'
import { watchBackButton } from '#ui/dialog/back-button.ts'
import './early.ts'
import './main.css'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')
// The error boundary logs the errors that it catches.
const root = createRoot(container, { onCaughtError: () => {} })

tolerateTranslation()
applyTheme()
watchBackButton()
runClientAfter(firstFrame(container))
void start()

/**
 * Starts the page. A top-level `await` of this call would cause a deadlock, because the pages import parts of this
 * script and would wait for it.
 */
async function start(): Promise<void> {
  try {
    await loadConfiguration()
    askedLink()
    const link = readAuthLink(window.location, window.history)
    const isReturning = hasStoredSession()
    if (!isReturning) forgetLastSeen()
    const last = link.kind === 'none' ? lastSession() : null
    if (isReturning || link.kind === 'code') {
      // A signed-in page needs the client, the socket for live updates and its own code. The script therefore requests
      // the client, the socket and this code now. The session provider reports failures.
      void backend().then(
        ({ realtime }) => realtime.connect(),
        () => {},
      )
      preloadSignedIn(window.location.pathname)
      // The script waits for the page's code to avoid a spinner.
      if (last !== null) await signedIn.preload()
    } else if (link.kind !== 'token' && link.kind !== 'session') {
      // The script waits for the code of the login page, which is small and arrives soon. Otherwise, React would show a
      // spinner for at least 300 ms. The login itself reports failures.
      await login.preload()
    }
    // React renders a transition in slices, and the browser can paint and handle input between the slices.
    startTransition(() => root.render(<App link={link} hasStoredSession={isReturning} lastSession={last} />))
  } catch (error) {
    logQuietly(error, 'start')
    root.render(<Failure />)
  }
}

const hiddenMs = 1000

/**
 * Resolves when the first frame is on screen. A hidden tab does not paint any frame, and a timeout then resolves the
 * promise.
 */
function firstFrame(root: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const drawn = new MutationObserver(() => {
      drawn.disconnect()
      requestAnimationFrame(() => setTimeout(resolve))
      setTimeout(resolve, hiddenMs)
    })
    drawn.observe(root, { childList: true })
  })
}

/**
 * Returns the stored session if the page can show the customer before the server confirms the session. A session whose
 * token needs no refresh is returned, so that the page renders while the client is still loading. Any other session is
 * returned only if the page started without a network and stored results exist. Without the stored session, the client
 * would try for half a minute to refresh the token before the page shows these results.
 */
function lastSession() {
  const session = storedSession()
  if (session === null) return null
  return needsNoRenewal(session) || (startedOffline() && lastSeen(session.user.id).length > 0)
    ? session
    : null
}
