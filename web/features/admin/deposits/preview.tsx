import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { formatDateTimeShort } from '#format/dates.ts'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useProof } from '#session/proof/use-proof.tsx'
import { InputField } from '#ui/form/field.tsx'
import { asLine } from '#ui/form/form.ts'
import type { ChosenFile } from '#upload/choose-card.tsx'
import { DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import { LineDetails, NamedLines, Question } from '#upload/named-lines.tsx'
import { Preview } from '#upload/preview.tsx'
import type { ColumnMapping, Found, Sorted } from '#features/admin/deposits/read/deposits-from-rows.ts'
import { orderBatch, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { usePreview, type Consent } from './use-preview.ts'

type Props = { sheet: ChosenFile<ColumnMapping>; onAnother: () => void; onSent: (batch: Batch) => void }

/** Preview of a sheet before it is ordered as one batch. */
export function DepositsPreview({ sheet, onAnother, onSent }: Props) {
  const preview = usePreview(sheet)
  const { deposits, mapping, broken, sorted, twin, consent } = preview
  const [title, setTitle] = useState(sheet.name)
  const { proven, dialog } = useProof(copy.purpose)
  const choice = (what: keyof Consent, label: string) => ({
    label,
    isChosen: consent[what],
    onChoose: (isGiven: boolean) => preview.consentTo(what, isGiven),
  })
  const send = async (id: string) => {
    const name = [...(asLine(title) || asLine(sheet.name))].slice(0, titleLengthMax).join('')
    onSent(await proven(() => orderBatch({ id, title: name, deposits })))
  }
  return (
    <>
      <Preview
        title={sheet.name}
        copy={copy}
        fields={(isBusy) => (
          <>
            <InputField
              label={copy.title}
              value={title}
              maxLength={titleLengthMax}
              disabled={isBusy}
              onChange={({ target }) => setTitle(target.value)}
            />
            <MappingDetails
              table={sheet.table}
              roles={copy.roles}
              mapping={mapping}
              onChoose={(role, place) => preview.setMapping({ ...mapping, [role]: place })}
              missing={preview.isMapped ? null : copy.missing}
            >
              <DecimalField
                value={mapping.decimal}
                onChange={(decimal) => preview.setMapping({ ...mapping, decimal })}
              />
              <InputField
                label={copy.common}
                value={preview.common}
                maxLength={descriptionLengthMax}
                onChange={({ target }) => preview.setCommon(target.value)}
              />
            </MappingDetails>
          </>
        )}
        lookup={{ isDone: sorted !== null, retry: preview.findAgain }}
        status={deposits.length === 0 ? copy.nothing : copy.ready(deposits.length)}
        broken={broken}
        leftOut={{
          title: copy.unknown(sorted?.unknown.length ?? 0),
          lines: sorted?.unknown.map(({ line, customer }) => ({ line, words: customer })) ?? [],
        }}
        hasLines={deposits.length > 0}
        isAnswered={twin === undefined || consent.again}
        isComplete={preview.isComplete}
        lines={deposits}
        send={send}
        onAnother={onAnother}
      >
        {sorted !== null && <Doubts sorted={sorted} choice={choice} />}
        {twin !== undefined && (
          <Question
            title={copy.sentBefore(formatDateTimeShort(twin.created_at))}
            choice={choice('again', copy.sendAgain)}
          />
        )}
        <LineDetails title={copy.showAll(deposits.length)} lines={deposits}>
          {({ line, person, description, amountMinor }) => (
            <li key={line} className="flex justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">
                {nameOf(person)} <span className="text-muted">{description}</span>
              </span>
              <MoneyText className="figures">{displayedMinor(amountMinor)}</MoneyText>
            </li>
          )}
        </LineDetails>
      </Preview>
      {dialog}
    </>
  )
}

const titleLengthMax = 200

type Choice = (what: keyof Consent, label: string) => Parameters<typeof Question>[0]['choice']

/** Lines that are sent only if the user confirms them. */
function Doubts({ sorted: { blocked, twins }, choice }: { sorted: Sorted; choice: Choice }) {
  return (
    <>
      <NamedLines
        title={copy.blocked(blocked.length)}
        lines={blocked.map(({ line, person }) => ({ line, words: nameOf(person), text: copy.blockedWhy }))}
        choice={choice('blocked', copy.withBlocked)}
      />
      <NamedLines
        title={copy.twins(twins.length)}
        lines={twins.map(({ line, person, first }) => ({
          line,
          words: nameOf(person),
          text: copy.twinOf(first),
        }))}
        choice={choice('twins', copy.withTwins)}
      />
    </>
  )
}

function nameOf({ full_name, email }: Found['person']): string {
  const name = full_name?.trim() ?? ''
  return name === '' ? email : `${name} (${email})`
}
