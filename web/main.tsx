import './main.css'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { Failure } from '#app/failure.tsx'
import { preloadSignedIn } from '#app/preload.ts'
import { backend } from '#backend/client.ts'
import { loadConfiguration } from '#backend/configuration.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { readAuthLink } from '#session/auth-link.ts'
import { hasStoredSession } from '#session/stored-session.ts'
import { applyTheme } from '#ui/theme.ts'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')
const root = createRoot(container)

applyTheme()
try {
  await loadConfiguration()
  const link = readAuthLink(window.location, window.history)
  const isReturning = hasStoredSession()
  if (isReturning || link === 'signed-in') {
    // Somebody signed in waits for the client and the page: both start now, side by side.
    void backend()
    preloadSignedIn(window.location.pathname)
  }
  root.render(<App link={link} hasStoredSession={isReturning} />)
} catch (error) {
  logQuietly(error, 'start')
  root.render(<Failure />)
}
