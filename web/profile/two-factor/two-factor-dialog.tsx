import { configuration } from '#api/configuration.ts'
import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { profileCopy } from '#profile/copy.ts'
import { refusalAtForm } from '#people/session/refusal.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { saveFile } from '#ui/save-file.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { confirmApp, type NewApp } from './calls.ts'

const copy = profileCopy.twoFactor

type Props = { newApp: NewApp; isFirst: boolean; onTurnedOn: () => void; onClose: () => void }

export function TwoFactorDialog({ newApp, isFirst, onTurnedOn, onClose }: Props) {
  const copySecret = () => copyText(newApp.secret, { done: copy.secretCopied, failed: copy.secretCopyFailed })

  return (
    <FormDialog<string, 'code'>
      title={copy.title}
      description={copy.scan}
      submitLabel={copy.turnOn}
      onClose={onClose}
      read={(fields) => readSixDigits(fields, copy.missingCode)}
      send={(code) => confirmApp(newApp.factorId, code)}
      success={
        isFirst
          ? { title: copy.turnedOnTitle, description: copy.turnedOnText }
          : { title: copy.appAddedTitle, description: copy.addedText }
      }
      failure={(error) => {
        const call = { name: 'first code of an app', title: copy.turnOnFailed, refusals }
        const refusal = refusalMessage(error, call)
        return { ...refusal, errors: { code: refusal.description } }
      }}
      onDone={() => {
        onClose()
        onTurnedOn()
      }}
    >
      {(errors) => (
        <>
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
            {/* A phone cannot scan its own screen. On a phone, the user therefore opens the app with a link or copies
                the key. */}
            <div className="-ml-4 flex flex-wrap">
              <a href={newApp.address} className={`${buttonClass({ variant: 'quiet' })} lg:hidden`}>
                {copy.openApp}
              </a>
              <Button variant="quiet" onClick={() => void copySecret()}>
                {copy.copySecret}
              </Button>
            </div>
          </div>
          <CodeField label={copy.code} error={errors.code} required />
        </>
      )}
    </FormDialog>
  )
}

/**
 * After ten minutes, the server removes an app that has not been confirmed, and the user must enter the password again.
 */
const refusals: Refusals = {
  mfa_verification_failed: copy.wrongCode,
  mfa_factor_not_found: copy.tooLate,
  reauthentication_needed: copy.tooLate,
  otherwise: (error) => refusalAtForm(error).form ?? copy.tryAgain,
}

/** Shows the recovery codes, which the user needs after losing the phone. The page shows the codes only once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.map(inBlocks)
  const copyAll = () => copyText(text.join('\n'), { done: copy.copied, failed: copy.copyFailed })
  const download = () => {
    const { brandName } = configuration()
    const lines = [`${copy.codesTitle} · ${brandName}`, '', ...text, '', copy.codesUse, '']
    saveFile(copy.codesFile, new Blob([lines.join('\r\n')], { type: 'text/plain' }))
  }
  return (
    <Dialog title={copy.codesTitle} description={copy.codesText} isHeld onClose={onClose}>
      <ul aria-label={copy.codesTitle} className="grid gap-x-6 gap-y-1.5 font-medium figures sm:grid-cols-2">
        {text.map((code) => (
          <li key={code}>
            <code className="whitespace-normal">{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-6 grid gap-2 print:hidden">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
          <Button variant="outline" onClick={() => void copyAll()}>
            {copy.copy}
          </Button>
          <Button variant="outline" onClick={download}>
            {copy.download}
          </Button>
          <Button variant="outline" onClick={() => window.print()}>
            {copy.print}
          </Button>
        </div>
        <Button onClick={onClose}>{copy.codesKept}</Button>
      </div>
    </Dialog>
  )
}

async function copyText(text: string, { done, failed }: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ title: done })
  } catch {
    showFailure({ title: failed })
  }
}

function inBlocks(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? text
}
