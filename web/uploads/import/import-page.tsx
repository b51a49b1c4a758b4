import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { configuration } from '#api/configuration.ts'
import { useUser } from '#people/session/session.ts'
import { lazyCode, lazyComponent } from '#ui/lazy/lazy.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { acceptedSheets, ChooseCard, type ChosenFile } from '#uploads/choose-card.tsx'
import type { Upload } from '#uploads/read-table.ts'
import { expenseDays } from '#money/expense/expense-days.ts'
import type { BankTable } from '#uploads/import/read/judge/headings.ts'
import { importCopy } from './copy.ts'
import { importsQuery, type PastImport } from './imports.ts'
import { DoneCard, PastImports } from './past-imports.tsx'
import './import.css'

/**
 * Imports the customer's own expenses from another bank's file. The browser parses the file and shows a preview. The
 * database then records all expenses or none.
 */
export function ImportPage() {
  const user = useUser()
  const client = useQueryClient()
  const [file, setFile] = useState<ChosenFile<BankTable> | null>(null)
  const [done, setDone] = useState<PastImport | null>(null)
  const begin = () => {
    setFile(null)
    setDone(null)
  }
  return (
    <>
      <PageHeading
        documentTitle={importCopy.documentTitle}
        heading={importCopy.heading}
        back={{ to: '/transacciones', label: importCopy.back }}
      />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {done !== null ? (
          <DoneCard imported={done} onAnother={begin} />
        ) : file === null ? (
          <ChooseCard copy={importCopy} accept={accepted} read={readFile} onChosen={setFile} />
        ) : (
          <preview.Component
            key={file.key}
            file={file}
            onAnother={begin}
            onDone={(imported) => {
              setDone(imported)
              void client.invalidateQueries(importsQuery(user.id))
            }}
          />
        )}
        <PastImports />
      </div>
    </>
  )
}

const accepted = `${acceptedSheets},.ofx,.qfx,.qbo,.qif,.mt940,.940,.sta,.n43,.q43,.aeb,.csb`

const preview = lazyComponent(() => import('./preview.tsx'), 'ImportPreview')
const fileReader = lazyCode(() => import('#uploads/import/read/read-file.ts'), 'readFile')

async function readFile(bytes: Upload, sheet?: string) {
  const currency = configuration().displayCurrency
  const [readBytes] = await Promise.all([fileReader.load(), preview.load()])
  const read = await readBytes(bytes, { currency, last: expenseDays().last, sheet })
  if (read.ok || read.reason !== 'currency') return read
  return importCopy.refusals.currency(read.currencies, currency)
}
