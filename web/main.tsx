import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { Failure } from '#app/error-boundary.tsx'
import { login, preloadSignedIn, signedIn } from '#app/entrances.ts'
import { backend, runClientAfter } from '#backend/client.ts'
import { loadConfiguration, startedOffline } from '#backend/configuration.ts'
import { logQuietly } from '#backend/errors.ts'
import { readAuthLink } from '#session/auth-link.ts'
import { forgetLastSeen, lastSeen } from '#session/last-seen.ts'
import { askedLink, hasStoredSession, needsNoRenewal, storedSession } from '#session/stored.ts'
import { applyTheme } from '#ui/theme.ts'
import { watchBackButton } from '#ui/dialog/back-button.ts'
import './early.ts'
import './main.css'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')
// The error boundary logs what it caught.
const root = createRoot(container, { onCaughtError: () => {} })

applyTheme()
watchBackButton()
runClientAfter(firstFrame(container))
void start()

/** Not awaited up here: the pages import parts of this very script, and would wait for its end while it waits for them. */
async function start(): Promise<void> {
  try {
    await loadConfiguration()
    askedLink()
    const link = readAuthLink(window.location, window.history)
    const isReturning = hasStoredSession()
    if (!isReturning) forgetLastSeen()
    const last = link.kind === 'none' ? lastSession() : null
    if (isReturning || link.kind === 'code') {
      // A signed-in page needs the client, the socket of live updates and its code: they start now, side by side. The
      // session's provider says what fails here.
      void backend().then(
        ({ realtime }) => realtime.connect(),
        () => {},
      )
      preloadSignedIn(window.location.pathname)
      // For the same reason as the login below.
      if (last !== null) await signedIn.load().catch(() => {})
    } else if (link.kind !== 'token' && link.kind !== 'session') {
      // A few hundred bytes that are nearly there: drawn without them, the page would show its spinner once more and
      // React keep it for a third of a second. The login shows what fails here.
      await login.load().catch(() => {})
    }
    // Drawn in slices: the browser paints and answers between them.
    startTransition(() => root.render(<App link={link} hasStoredSession={isReturning} lastSession={last} />))
  } catch (error) {
    logQuietly(error, 'start')
    root.render(<Failure />)
  }
}

const hiddenMs = 1000

/** Fulfilled when the first drawing is on the screen. A hidden tab paints nothing, and does not wait for it. */
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
 * The session whose customer is shown without asking: the stored one. Its token is good for a while, and the page is
 * drawn while the client, which reads with it, is still on its way. Or the network gave no answer at this start, and
 * something that they saw was kept: the client would try for half a minute to renew the token.
 */
function lastSession() {
  const session = storedSession()
  if (session === null) return null
  return needsNoRenewal(session) || (startedOffline() && lastSeen(session.user.id).length > 0)
    ? session
    : null
}
