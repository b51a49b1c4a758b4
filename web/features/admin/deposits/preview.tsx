import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { formatDateTimeShort } from '#format/dates.ts'
import { useProof } from '#session/proof/use-proof.tsx'
import { InputField } from '#ui/form/field.tsx'
import { asLine } from '#ui/form/form.ts'
import type { ChosenFile } from '#upload/choose-card.tsx'
import { DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import { Question } from '#upload/named-lines.tsx'
import { Preview } from '#upload/preview.tsx'
import { isFaulty, type ColumnMapping } from '#features/admin/deposits/read/deposits-from-rows.ts'
import { orderBatch, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { EditTable } from './edit-table.tsx'
import { usePreview } from './use-preview.ts'

type Props = {
  sheet: ChosenFile<ColumnMapping>
  /** Label of the back button. Without a label, the button leads to the choice of another file. */
  back: string | undefined
  onAnother: () => void
  onSent: (batch: Batch) => void
}

/** Preview of a sheet that staff can then order as one batch. */
export function DepositsPreview({ sheet, back, onAnother, onSent }: Props) {
  const preview = usePreview(sheet)
  const { deposits, mapping, lines, twin, isAgain } = preview
  const [title, setTitle] = useState(sheet.name)
  const { proven, dialog } = useProof(copy.purpose)
  const faulty = lines?.filter(isFaulty) ?? []
  const isWithout = faulty.every(({ isOut }) => isOut)
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
        lookup={{ isDone: lines !== null && preview.findAgain === null, retry: preview.findAgain }}
        status={deposits.length === 0 ? copy.nothing : copy.ready(deposits.length)}
        broken={[]}
        hasLines={deposits.length > 0}
        isAnswered={isWithout && (twin === undefined || isAgain)}
        isComplete={preview.isComplete}
        lines={deposits}
        send={send}
        another={back}
        onAnother={onAnother}
      >
        {faulty.length > 0 && (
          <Question
            title={copy.broken(faulty.length)}
            choice={{
              label: copy.without,
              isChosen: isWithout,
              onChoose: (isOut) =>
                preview.edit(
                  faulty.map(({ line }) => line),
                  { isOut },
                ),
            }}
          />
        )}
        {twin !== undefined && (
          <Question
            title={copy.sentBefore(formatDateTimeShort(twin.created_at))}
            choice={{ label: copy.sendAgain, isChosen: isAgain, onChoose: preview.setIsAgain }}
          />
        )}
        {lines !== null && lines.length > 0 && (
          <EditTable
            title={copy.allLines(lines.length)}
            lines={lines}
            isSearching={preview.isSearching}
            onEdit={(line, edit) => preview.edit([line], edit)}
          />
        )}
      </Preview>
      {dialog}
    </>
  )
}

const titleLengthMax = 200
