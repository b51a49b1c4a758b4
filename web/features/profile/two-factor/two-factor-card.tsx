import { useState } from 'react'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { verifiedFactors } from '#session/second-factor.ts'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLateDialog } from '#ui/dialog/late-dialog.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { addApp, makeRecoveryCodes, removeApp, type NewApp } from './calls.ts'
import { RecoveryCodesDialog, TwoFactorDialog } from './two-factor-dialog.tsx'

const copy = profileCopy.twoFactor

const fetchProof = async () => (await import('#session/proof/proof-dialog.tsx')).ProofDialog

/** The second step at sign-in: on or off, and the codes for a lost phone. */
export function TwoFactorCard() {
  const [app] = verifiedFactors(useUser())
  const [newApp, setNewApp] = useState<NewApp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const proof = useLateDialog(fetchProof)

  const run = async (job: () => Promise<void>, failed: string) => {
    setIsBusy(true)
    try {
      await job()
    } catch (error) {
      if (errorCode(error) === 'reauthentication_needed') {
        proof.open({ purpose: copy.proofPurpose, onProven: () => void run(job, failed) })
        return
      }
      logQuietly(error, 'second factor')
      showFailure({ title: failed, description: copy.tryAgain })
    } finally {
      setIsBusy(false)
    }
  }
  const showCodes = () => run(async () => setCodes(await makeRecoveryCodes()), copy.codesFailed)
  const turnOn = () => run(async () => setNewApp(await addApp()), copy.turnOnFailed)
  const turnOff = () => {
    if (app === undefined || !window.confirm(copy.confirmTurnOff)) return
    void run(async () => {
      await removeApp(app.id)
      showToast({ title: copy.turnedOffTitle, description: copy.turnedOffText })
    }, copy.turnOffFailed)
  }

  return (
    <Card title={copy.title}>
      <div className="grid gap-4 p-4 sm:px-6">
        <p className="text-sm text-muted">{app === undefined ? copy.isOff : copy.isOn}</p>
        <div className="flex flex-wrap gap-2">
          {app === undefined ? (
            <Button variant="outline" isBusy={isBusy} onClick={() => void turnOn()}>
              {copy.turnOn}
            </Button>
          ) : (
            <>
              <Button variant="outline" isBusy={isBusy} onClick={() => void showCodes()}>
                {copy.newCodes}
              </Button>
              <Button variant="danger" disabled={isBusy} onClick={turnOff}>
                {copy.turnOff}
              </Button>
            </>
          )}
        </div>
      </div>
      {newApp !== null && (
        <TwoFactorDialog
          newApp={newApp}
          onClose={() => setNewApp(null)}
          onTurnedOn={() => {
            setNewApp(null)
            void showCodes()
          }}
        />
      )}
      {proof.dialog}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  )
}
