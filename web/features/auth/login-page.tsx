import { useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { useSession } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { refusalAtForm, refusalMessage, type RefusedField } from '#session/refusal.ts'
import { FormError, InputField } from '#ui/form/field.tsx'
import { rawTextOf, textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type FieldErrors, type Reading } from '#ui/form/use-submission.ts'
import { sendRecoveryMail, signIn, signUp, type Credentials } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { authCopy } from './copy.ts'
import { PasswordField } from './password-field.tsx'

type Mode = 'signIn' | 'signUp' | 'recovery'

/** One form in three modes: sign in, sign up, and ask for a recovery link. */
export function LoginPage() {
  const [mode, setMode] = useState<Mode>('signIn')
  const { deadLink } = useSession()
  const copy = authCopy[mode]
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<Credentials, RefusedField>({
    read: (fields) => readCredentials(fields, mode),
    send: async (credentials) => {
      const refused = await send(mode, credentials)
      if (refused === undefined && mode !== 'signIn') setMode('signIn')
      return refused
    },
  })
  const switchTo = (next: Mode) => {
    clearErrors()
    setMode(next)
  }

  return (
    <AuthFrame documentTitle={copy.documentTitle} headline={copy.headline} intro={copy.intro}>
      {deadLink !== null && mode === 'signIn' && (
        <p
          role="alert"
          className="mb-6 border-l-2 border-brass bg-warning-soft px-4 py-3 text-sm text-warning"
        >
          {authCopy.deadLink[deadLink]}
        </p>
      )}
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <InputField
            label={authCopy.email}
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.email}
          />
          {mode !== 'recovery' && (
            <PasswordField
              key={mode}
              label={authCopy.password}
              name="password"
              autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
              error={errors.password}
              hint={mode === 'signUp' ? authCopy.passwordHint(configuration().passwordLengthMin) : undefined}
            />
          )}
          <FormError>{errors.form}</FormError>
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
        </fieldset>
      </form>
      <div className="mt-6 grid justify-items-start gap-1 text-sm">
        {mode === 'signIn' && (
          <button type="button" className={linkLook} onClick={() => switchTo('recovery')}>
            {authCopy.forgotPassword}
          </button>
        )}
        <p className="text-muted">
          {copy.switchQuestion}{' '}
          <button
            type="button"
            className={linkLook}
            onClick={() => switchTo(mode === 'signIn' ? 'signUp' : 'signIn')}
          >
            {copy.switchAction}
          </button>
        </p>
      </div>
    </AuthFrame>
  )
}

const linkLook = 'min-h-8 font-semibold text-primary underline underline-offset-4 hover:text-primary-strong'

function readCredentials(fields: FormData, mode: Mode): Reading<Credentials, RefusedField> {
  const email = textOf(fields, 'email')
  const password = rawTextOf(fields, 'password')
  const needsPassword = mode !== 'recovery'
  if (email !== '' && (password !== '' || !needsPassword)) return { ok: true, value: { email, password } }
  if (needsPassword) {
    showToast({
      title: authCopy.incompleteTitle,
      description: authCopy.incompleteText,
      variant: 'destructive',
    })
  }
  return {
    ok: false,
    errors: {
      ...(email === '' && { email: authCopy.missingEmail }),
      ...(needsPassword && password === '' && { password: authCopy.missingPassword }),
    },
  }
}

/** Sends and says how it went; answers what stays at the form when it was refused. */
async function send(mode: Mode, credentials: Credentials): Promise<FieldErrors<RefusedField> | undefined> {
  const { call, failed, done, doneText } = steps[mode]
  try {
    const isSaid = await call(credentials)
    // The welcome waits for the code, and who needs no confirmation is not sent to their mail.
    if (isSaid === false) return undefined
  } catch (error) {
    const description = refusalMessage(error, authCopy.unknownFailure)
    showToast({ title: failed, description, variant: 'destructive' })
    return refusalAtForm(error)
  }
  showToast({ title: done, description: doneText })
  return undefined
}

const steps = {
  signIn: {
    call: signIn,
    failed: authCopy.signInFailed,
    done: authCopy.signInDoneTitle,
    doneText: authCopy.signInDoneText,
  },
  signUp: {
    call: signUp,
    failed: authCopy.signUpFailed,
    done: authCopy.signUpDoneTitle,
    doneText: authCopy.signUpDoneText,
  },
  recovery: {
    call: ({ email }: Credentials) => sendRecoveryMail(email),
    failed: authCopy.recoveryFailed,
    done: authCopy.recoveryDoneTitle,
    doneText: authCopy.recoveryDoneText,
  },
} as const
