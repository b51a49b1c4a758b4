import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import type { Batch } from '#staff/batches/batches.ts'
import { SheetPreview } from '#staff/batches/sheet-preview.tsx'
import { InputField } from '#ui/form/field.tsx'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { depositsCopy as copy } from './copy.ts'
import { orderBatch } from './deposits.ts'
import { isFaulty, type ColumnMapping } from './deposits-from-rows.ts'
import { EditTable } from './edit-table.tsx'
import { useDeposits } from './use-deposits.ts'

type Props = {
  sheet: ChosenFile<ColumnMapping>
  /** Label of the back button. Without a label, the button leads to the choice of another file. */
  back: string | undefined
  onAnother: () => void
  onSent: (batch: Batch) => void
}

/** Preview of a table of deposits before staff order them. */
export function DepositsPreview({ sheet, back, onAnother, onSent }: Props) {
  const { state, common, setCommon, isMapped, lookup, isSearching, lines, deposits } = useDeposits(sheet)
  return (
    <SheetPreview
      sheet={sheet}
      copy={copy}
      state={state}
      isMapped={isMapped}
      isComplete={common.trim() !== ''}
      fields={
        <InputField
          label={copy.common}
          value={common}
          maxLength={descriptionLengthMax}
          onChange={({ target }) => setCommon(target.value)}
        />
      }
      lookup={lookup}
      faulty={lines.filter(isFaulty)}
      isTwin={({ reversed_at }) => reversed_at === null}
      lines={deposits}
      order={({ id, title }) => orderBatch({ id, title, deposits })}
      another={back}
      onAnother={onAnother}
      onSent={onSent}
    >
      {lines.length > 0 && (
        <EditTable
          title={copy.allLines(lines.length)}
          lines={lines}
          isSearching={isSearching}
          onEdit={(line, edit) => state.edit([line], edit)}
        />
      )}
    </SheetPreview>
  )
}
