import { refusalMessage } from '#backend/errors.ts'
import { formatDateTimeShort } from '#format/dates.ts'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useContentId } from '#upload/content-id.ts'
import { uploadCopy } from '#upload/copy.ts'
import { lineFaults } from '#upload/line-faults.ts'
import { MoreLines, NamedLines, namedMax, type NamedLine } from '#upload/named-lines.tsx'
import { useProof } from '#session/proof/use-proof.tsx'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { InputField } from '#ui/form/field.tsx'
import { asLine } from '#ui/form/form.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { orderBatch, type Batch } from './batches.ts'
import type { ChosenSheet } from './choose-card.tsx'
import { batchCopy as copy } from './copy.ts'
import { MappingFields } from './mapping-fields.tsx'
import type { Found } from '#features/admin/deposits/read/deposits-from-rows.ts'
import { usePreview } from './use-preview.ts'

type Props = { sheet: ChosenSheet; onAnother: () => void; onSent: (batch: Batch) => void }

/** A sheet before it is sent: its column mapping, its faults, and one button with the sum. */
export function Preview({ sheet, onAnother, onSent }: Props) {
  const preview = usePreview(sheet)
  const { deposits, amountMinor, mapping, sorted } = preview
  const [title, setTitle] = useState(sheet.name)
  const { isBusy, refused, send, dialog } = useSending(asLine(title) || asLine(sheet.name), onSent)
  return (
    <Card
      title={sheet.name}
      action={
        <Button variant="quiet" size="small" className="-mr-3" disabled={isBusy} onClick={onAnother}>
          {uploadCopy.another}
        </Button>
      }
    >
      <div className="file-parts">
        <InputField
          label={copy.title}
          value={title}
          maxLength={200}
          disabled={isBusy}
          onChange={({ target }) => setTitle(target.value)}
        />
        <MappingFields
          table={sheet.table}
          mapping={mapping}
          onChange={preview.setLayout}
          common={preview.common}
          onCommon={preview.setCommon}
        />
        {sorted !== null ? (
          <>
            <p role="status" className="font-semibold">
              {deposits.length === 0 ? copy.nothing : copy.ready(deposits.length)}
            </p>
            <Doubts preview={preview} />
            <DepositList deposits={deposits} />
          </>
        ) : preview.findAgain === null ? (
          <p className="flex items-center gap-3 text-sm text-muted">
            <Spinner size="small" />
            <span role="status">{copy.finding}</span>
          </p>
        ) : (
          <RetryLine message={copy.unfound} onRetry={preview.findAgain} />
        )}
        <NamedLines title={copy.refused} lines={refused} />
      </div>
      {deposits.length > 0 && (
        <footer className="file-foot">
          {!preview.isAnswered && <p>{copy.answerFirst}</p>}
          <Button disabled={!preview.isReady} isBusy={isBusy} onClick={() => send(deposits)}>
            {isBusy ? (
              <span role="status">{copy.sending}</span>
            ) : (
              <span>
                {copy.send(deposits.length)}
                <MoneyText>{displayedMinor(amountMinor)}</MoneyText>
              </span>
            )}
          </Button>
        </footer>
      )}
      {dialog}
    </Card>
  )
}

/** Lines to look at: those left out, and those sent only after a confirmation. */
function Doubts({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const { broken, sorted, consent, consentTo, twin, deposits } = preview
  if (sorted === null) return null
  const { unknown, blocked, twins } = sorted
  const without =
    deposits.length === 0
      ? undefined
      : {
          label: copy.without,
          isChosen: consent.without,
          onChoose: (isChosen: boolean) => consentTo('without', isChosen),
        }
  return (
    <>
      <NamedLines
        title={copy.broken(broken.length)}
        lines={broken.map(({ line, fault, text }) => ({ line, words: copy.faults[fault], text }))}
        choice={without}
      />
      <NamedLines
        title={copy.unknown(unknown.length)}
        lines={unknown.map(({ line, customer }) => ({ line, words: customer }))}
        // One answer for both lists.
        choice={broken.length > 0 ? undefined : without}
      />
      <NamedLines
        title={copy.blocked(blocked.length)}
        lines={blocked.map(({ line, person }) => ({ line, words: nameOf(person), text: copy.blockedWhy }))}
        choice={{
          label: copy.withBlocked,
          isChosen: consent.blocked,
          onChoose: (isChosen) => consentTo('blocked', isChosen),
        }}
      />
      <NamedLines
        title={copy.twins(twins.length)}
        lines={twins.map(({ line, person, first }) => ({
          line,
          words: nameOf(person),
          text: copy.twinOf(first),
        }))}
        choice={{
          label: copy.withTwins,
          isChosen: consent.twins,
          onChoose: (isChosen) => consentTo('twins', isChosen),
        }}
      />
      {twin !== undefined && (
        <div className="file-broken">
          <p className="font-semibold text-danger">{copy.sentBefore(formatDateTimeShort(twin.created_at))}</p>
          <label className="file-accept">
            <input
              type="checkbox"
              checked={consent.again}
              onChange={({ target }) => consentTo('again', target.checked)}
            />
            {copy.sendAgain}
          </label>
        </div>
      )}
    </>
  )
}

function DepositList({ deposits }: { deposits: readonly Found[] }) {
  if (deposits.length === 0) return null
  return (
    <details className="file-details">
      <summary>{copy.showAll(deposits.length)}</summary>
      <ul className="file-lines">
        {deposits.slice(0, namedMax).map(({ line, person, description, amountMinor }) => (
          <li key={line} className="flex justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">
              {nameOf(person)} <span className="text-muted">{description}</span>
            </span>
            <MoneyText className="figures">{displayedMinor(amountMinor)}</MoneyText>
          </li>
        ))}
        <MoreLines count={deposits.length - namedMax} />
      </ul>
    </details>
  )
}

function nameOf({ full_name, email }: Found['person']): string {
  const name = full_name?.trim() ?? ''
  return name === '' ? email : `${name} (${email})`
}

/** Orders the deposits as one batch. The same ones have the same id, however often they are sent. */
function useSending(title: string, onSent: (batch: Batch) => void) {
  const idOf = useContentId()
  const [refused, setRefused] = useState<readonly NamedLine[]>([])
  const { proven, dialog } = useProof(copy.purpose)
  const { isBusy, run } = useTask((error) => {
    setRefused(lineFaults(error).map(({ line, message }) => ({ line, words: message })))
    showFailure({ title: copy.failedTitle, description: refusalMessage(error, copy.failedText) })
  })
  const send = (deposits: readonly Found[]) =>
    run(async () => {
      setRefused([])
      const order = { id: idOf(deposits), title: [...title].slice(0, 200).join(''), deposits }
      onSent(await proven(() => orderBatch(order)))
    })
  return { isBusy, refused, send, dialog }
}
