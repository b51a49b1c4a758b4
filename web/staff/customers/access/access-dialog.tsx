import type { BlockReason } from '@finanzas/contract/database-types.ts'
import { emailLengthMax } from '@finanzas/contract/limits.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { refusalMessage } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { accessCopy as copy } from './copy.ts'
import type { AccessOrder } from './access.ts'

export type AskedAction = Exclude<AccessOrder['action'], 'resend'>
type Props = {
  action: AskedAction
  name: string
  /** Performs the action. Throws an error if the bank refuses the action. */
  perform: (order: AccessOrder) => Promise<void>
  onClose: () => void
}

/** Explains how an action changes a person's access, and asks for confirmation. */
export function AccessDialog({ action, name, perform, onClose }: Props) {
  const words = copy[action]
  return (
    <FormDialog<AccessOrder, 'email' | 'reason'>
      title={words.title}
      description={name}
      submitLabel={words.open}
      submitVariant={action === 'block' || action === 'reset_factor' ? 'destructive' : 'primary'}
      onClose={onClose}
      read={(fields) => readOrder(fields, action)}
      send={perform}
      success={() => null}
      failure={(error) => {
        const call = { name: 'access of a person', title: copy.failedTitle, refusals: staffRefusals }
        const refusal = refusalMessage(error, call)
        return { ...refusal, errors: { email: refusal.description } }
      }}
    >
      {(errors) => (
        <>
          <p className="text-sm text-muted">{words.about}</p>
          {action === 'block' && <ReasonField error={errors.reason} />}
          {action === 'block' && (
            <SelectField label={copy.block.duration} name="hours">
              {copy.block.durations.map(({ hours, words: duration }) => (
                <option key={duration} value={hours ?? ''}>
                  {duration}
                </option>
              ))}
            </SelectField>
          )}
          {action === 'change_email' && (
            <InputField
              label={copy.change_email.email}
              name="email"
              type="email"
              maxLength={emailLengthMax}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={errors.email}
              required
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function readOrder(fields: FormData, action: AskedAction): Reading<AccessOrder, 'email' | 'reason'> {
  if (action === 'change_email') {
    const email = textOf(fields, 'email')
    return readingOf(email === '' ? { email: copy.change_email.missing } : {}, { action, email })
  }
  if (action !== 'block') return { ok: true, value: { action } }
  const hours = textOf(fields, 'hours')
  const reason = textOf(fields, 'reason')
  return readingOf(reason === '' ? { reason: copy.block.missingReason } : {}, {
    action,
    // The select field offers only values of `BlockReason`.
    reason: reason as BlockReason,
    hours: hours === '' ? null : Number(hours),
  })
}

function ReasonField({ error }: { error: string | undefined }) {
  return (
    <SelectField
      label={copy.block.reason}
      name="reason"
      defaultValue=""
      hint={copy.block.reasonHint}
      error={error}
      required
    >
      <option value="">{copy.block.chooseReason}</option>
      {Object.entries(staffCopy.blockReasons).map(([reason, words]) => (
        <option key={reason} value={reason}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}
