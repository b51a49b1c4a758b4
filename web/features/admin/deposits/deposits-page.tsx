import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo, useSearchParameters } from '#ui/address/address.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { OpenBatch } from './batch-card.tsx'
import { batchQuery, batchesQuery, type Batch } from './batches.ts'
import { ChooseCard, type ChosenSheet } from './choose-card.tsx'
import { batchCopy as copy } from './copy.ts'
import { PastBatches } from './past-batches.tsx'
import { Preview } from './preview.tsx'

/** Deposits for many customers from a file or a sheet: read here, looked at, ordered as a whole, then posted piece by piece. */
export function DepositsPage() {
  const client = useQueryClient()
  const go = useGo()
  const [address] = useSearchParameters()
  const [sheet, setSheet] = useState<ChosenSheet | null>(null)
  const [sent, setSent] = useState('')
  // In the address: a page that is loaded again shows the batch, and how to go on with it.
  const id = address.get('lote')
  const begin = () => {
    setSheet(null)
    go('/admin/abonos')
  }
  const show = (batch: Batch) => {
    client.setQueryData(batchQuery(batch.id).queryKey, batch)
    void client.invalidateQueries({ queryKey: batchesQuery.queryKey, exact: true })
    setSent(batch.id)
    setSheet(null)
    go(`/admin/abonos?lote=${batch.id}`)
  }
  return (
    <>
      <PageHeading
        documentTitle={copy.documentTitle}
        heading={copy.heading}
        back={{ to: '/admin', label: copy.back }}
      />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {id !== null ? (
          <OpenBatch key={id} id={id} beginsAtOnce={id === sent} onAnother={begin} />
        ) : sheet === null ? (
          <ChooseCard onChosen={setSheet} />
        ) : (
          <Preview key={sheet.key} sheet={sheet} onAnother={begin} onSent={show} />
        )}
        <PastBatches shown={id} />
      </div>
    </>
  )
}
