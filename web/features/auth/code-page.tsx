import { useState } from 'react'
import { refusalMessage } from '#session/refusal.ts'
import { signOut } from '#session/sign-out.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type FieldErrors, type Reading } from '#ui/form/use-submission.ts'
import { showCode, spendRecoveryCode } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { codeCopy as copy } from './code-copy.ts'
import { authCopy } from './copy.ts'
import { LostFactor } from './lost-factor.tsx'

type Way = 'app' | 'recovery'

/** The second question at sign-in, for who turned the second step on. */
export function CodePage({ factorId, isRecovering }: { factorId: string; isRecovering: boolean }) {
  const [way, setWay] = useState<Way>('app')
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<string, 'code'>({
    read: (fields) => readCode(fields, way),
    send: (code) => send(factorId, { way, code }),
  })
  const switchWay = () => {
    clearErrors()
    setWay(way === 'app' ? 'recovery' : 'app')
  }

  return (
    <AuthFrame
      documentTitle={copy.documentTitle}
      headline={copy.headline}
      intro={way === 'app' ? copy.intro : copy.recoveryIntro}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <InputField
            key={way}
            ref={focusAtOnce}
            label={way === 'app' ? copy.code : copy.recoveryCode}
            name="code"
            inputMode={way === 'app' ? 'numeric' : 'text'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.code}
          />
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
        </fieldset>
      </form>
      <div className="mt-6 grid justify-items-start gap-1 text-sm">
        <Button variant="quiet" size="small" className="-ml-3 text-left" onClick={switchWay}>
          {way === 'app' ? copy.useRecovery : copy.useApp}
        </Button>
        {isRecovering && <LostFactor factorId={factorId} />}
        <Button variant="quiet" size="small" className="-ml-3" onClick={() => void leave()}>
          {copy.signOut}
        </Button>
      </div>
    </AuthFrame>
  )
}

/** The one thing to do here; after the password the focus would be nowhere. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus()
}

function readCode(fields: FormData, way: Way): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  const isWhole = way === 'app' ? /^\d{6}$/.test(code) : code !== ''
  if (isWhole) return { ok: true, value: code }
  return { ok: false, errors: { code: way === 'app' ? copy.missing : copy.missingRecovery } }
}

async function send(
  factorId: string,
  { way, code }: { way: Way; code: string },
): Promise<FieldErrors<'code'> | undefined> {
  try {
    await (way === 'app' ? showCode(factorId, code) : spendRecoveryCode(code))
  } catch (error) {
    const sentence = sentenceFor(error, way)
    showToast({ title: copy.failed, description: sentence, variant: 'destructive' })
    return { code: sentence }
  }
  showToast({ title: authCopy.signInDoneTitle, description: authCopy.signInDoneText })
  return undefined
}

function sentenceFor(error: unknown, way: Way): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'mfa_verification_failed') return way === 'app' ? copy.wrong : copy.wrongRecovery
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
