import { useState } from 'react'
import { errorCode } from '#backend/errors.ts'
import { refusalMessage } from '#session/refusal.ts'
import { signOut } from '#session/sign-out.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/code-field.tsx'
import { textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { showCode, spendRecoveryCode } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { codeCopy as copy } from './code-copy.ts'
import { authCopy } from './copy.ts'
import { LostFactor } from './lost-factor.tsx'

type Method = 'app' | 'recovery'

/** The second step of a sign-in, for an account with a second factor. */
export function CodePage({ factorId, isRecovering }: { factorId: string; isRecovering: boolean }) {
  const [method, setMethod] = useState<Method>('app')
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<string, 'code'>({
    read: (fields) => (method === 'app' ? readSixDigits(fields, copy.missing) : readRecoveryCode(fields)),
    send: (code) => (method === 'app' ? showCode(factorId, code) : spendRecoveryCode(code)),
    success: { title: authCopy.signInDoneTitle, description: authCopy.signInDoneText },
    failure: (error) => {
      const description = sentenceFor(error, method)
      return { title: copy.failed, description, errors: { code: description } }
    },
  })
  const switchMethod = () => {
    clearErrors()
    setMethod(method === 'app' ? 'recovery' : 'app')
  }

  return (
    <AuthFrame
      documentTitle={copy.documentTitle}
      headline={copy.headline}
      intro={method === 'app' ? copy.intro : copy.recoveryIntro}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <CodeField
            key={method}
            ref={focusAtOnce}
            label={method === 'app' ? copy.code : copy.recoveryCode}
            inputMode={method === 'app' ? 'numeric' : 'text'}
            error={errors.code}
          />
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
        </fieldset>
      </form>
      <div className="mt-6 grid justify-items-start gap-1 text-sm">
        <Button variant="quiet" size="small" className="-ml-3 text-left" onClick={switchMethod}>
          {method === 'app' ? copy.useRecovery : copy.useApp}
        </Button>
        {isRecovering && <LostFactor factorId={factorId} />}
        <Button variant="quiet" size="small" className="-ml-3" onClick={() => void leave()}>
          {copy.signOut}
        </Button>
      </div>
    </AuthFrame>
  )
}

/** The only field; after the password the focus would be nowhere. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus()
}

function readRecoveryCode(fields: FormData): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  return code === '' ? { ok: false, errors: { code: copy.missingRecovery } } : { ok: true, value: code }
}

function sentenceFor(error: unknown, method: Method): string {
  const code = errorCode(error)
  if (code === 'mfa_verification_failed') return method === 'app' ? copy.wrong : copy.wrongRecovery
  if (code === 'over_request_rate_limit' || code === 'mfa_recovery_codes_locked') return copy.locked
  return refusalMessage(error, authCopy.unknownFailure)
}

async function leave(): Promise<void> {
  try {
    await signOut()
  } catch (error) {
    const description = refusalMessage(error, authCopy.unknownFailure)
    showToast({ title: copy.signOutFailed, description, variant: 'destructive' })
  }
}
