import { useState } from 'react'
import { showRefusal, type Refusals } from '#api/refusals.ts'
import { profileCopy } from '#profile/copy.ts'
import { isUnproven, useProof } from '#people/session/proof/use-proof.tsx'
import { type SecondFactor, canUsePasskeys, verifiedFactors } from '#people/session/second-factor.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useQuestion } from '#ui/dialog/use-question.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { addApp, makeRecoveryCodes, removeFactor } from './calls.ts'
import { FactorList, nameOf } from './factor-list.tsx'

const copy = profileCopy.twoFactor

const appDialog = lazyCode(() => import('./two-factor-dialog.tsx'), 'TwoFactorDialog')
const codesDialog = lazyCode(() => import('./two-factor-dialog.tsx'), 'RecoveryCodesDialog')
const passkeyDialog = lazyCode(() => import('./passkey-dialog.tsx'), 'PasskeyDialog')

/**
 * The account's second factors: authenticator apps, passkeys, and recovery codes for a user who has lost the other
 * factors.
 */
export function TwoFactorCard() {
  const user = useUser()
  const factors = verifiedFactors(user)
  const hasApp = factors.some(({ factor_type: type }) => type === 'totp')
  const isOn = factors.length > 0
  const { isBusy, run, proof } = useProvenTask()
  const app = useLazyDialog(appDialog)
  const codes = useLazyDialog(codesDialog)
  const passkey = useLazyDialog(passkeyDialog)

  const showCodes = () =>
    run(async () => {
      // New codes replace the old codes and are shown only once, so that the page first needs what shows them.
      await codesDialog.load()
      codes.open({ codes: await makeRecoveryCodes() })
    }, copy.codesFailed)
  // Recovery codes stay valid when another factor is added. New codes are therefore created only when the user adds the
  // first factor.
  const codesOfFirst = () => (isOn ? undefined : void showCodes())
  const newApp = () =>
    run(
      async () => app.open({ newApp: await addApp(), isFirst: !isOn, onTurnedOn: codesOfFirst }),
      copy.turnOnFailed,
    )
  const newPasskey = () =>
    passkey.open({
      names: (user.factors ?? []).map(({ friendly_name: name }) => name ?? ''),
      onNamed: (add) =>
        void run(async () => {
          if (!(await add())) return
          showToast({
            title: copy.passkeyAddedTitle,
            description: isOn ? copy.addedText : copy.turnedOnText,
          })
          codesOfFirst()
        }, copy.passkeyFailed),
    })
  const { ask, question } = useQuestion()
  const remove = async (factor: SecondFactor) => {
    const isLast = factors.length === 1
    if (!(await ask(removalQuestion(factor, isLast)))) return
    void run(async () => {
      await removeFactor(factor.id)
      showToast(removedToast(factor, isLast))
    }, copy.turnOffFailed)
  }

  return (
    <Card title={copy.title}>
      <p className="p-4 text-sm text-muted sm:px-6">{isOn ? copy.isOn : copy.isOff}</p>
      {isOn && <FactorList factors={factors} isBusy={isBusy} onRemove={(factor) => void remove(factor)} />}
      <Additions isOn={isOn} hasApp={hasApp} isBusy={isBusy} {...{ newPasskey, newApp, showCodes }} />
      {app.dialog}
      {codes.dialog}
      {proof}
      {question}
      {passkey.dialog}
    </Card>
  )
}

/** Runs a task that requires a recent proof of identity, and shows why it failed. */
function useProvenTask() {
  const [isBusy, setIsBusy] = useState(false)
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  const run = async (job: () => Promise<void>, failed: string) => {
    setIsBusy(true)
    try {
      await proven(job)
    } catch (error) {
      if (!isUnproven(error)) showRefusal(error, { name: 'second factor', title: failed, refusals })
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, run, proof }
}

function removalQuestion(factor: SecondFactor, isLast: boolean) {
  return isLast
    ? { text: copy.confirmTurnOff, confirm: copy.turnOff }
    : { text: copy.confirmRemove(nameOf(factor)), confirm: copy.remove }
}

function removedToast(factor: SecondFactor, isLast: boolean) {
  return isLast
    ? { title: copy.turnedOffTitle, description: copy.turnedOffText }
    : { title: copy.removed(nameOf(factor)) }
}

type AdditionsProps = Record<'isOn' | 'hasApp' | 'isBusy', boolean> & {
  newPasskey: () => void
  newApp: () => Promise<void>
  showCodes: () => Promise<void>
}

/** Buttons that add a second factor or replace the recovery codes. */
function Additions({ isOn, hasApp, isBusy, newPasskey, newApp, showCodes }: AdditionsProps) {
  return (
    <div className={`p-4 sm:px-6 ${isOn ? '' : 'pt-0'}`}>
      <div className="flex flex-wrap gap-2">
        {canUsePasskeys() && (
          <Button variant="outline" isBusy={isBusy} onClick={newPasskey}>
            {copy.addPasskey}
          </Button>
        )}
        {!hasApp && (
          <Button variant="outline" disabled={isBusy} onClick={() => void newApp()}>
            {copy.addApp}
          </Button>
        )}
        {isOn && (
          <Button variant="outline" disabled={isBusy} onClick={() => void showCodes()}>
            {copy.newCodes}
          </Button>
        )}
      </div>
    </div>
  )
}

const refusals: Refusals = {
  mfa_factor_name_conflict: copy.takenName,
  // The browser throws InvalidStateError if the device already has a passkey of this account.
  otherwise: (error) =>
    error instanceof DOMException && error.name === 'InvalidStateError' ? copy.hasPasskey : copy.tryAgain,
}
