import { useState } from 'react'
import { logQuietly } from '#api/errors.ts'
import { formatDateTime } from '#ui/format/dates.ts'
import { refusalOf } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { focusAtOnce } from '#ui/focus/focus-at-once.ts'
import { askForFactorEnd } from './auth-calls.ts'
import { codeCopy as copy } from './code-copy.ts'

/**
 * Recovery for a user who has lost every second factor but can still read the account's mail. The server removes the
 * second factors after a waiting period.
 */
export function LostFactor({ factorId, label }: { factorId: string; label: string }) {
  /** `closed`, `asking`, or the time at which the second factors will be removed (ISO 8601). */
  const [step, setStep] = useState('closed')
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'removal of second factors')
    showFailure({ title: copy.endFailed, description: refusalOf(error).description })
  })
  const ask = async () => setStep(await askForFactorEnd(factorId))

  if (step === 'closed') {
    return (
      <Button variant="quiet" size="touch" className="-ml-3 text-left" onClick={() => setStep('asking')}>
        {label}
      </Button>
    )
  }
  return (
    <div
      key={step}
      // Each step removes the button that was pressed, so the focus moves to the new content.
      ref={focusAtOnce}
      tabIndex={-1}
      className="my-2 grid gap-3 border-l-2 border-brass bg-warning-soft px-4 py-3 text-warning"
    >
      <p>{step === 'asking' ? copy.lostText : copy.endAsked(formatDateTime(step))}</p>
      {step === 'asking' && (
        <Button
          variant="outline"
          size="touch"
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
