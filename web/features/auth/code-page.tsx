import { useState } from 'react'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { formatDateTime } from '#format/dates.ts'
import { lastWait, refusalAtForm, refusalMessage } from '#session/refusal.ts'
import { signOut } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { askForFactorEnd, showCode, spendRecoveryCode } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { authCopy } from './copy.ts'

/** Here and not in copy.ts: the login does not wait for these words. */
const copy = {
  documentTitle: 'Código de verificación - Finanzas',
  headline: 'Escribe tu código',
  intro: 'Abre tu aplicación de autenticación y escribe el código de seis dígitos que muestra.',
  code: 'Código',
  missing: 'Escribe el código de seis dígitos.',
  recoveryIntro: 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una sola vez.',
  recoveryCode: 'Código de recuperación',
  missingRecovery: 'Escribe el código de recuperación.',
  submit: 'Continuar',
  useRecovery: 'No tengo mi teléfono: usar un código de recuperación',
  useApp: 'Usar el código de la aplicación',
  lost: 'No tengo mi teléfono ni mis códigos',
  lostText:
    'Podemos quitar la verificación en dos pasos de tu cuenta dentro de 72 horas. Te avisaremos por correo; ese día se cierran todas las sesiones y creas otra contraseña con «¿Olvidaste tu contraseña?».',
  askForEnd: 'Quitarla en 72 horas',
  endAsked: (when: string) =>
    `La quitaremos el ${when}. Desde entonces elige «¿Olvidaste tu contraseña?» para entrar.`,
  endFailed: 'No se pudo pedir',
  signOut: 'Cerrar Sesión',
  signOutFailed: 'Sign out Failed',
  failed: 'No se pudo verificar el código',
  wrong: 'El código no es correcto o ya se usó. Espera el siguiente e inténtalo otra vez.',
  wrongRecovery: 'El código no es correcto o ya se usó.',
  locked: (wait: string) => `Fueron demasiados intentos. Espera ${wait} antes del siguiente.`,
} as const

type Method = 'app' | 'recovery'

/** The second step of a sign-in, for an account with a second factor. */
export function CodePage({ factorId, isRecovering }: { factorId: string; isRecovering: boolean }) {
  const [method, setMethod] = useState<Method>('app')
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<string, 'code'>({
    read: (fields) => (method === 'app' ? readSixDigits(fields, copy.missing) : readRecoveryCode(fields)),
    send: (code) => (method === 'app' ? showCode(factorId, code) : spendRecoveryCode(code)),
    success: { title: authCopy.signIn.doneTitle, description: authCopy.signIn.doneText },
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
  if (code === 'over_request_rate_limit' || code === 'mfa_recovery_codes_locked')
    return copy.locked(lastWait())
  return refusalAtForm(error).form ?? refusalMessage(error, authCopy.unknownFailure)
}

async function leave(): Promise<void> {
  try {
    await signOut()
  } catch (error) {
    showFailure({ title: copy.signOutFailed, description: refusalMessage(error, authCopy.unknownFailure) })
  }
}

/** The way back without any factor, for an account whose mail can be read: the factors end after a wait. */
function LostFactor({ factorId }: { factorId: string }) {
  /** `closed`, `asking`, or when the second factors end (ISO 8601). */
  const [step, setStep] = useState('closed')
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'end of second factors')
    showFailure({ title: copy.endFailed, description: refusalMessage(error, authCopy.unknownFailure) })
  })
  const ask = async () => setStep(await askForFactorEnd(factorId))

  if (step === 'closed') {
    return (
      <Button variant="quiet" size="small" className="-ml-3 text-left" onClick={() => setStep('asking')}>
        {copy.lost}
      </Button>
    )
  }
  return (
    <div
      role="status"
      className="my-2 grid gap-3 border-l-2 border-brass bg-warning-soft px-4 py-3 text-warning"
    >
      <p>{step === 'asking' ? copy.lostText : copy.endAsked(formatDateTime(step))}</p>
      {step === 'asking' && (
        <Button
          variant="outline"
          size="small"
          className="justify-self-start"
          isBusy={isBusy}
          onClick={() => run(ask)}
        >
          {copy.askForEnd}
        </Button>
      )}
    </div>
  )
}
