import { useState } from 'react'
import { configuration } from '#api/configuration.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { sendRecoveryMail } from '#people/session/recovery-mail.ts'
import { specifiedMessage } from '#api/errors.ts'
import { refusalOf, type RefusedField } from '#people/session/refusal.ts'
import { useSession, type DeadLink } from '#people/session/session.ts'
import { canKeepSession } from '#storage/device-storage.ts'
import { Button } from '#ui/button.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { rawTextOf, textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { dismissFailure, showFailure } from '#ui/toast/toast-store.ts'
import { signIn, signUp, type Credentials } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { authCopy } from './copy.ts'
import { MailSent, type SentMail } from './mail-sent.tsx'

type Mode = 'signIn' | 'signUp' | 'recovery'

/** The login form, which has three modes: sign in, sign up, and request a recovery link. */
export function LoginPage() {
  const [mode, setMode] = useState<Mode>('signIn')
  const [sentMail, setSentMail] = useState<SentMail | null>(null)
  const { deadLink } = useSession()
  const [isKept] = useState(canKeepSession)
  const copy = authCopy[mode]
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<
    Credentials,
    RefusedField,
    boolean | void
  >({
    read: (fields) => readCredentials(fields, mode),
    send: async (credentials) => {
      const isDone = await calls[mode](credentials)
      if (mode !== 'signIn' && isDone !== false) setSentMail({ kind: mode, email: credentials.email })
      return isDone
    },
    // A user with a second factor is welcomed only after entering the code. The sign-up toast is omitted if no
    // confirmation mail was sent.
    success: (_, isDone) => (isDone === false ? null : { title: copy.doneTitle, description: copy.doneText }),
    failure: (error, { email, password }) => {
      if (errorCode(error) === 'email_not_confirmed') setSentMail({ kind: 'unconfirmed', email })
      return failureOf(error, mode, password)
    },
    onDone: () => setMode('signIn'),
  })
  const switchTo = (next: Mode) => {
    clearErrors()
    dismissFailure()
    setMode(next)
  }

  return (
    <AuthFrame documentTitle={copy.documentTitle} headline={copy.headline} intro={copy.intro}>
      {deadLink !== null && mode === 'signIn' && <DeadLinkNotice link={deadLink} />}
      {!isKept && <p className="mb-6 text-sm text-muted">{authCopy.forbiddenStorage}</p>}
      {sentMail !== null && mode === 'signIn' && (
        <MailSent key={sentMail.kind + sentMail.email} mail={sentMail} />
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
          {mode !== 'recovery' && <Password key={mode} mode={mode} error={errors.password} />}
          <FormError>{errors.form}</FormError>
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
        </fieldset>
      </form>
      <ModeLinks mode={mode} onSwitch={switchTo} />
    </AuthFrame>
  )
}

type PasswordProps = { mode: Exclude<Mode, 'recovery'>; error: string | undefined }

function Password({ mode, error }: PasswordProps) {
  return (
    <PasswordField
      label={authCopy.password}
      name="password"
      autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
      error={error}
      hint={mode === 'signUp' ? authCopy.passwordHint(configuration().passwordLengthMin) : undefined}
    />
  )
}

function failureOf(error: unknown, mode: Mode, password: string) {
  const { description, errors } = refusalOf(error, password)
  const shown = mode === 'recovery' ? description : specifiedMessage(error)
  return { title: authCopy[mode].failed, description: shown, errors }
}

/** Links to the other modes. */
function ModeLinks({ mode, onSwitch }: { mode: Mode; onSwitch: (next: Mode) => void }) {
  return (
    <div className="mt-6 grid justify-items-start gap-1 text-sm">
      {mode === 'signIn' && (
        <button type="button" className={linkLook} onClick={() => onSwitch('recovery')}>
          {authCopy.forgotPassword}
        </button>
      )}
      <p className="text-muted">
        {authCopy[mode].switchQuestion}{' '}
        <button
          type="button"
          className={linkLook}
          onClick={() => onSwitch(mode === 'signIn' ? 'signUp' : 'signIn')}
        >
          {authCopy[mode].switchAction}
        </button>
      </p>
    </div>
  )
}

function DeadLinkNotice({ link }: { link: DeadLink }) {
  return (
    <p role="alert" className="mb-6 border-l-2 border-brass bg-warning-soft px-4 py-3 text-sm text-warning">
      {wordsOf(link)}
    </p>
  )
}

function wordsOf({ reason, type }: DeadLink): string {
  const { elsewhere, used, usedOther } = authCopy.deadLink
  if (reason === 'elsewhere') return elsewhere
  return Object.hasOwn(used, type) ? used[type as keyof typeof used] : usedOther
}

const linkLook = 'min-h-8 font-semibold text-primary underline underline-offset-4 hover:text-primary-strong'

function readCredentials(fields: FormData, mode: Mode): Reading<Credentials, RefusedField> {
  const email = textOf(fields, 'email')
  const password = rawTextOf(fields, 'password')
  const needsPassword = mode !== 'recovery'
  if (email !== '' && (password !== '' || !needsPassword)) return { ok: true, value: { email, password } }
  if (needsPassword) showFailure({ title: authCopy.incompleteTitle, description: authCopy.incompleteText })
  return {
    ok: false,
    errors: {
      ...(email === '' && { email: authCopy.missingEmail }),
      ...(needsPassword && password === '' && { password: authCopy.missingPassword }),
    },
  }
}

const calls = {
  signIn,
  signUp,
  recovery: ({ email }: Credentials) => sendRecoveryMail(email),
} as const
