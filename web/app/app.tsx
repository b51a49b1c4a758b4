import { Suspense, useEffect, type ComponentProps } from 'react'
import { lazyComponent } from '#ui/lazy/lazy.ts'
import { SessionProvider } from '#people/session/session-provider.tsx'
import { useSession } from '#people/session/session.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { FullScreenSpinner } from '#ui/spinner.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { appCopy } from './copy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { login, preloadSignedIn, signedIn } from './entrances.ts'

const { Component: SignedIn } = signedIn
const { Component: LoginPage } = login
const { Component: NewPasswordPage } = lazyComponent(
  () => import('#people/login/new-password-page.tsx'),
  'NewPasswordPage',
)
const { Component: LinkPage } = lazyComponent(() => import('#people/login/link-page.tsx'), 'LinkPage')
const { Component: CodePage } = lazyComponent(() => import('#people/login/code-page.tsx'), 'CodePage')

const isSignedInLoaded = () => signedIn.state().code !== undefined

type Props = Pick<ComponentProps<typeof SessionProvider>, 'link' | 'hasStoredSession' | 'lastSession'>

export function App(start: Props) {
  return (
    <ErrorBoundary>
      <AddressProvider>
        <SessionProvider {...start} isSignedInLoaded={isSignedInLoaded}>
          <Suspense fallback={<FullScreenSpinner label={appCopy.loading} />}>
            <AuthGate />
          </Suspense>
        </SessionProvider>
      </AddressProvider>
      <Toaster />
    </ErrorBoundary>
  )
}

/** Shows a signed-out user the login page at every path. */
function AuthGate() {
  const { session, pendingLink } = useSession()
  useFetchAhead(session.status === 'signed-out')
  if (pendingLink !== null) return <LinkPage link={pendingLink} />
  if (session.status === 'loading') return <FullScreenSpinner label={appCopy.loading} />
  if (session.status === 'signed-out') return <LoginPage />
  if (session.status === 'second-factor')
    return <CodePage factors={session.factors} isRecovering={session.isRecovering} />
  if (session.status === 'recovering') return <NewPasswordPage />
  return <SignedIn key={session.user.id} />
}

/** Prefetches the code of the signed-in page while the user fills in the login form. */
function useFetchAhead(isSignedOut: boolean): void {
  useEffect(() => {
    if (!isSignedOut) return () => {}
    const begun = new AbortController()
    const fetchAhead = () => {
      begun.abort()
      preloadSignedIn(window.location.pathname)
    }
    for (const type of ['focusin', 'pointerdown'])
      document.addEventListener(type, fetchAhead, { signal: begun.signal })
    return () => begun.abort()
  }, [isSignedOut])
}
