import { useState } from 'react'
import type { TextLengthMax } from '@finanzas/contract/database-types.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { lineOf, readingOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { lineError } from '#ui/format/line-error.ts'
import { staffCopy as copy } from '#staff/staff-copy.ts'

type Props = {
  error: string | undefined
  /** The common reasons that have a button. By default, these are the common reasons for corrections. */
  common?: readonly string[]
}

/** Field for a reason that the customer reads, with a button for each common reason. */
export function ReasonField({ error, common = copy.reasons }: Props) {
  const [reason, setReason] = useState('')
  return (
    <>
      <InputField
        label={copy.reason}
        name="reason"
        autoComplete="off"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        hint={copy.reasonHint}
        error={error}
        required
      />
      <div role="group" aria-label={copy.frequentReasons} className="flex flex-wrap gap-2">
        {common.map((one) => (
          <Button
            key={one}
            variant={one === reason ? 'primary' : 'outline'}
            size="small"
            className="max-lg:min-h-11"
            aria-pressed={one === reason}
            onClick={() => setReason(one)}
          >
            {one}
          </Button>
        ))}
      </div>
    </>
  )
}

export function readReason(fields: FormData): Reading<string, 'reason'> {
  const reason = lineOf(fields, 'reason')
  return readingOf(reasonErrors(reason), reason)
}

const reasonLengthMax: TextLengthMax['corrections']['reason'] = 200

/** Returns an error if the reason is missing or invalid. */
export function reasonErrors(reason: string): FieldErrors<'reason'> {
  if (reason === '') return { reason: copy.missingReason }
  const error = lineError(reason, reasonLengthMax)
  return error === undefined ? {} : { reason: error }
}
