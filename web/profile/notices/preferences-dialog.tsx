import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { backendUrl, hasFeature } from '#api/configuration.ts'
import { forbiddenCode } from '#api/error-codes.ts'
import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { readAmount } from '#amounts/amounts.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { useUser } from '#people/session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormEnd } from '#ui/form/field.tsx'
import { readingOf, textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { notificationsCopy as copy } from './copy.ts'
import { preferencesQuery, savePreferences, type Kind, type Preferences } from './notifications.ts'

type Field = 'above' | 'below'

/**
 * Dialog in which the customer chooses the events that the bank reports. To switch off an event, the customer must
 * recently have entered the password or a mailed code.
 */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { id: userId } = useUser()
  const { data: chosen, isError, refetch } = useQuery(preferencesQuery(userId))
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  // Only our own server sends the mails. A hosted project does not run this server, and the project's origin differs
  // from the page's origin.
  const isMailed = backendUrl() === window.location.origin
  return (
    <>
      {/* The same dialog stays open while the preferences are read, so that the focus returns to the opening button. */}
      <Dialog title={copy.title} description={isMailed ? copy.text : copy.onlyHere} onClose={onClose}>
        {chosen !== undefined ? (
          <PreferencesForm userId={userId} chosen={chosen} proven={proven} onClose={onClose} />
        ) : (
          <div className="grid min-h-48 place-content-center">
            {isError ? (
              <RetryLine message={copy.failed} onRetry={() => void refetch()} />
            ) : (
              <Spinner label={copy.loading} />
            )}
          </div>
        )}
      </Dialog>
      {proof}
    </>
  )
}

type FormProps = {
  userId: string
  chosen: Preferences
  proven: ReturnType<typeof useProof>['proven']
  onClose: () => void
}

function PreferencesForm({ userId, chosen, proven, onClose }: FormProps) {
  const client = useQueryClient()
  const { errors, isRetry, isSending, onSubmit } = useSubmission<Preferences, Field>({
    read: readPreferences,
    send: (preferences) => proven(() => savePreferences(client, userId, preferences)),
    success: { title: copy.saved },
    failure: (error) =>
      refusalMessage(error, { name: 'notification preferences', title: copy.saveFailed, refusals }),
    // A late answer must not close a dialog that was opened in the meantime.
    onDone: (form) => form.isConnected && onClose(),
  })
  const [kinds, setKinds] = useState<readonly Kind[]>(chosen.kinds)
  const check = (kind: Kind) => (
    <KindRow
      kind={kind}
      isChosen={kinds.includes(kind)}
      onChoose={(isChosen) => setKinds(isChosen ? [...kinds, kind] : kinds.filter((each) => each !== kind))}
    />
  )
  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid min-w-0 gap-1">
        <legend className="sr-only">{copy.choices}</legend>
        <Group title={copy.groups.money}>
          {(hasFeature('transferencias') || chosen.kinds.includes('transfer')) && check('transfer')}
          {check('deposit')}
          {check('correction')}
          {check('statement')}
          {check('large_expense')}
          {kinds.includes('large_expense') && (
            <Threshold name="above" defaultMinor={chosen.aboveMinor} error={errors.above} />
          )}
          {check('low_balance')}
          {kinds.includes('low_balance') && (
            <Threshold name="below" defaultMinor={chosen.belowMinor} error={errors.below} />
          )}
        </Group>
        <Group title={copy.groups.budget}>{check('category_limit')}</Group>
        <Group title={copy.groups.security}>
          <Row hint={copy.alwaysHint} label={copy.always}>
            <input type="checkbox" checked disabled className="size-5 shrink-0" />
          </Row>
        </Group>
        <FormEnd error={errors.form} isRetry={isRetry} className="mt-3" isBusy={isSending}>
          {copy.save}
        </FormEnd>
      </fieldset>
    </form>
  )
}

type KindProps = { kind: Kind; isChosen: boolean; onChoose: (isChosen: boolean) => void }

function KindRow({ kind, isChosen, onChoose }: KindProps) {
  return (
    <Row label={copy.kinds[kind]}>
      <input
        type="checkbox"
        name="kind"
        value={kind}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
        className="size-5 shrink-0"
      />
    </Row>
  )
}

type ThresholdProps = { name: Field; defaultMinor: MinorUnits | null; error: string | undefined }

/** The amount above or below which the bank reports an event. */
function Threshold({ name, ...field }: ThresholdProps) {
  return (
    <div className="pl-8">
      <AmountField label={copy[name]} name={name} {...field} />
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="mt-2 text-sm font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

function Row({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="flex min-h-11 min-w-0 items-center gap-3">
      {children}
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}

function readPreferences(fields: FormData): Reading<Preferences, Field> {
  const kinds = fields.getAll('kind') as Kind[]
  const above = sumOf(textOf(fields, 'above'), kinds.includes('large_expense'))
  const below = sumOf(textOf(fields, 'below'), kinds.includes('low_balance'))
  return readingOf(
    {
      ...(above.error !== undefined && { above: above.error }),
      ...(below.error !== undefined && { below: below.error }),
    },
    { kinds, aboveMinor: above.minor, belowMinor: below.minor },
  )
}

/** Parses a typed amount. Returns `null` if the kind of notification is not chosen. */
function sumOf(typed: string, isChosen: boolean): { minor: MinorUnits | null; error?: string } {
  if (!isChosen) return { minor: null }
  const amount = readAmount(typed)
  return amount.ok ? { minor: amount.amountMinor } : { minor: null, error: amount.error }
}

const refusals: Refusals = {
  // This code means that the user closed the dialog that asks for the password.
  reauthentication_needed: copy.unproven,
  // On a hosted project, the user must sign in again instead, and the table API answers with PostgreSQL's code.
  [forbiddenCode]: copy.signInAgain,
  otherwise: copy.tryAgain,
}
