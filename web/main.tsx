import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { Failure } from '#app/error-boundary.tsx'
import { login, preloadSignedIn } from '#app/pages.ts'
import { backend } from '#backend/client.ts'
import { loadConfiguration } from '#backend/configuration.ts'
import { logQuietly } from '#backend/errors.ts'
import { readAuthLink } from '#session/auth-link.ts'
import { askedLink, hasStoredSession } from '#session/stored.ts'
import { applyTheme } from '#ui/theme.ts'
import { watchBackButton } from '#ui/use-safe-close.ts'
import './early.ts'
import './main.css'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')
// The error boundary logs what it caught.
const root = createRoot(container, { onCaughtError: () => {} })

applyTheme()
watchBackButton()
void start()

/** Not awaited up here: the pages import parts of this very script, and would wait for its end while it waits for them. */
async function start(): Promise<void> {
  try {
    await loadConfiguration()
    askedLink()
    const link = readAuthLink(window.location, window.history)
    const isReturning = hasStoredSession()
    if (isReturning || link.kind === 'code') {
      // A signed-in page needs the client, the socket of live updates and its code: they start now, side by side. The
      // session's provider says what fails here.
      void backend().then(
        ({ realtime }) => realtime.connect(),
        () => {},
      )
      preloadSignedIn(window.location.pathname)
    } else if (link.kind !== 'token' && link.kind !== 'session') {
      // A few hundred bytes that are nearly there: drawn without them, the page would show its spinner once more and
      // React keep it for a third of a second. The login shows what fails here.
      await login.load().catch(() => {})
    }
    // Drawn in slices: the browser paints and answers between them.
    startTransition(() => root.render(<App link={link} hasStoredSession={isReturning} />))
  } catch (error) {
    logQuietly(error, 'start')
    root.render(<Failure />)
  }
}
