import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminHeading } from '#staff/admin-heading.tsx'
import { lazyCode, lazyComponent } from '#ui/lazy/lazy.ts'
import { useGo, useSearchParameters } from '#ui/address/address.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { acceptedSheets, ChooseCard, type ChosenFile } from '#uploads/choose-card.tsx'
import type { Upload } from '#uploads/read-table.ts'
import { onboardingCopy as copy } from './copy.ts'
import type { ColumnMapping } from './customers-from-rows.ts'
import { failedLinesQuery } from './onboarding.ts'

const preview = lazyComponent(() => import('./preview.tsx'), 'CustomersPreview')
const sheetReader = lazyCode(() => import('./customers-from-rows.ts'), 'readCustomerSheet')

/**
 * Page for opening many accounts with one file. The browser parses and shows the file, an administrator orders it as
 * one batch, and the database opens the accounts. If the URL contains a batch, the page shows the lines of this batch
 * that failed.
 */
export function OnboardingPage() {
  const go = useGo()
  const [address] = useSearchParameters()
  const [chosen, setChosen] = useState<ChosenFile<ColumnMapping> | null>(null)
  const batch = address.get('lote')
  const failed = useQuery(failedLinesQuery(batch))
  const sheet = batch === null ? chosen : failed.data
  const read = async (rows: Upload, sheet?: string) => {
    const [readSheet] = await Promise.all([sheetReader.load(), preview.load()])
    return readSheet(rows, sheet)
  }
  const begin = () => {
    setChosen(null)
    go('/admin/altas')
  }
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="users" />
      {sheet === null ? (
        <ChooseCard copy={copy} accept={acceptedSheets} read={read} onChosen={setChosen} />
      ) : sheet === undefined ? (
        failed.isError ? (
          <RetryLine message={copy.unread} onRetry={() => void failed.refetch()} />
        ) : (
          <Spinner />
        )
      ) : (
        <preview.Component key={sheet.key} sheet={sheet} onAnother={begin} />
      )}
    </>
  )
}
