import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '#session/session.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { DoneCard } from './done-card.tsx'
import { FileCard, type ChosenFile } from './file-card.tsx'
import { importCopy } from './copy.ts'
import { importsQuery, type PastImport } from './imports.ts'
import { PastImports } from './past-imports.tsx'
import { Preview } from './preview.tsx'
import './import.css'

/** A customer's own expenses from a file of another bank: read here, looked at, then recorded as a whole. */
export function ImportPage() {
  const user = useUser()
  const client = useQueryClient()
  const [file, setFile] = useState<ChosenFile | null>(null)
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
          <FileCard onChosen={setFile} />
        ) : (
          <Preview
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
