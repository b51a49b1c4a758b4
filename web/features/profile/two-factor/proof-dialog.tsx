import { useState } from 'react'
import { logQuietly } from '#backend/log-quietly.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField } from '#ui/form/field.tsx'
import { rawTextOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { mailCode, prove } from './calls.ts'

const copy = profileCopy.proof

type Way = 'password' | 'code'

/** Asks who is there before the second step is changed: an open browser is not enough. */
export function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const [way, setWay] = useState<Way>('password')
  const [isMailing, setIsMailing] = useState(false)
  const { errors, isSending, onSubmit, clearErrors } = useSubmission<string, Way>({
    read: (fields) => readProof(fields, way),
    send: async (secret) => {
      try {
        await prove(way === 'password' ? { current_password: secret } : { nonce: secret })
      } catch (error) {
        logQuietly(error, 'proof')
        showToast({ title: copy.failed, description: sentenceFor(error), variant: 'destructive' })
        return
      }
      onProven()
    },
  })
  const askForCode = async () => {
    setIsMailing(true)
    try {
      await mailCode()
      clearErrors()
      setWay('code')
    } catch (error) {
      logQuietly(error, 'proof by mail')
      showToast({ title: copy.mailFailed, description: sentenceFor(error), variant: 'destructive' })
    } finally {
      setIsMailing(false)
    }
  }

  return (
    <Dialog
      title={copy.title}
      description={way === 'password' ? copy.byPassword : copy.byCode}
      closeLabel={profileCopy.close}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          {way === 'password' ? (
            <InputField
              key="password"
              label={profileCopy.password}
              name="password"
              type="password"
              autoComplete="current-password"
              error={errors.password}
              required
            />
          ) : (
            <InputField
              key="code"
              label={copy.code}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              error={errors.code}
              required
            />
          )}
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
          {way === 'password' && (
            <Button variant="quiet" size="small" isBusy={isMailing} onClick={() => void askForCode()}>
              {copy.mail}
            </Button>
          )}
        </fieldset>
      </form>
    </Dialog>
  )
}

function readProof(fields: FormData, way: Way): Reading<string, Way> {
  const typed = rawTextOf(fields, way)
  if (way === 'password')
    return typed === ''
      ? { ok: false, errors: { password: profileCopy.missingPassword } }
      : { ok: true, value: typed }
  const code = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { ok: true, value: code } : { ok: false, errors: { code: copy.missingCode } }
}

function sentenceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'current_password_invalid') return copy.wrongPassword
  if (code === 'reauthentication_not_valid') return copy.wrongCode
  if (code === 'over_email_send_rate_limit' || code === 'over_request_rate_limit') return copy.tooMany
  return profileCopy.twoFactor.tryAgain
}
