import { useState } from 'react'
import { specifiedMessage } from '#api/errors.ts'
import { type SecondFactor, canUsePasskeys } from '#people/session/second-factor.ts'
import { signOut } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { AuthFrame } from './auth-frame.tsx'
import { codeCopy as copy } from './code-copy.ts'
import { CodeForm } from './code-form.tsx'
import { LostFactor } from './lost-factor.tsx'
import { PasskeyStep } from './passkey-step.tsx'

type Method = 'passkey' | 'app' | 'recovery'

/**
 * The second step of a sign-in with two factors. If the browser supports passkeys and the user has one, the page offers
 * it first.
 */
export function CodePage({
  factors,
  isRecovering,
}: {
  factors: readonly SecondFactor[]
  isRecovering: boolean
}) {
  const app = factors.find(({ factor_type: type }) => type === 'totp')
  const passkey = factors.find(({ factor_type: type }) => type === 'webauthn')
  const methods: Method[] = [
    ...(passkey !== undefined && canUsePasskeys() ? ['passkey' as const] : []),
    ...(app === undefined ? [] : ['app' as const]),
    'recovery',
  ]
  const [chosen, setChosen] = useState<Method>()
  const [first = 'recovery'] = methods
  const method = chosen !== undefined && methods.includes(chosen) ? chosen : first
  const factorId = (method === 'passkey' ? passkey : app)?.id ?? factors[0]?.id ?? ''
  const isStranded = first === 'recovery'

  return (
    <AuthFrame
      documentTitle={method === 'passkey' ? copy.passkey.documentTitle : copy.documentTitle}
      headline={copy[method].headline}
      intro={isStranded ? copy.passkey.unsupported : copy[method].intro}
    >
      {method === 'passkey' ? (
        <PasskeyStep factorId={factorId} />
      ) : (
        <CodeForm key={method} method={method} factorId={factorId} />
      )}
      <div className="mt-6 grid justify-items-start gap-1 text-sm">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              variant="quiet"
              size="touch"
              className="-ml-3 text-left"
              onClick={() => setChosen(other)}
            >
              {labelOf(other, app !== undefined)}
            </Button>
          ))}
        {isRecovering && (
          <LostFactor factorId={factorId} label={app === undefined ? copy.lostKey : copy.lostPhone} />
        )}
        <Button variant="quiet" size="touch" className="-ml-3" onClick={() => void leave()}>
          {copy.signOut}
        </Button>
      </div>
    </AuthFrame>
  )
}

function labelOf(method: Method, hasApp: boolean): string {
  if (method !== 'recovery') return copy[method].use
  return hasApp ? copy.recovery.useWithoutPhone : copy.recovery.useWithoutKey
}

async function leave(): Promise<void> {
  try {
    await signOut()
  } catch (error) {
    showFailure({ title: copy.signOutFailed, description: specifiedMessage(error) })
  }
}
