import { useState } from 'react'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/code-field.tsx'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { InputField } from '#ui/form/field.tsx'
import { rawTextOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { mailCode, prove } from './calls.ts'

const copy = profileCopy.proof

type Method = 'password' | 'code'

/** Asks for the password, or a mailed code, before the second factor is changed: an open browser is not enough. */
export function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const [method, setMethod] = useState<Method>('password')
  const [isMailing, setIsMailing] = useState(false)
  const form = useSubmission<string, Method>({
    read: (fields) =>
      method === 'password' ? readPassword(fields) : readSixDigits(fields, copy.missingCode),
    send: (secret) => prove(method === 'password' ? { current_password: secret } : { nonce: secret }),
    success: () => null,
    failure: (error) => {
      logQuietly(error, 'proof')
      const description = sentenceFor(error)
      return { title: copy.failed, description, errors: { [method]: description } }
    },
    onDone: onProven,
  })
  const askForCode = async () => {
    setIsMailing(true)
    try {
      await mailCode()
      form.clearErrors()
      setMethod('code')
    } catch (error) {
      logQuietly(error, 'proof by mail')
      showToast({ title: copy.mailFailed, description: sentenceFor(error), variant: 'destructive' })
    } finally {
      setIsMailing(false)
    }
  }

  return (
    <DialogForm
      form={form}
      title={copy.title}
      description={method === 'password' ? copy.byPassword : copy.byCode}
      closeLabel={profileCopy.close}
      submitLabel={copy.submit}
      footer={
        method === 'password' && (
          <Button variant="quiet" size="small" isBusy={isMailing} onClick={() => void askForCode()}>
            {copy.mail}
          </Button>
        )
      }
      onClose={onClose}
    >
      {method === 'password' ? (
        <InputField
          key="password"
          label={profileCopy.password}
          name="password"
          type="password"
          autoComplete="current-password"
          error={form.errors.password}
          required
        />
      ) : (
        <CodeField key="code" label={copy.code} error={form.errors.code} required />
      )}
    </DialogForm>
  )
}

function readPassword(fields: FormData): Reading<string, 'password'> {
  const password = rawTextOf(fields, 'password')
  return password === ''
    ? { ok: false, errors: { password: profileCopy.missingPassword } }
    : { ok: true, value: password }
}

const sentences: Readonly<Record<string, string>> = {
  current_password_invalid: copy.wrongPassword,
  reauthentication_not_valid: copy.wrongCode,
  over_email_send_rate_limit: copy.tooMany,
  over_request_rate_limit: copy.tooMany,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? profileCopy.twoFactor.tryAgain
}
