import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { lastWait, refusalOf } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { focusAtOnce } from '#ui/focus/focus-at-once.ts'
import { showCode, spendRecoveryCode } from './auth-calls.ts'
import { codeCopy as copy } from './code-copy.ts'
import { authCopy } from './copy.ts'

type Method = 'app' | 'recovery'

/**
 * Form for a code from an authenticator app, or for a recovery code. The form focuses its only field, because the
 * previously focused element no longer exists.
 */
export function CodeForm({ method, factorId }: { method: Method; factorId: string }) {
  const { errors, isSending, onSubmit } = useSubmission<string, 'code'>({
    read: (fields) => (method === 'app' ? readSixDigits(fields, copy.app.missing) : readRecoveryCode(fields)),
    send: (code) => (method === 'app' ? showCode(factorId, code) : spendRecoveryCode(code)),
    success: { title: authCopy.signIn.doneTitle, description: authCopy.signIn.doneText },
    failure: (error) => {
      const refusal = refusalMessage(error, {
        name: 'second step',
        title: copy.failed,
        refusals: { ...refusals, mfa_verification_failed: copy[method].wrong },
      })
      return { ...refusal, errors: { code: refusal.description } }
    },
  })

  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid gap-5">
        <CodeField
          ref={focusAtOnce}
          label={copy[method].field}
          inputMode={method === 'app' ? 'numeric' : 'text'}
          error={errors.code}
        />
        <Button type="submit" isBusy={isSending}>
          {copy.submit}
        </Button>
      </fieldset>
    </form>
  )
}

function readRecoveryCode(fields: FormData): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  return code === '' ? { ok: false, errors: { code: copy.recovery.missing } } : { ok: true, value: code }
}

const locked = () => copy.locked(lastWait())

const refusals: Refusals = {
  over_request_rate_limit: locked,
  mfa_recovery_codes_locked: locked,
  otherwise: (error) => refusalOf(error).description,
}
