import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { type NewApp, confirmApp } from './calls.ts'

const copy = profileCopy.twoFactor

type Props = { newApp: NewApp; onTurnedOn: () => void; onClose: () => void }

/** The picture that an authenticator app scans, and the question for its first code. */
export function TwoFactorDialog({ newApp, onTurnedOn, onClose }: Props) {
  const { errors, isSending, onSubmit } = useSubmission<string, 'code'>({
    read: readCode,
    send: async (code) => {
      try {
        await confirmApp(newApp.factorId, code)
      } catch {
        showToast({ title: copy.turnOnFailed, description: copy.wrongCode, variant: 'destructive' })
        return { code: copy.wrongCode }
      }
      showToast({ title: copy.turnedOnTitle, description: copy.turnedOnText })
      onTurnedOn()
      return undefined
    },
  })

  const copySecret = () => copyText(newApp.secret, { done: copy.secretCopied, failed: copy.secretCopyFailed })

  return (
    <Dialog title={copy.title} description={copy.scan} closeLabel={profileCopy.close} onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <img
            src={newApp.picture}
            alt={copy.pictureLabel}
            width={208}
            height={208}
            className="mx-auto size-52 rounded-md border border-line"
          />
          <div className="grid justify-items-start gap-1">
            <p className="text-sm text-muted">
              {copy.typeSecret}{' '}
              <code className="font-semibold text-ink wrap-anywhere">{inBlocks(newApp.secret)}</code>
            </p>
            {/* Nobody scans their own screen: on the phone that has the app the key is copied. */}
            <Button variant="quiet" size="small" className="-ml-3" onClick={() => void copySecret()}>
              {copy.copySecret}
            </Button>
          </div>
          <InputField
            label={copy.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={errors.code}
            required
          />
          <Button type="submit" isBusy={isSending}>
            {copy.turnOn}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}

/** The codes for a lost phone, which are shown this once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.map(inBlocks)
  const copyAll = () => copyText(text.join('\n'), { done: copy.copied, failed: copy.copyFailed })
  return (
    <Dialog
      title={copy.codesTitle}
      description={copy.codesText}
      closeLabel={profileCopy.close}
      closeQuestion={copy.codesQuestion}
      onClose={onClose}
    >
      <ul
        aria-label={copy.codesTitle}
        className="grid gap-x-6 gap-y-1.5 font-medium tabular-nums sm:grid-cols-2"
      >
        {text.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button onClick={onClose}>{copy.codesKept}</Button>
        <Button variant="outline" onClick={() => void copyAll()}>
          {copy.copy}
        </Button>
      </div>
    </Dialog>
  )
}

async function copyText(text: string, { done, failed }: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ title: done })
  } catch {
    showToast({ title: failed, variant: 'destructive' })
  }
}

function readCode(fields: FormData): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { ok: true, value: code } : { ok: false, errors: { code: copy.missingCode } }
}

/** Four characters at a time, as people read them. */
function inBlocks(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? text
}
