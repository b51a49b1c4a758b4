import { lazy, Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { toastDurationMs, toastSwipeThresholdPx } from '@finanzas/contract/limits.ts'
import { LoginPage } from '#features/auth/login-page.tsx'
import type { AuthLink } from '#session/auth-link.ts'
import { useSession } from '#session/session.ts'
import { SessionProvider } from '#session/session-provider.tsx'
import { FullScreenSpinner } from '#ui/spinner.tsx'
import { Toaster } from '#ui/toaster.tsx'
import { appCopy } from './copy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { loadSignedIn } from './preload.ts'

const SignedIn = lazy(async () => ({ default: (await loadSignedIn()).SignedIn }))
const NewPasswordPage = lazy(async () => ({
  default: (await import('#features/auth/new-password-page.tsx')).NewPasswordPage,
}))

type Props = { link: AuthLink; hasStoredSession: boolean }

export function App({ link, hasStoredSession }: Props) {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <SessionProvider link={link} hasStoredSession={hasStoredSession}>
          <Suspense fallback={<FullScreenSpinner label={appCopy.loading} />}>
            <AuthGate />
          </Suspense>
        </SessionProvider>
      </BrowserRouter>
      <Toaster
        regionLabel={appCopy.toastRegion}
        closeLabel={appCopy.closeToast}
        durationMs={toastDurationMs}
        swipeThresholdPx={toastSwipeThresholdPx}
      />
    </ErrorBoundary>
  )
}

/** Signed out, every path shows the login; what is behind it is not even loaded. */
function AuthGate() {
  const { session } = useSession()
  if (session.status === 'loading') return <FullScreenSpinner label={appCopy.loading} />
  if (session.status === 'signed-out') return <LoginPage />
  if (session.status === 'recovering') return <NewPasswordPage />
  return <SignedIn key={session.user.id} />
}
