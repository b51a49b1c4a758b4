import { FileUp } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { Spinner } from '#ui/spinner.tsx'
import { uploadCopy as copy } from './copy.ts'
import './upload.css'

type Props = {
  /** The accepted file types, as text for the user and as the input element's `accept` attribute. */
  formats: string
  accept: string
  isBusy: boolean
  onFile: (file: File) => void
}

/** Area in which the user can choose or drop a file. */
export function FileDrop({ formats, accept, isBusy, onFile }: Props) {
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file !== undefined) onFile(file)
  }
  const drag = (event: DragEvent, over: boolean) => {
    event.preventDefault()
    setIsOver(over)
  }
  return (
    <label
      className="file-drop"
      data-over={isOver || undefined}
      onDragEnter={(event) => drag(event, true)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        take(event.dataTransfer.files)
      }}
    >
      {isBusy ? (
        <Spinner label={copy.reading} />
      ) : (
        <FileUp aria-hidden="true" className="size-6 text-primary" strokeWidth={1.75} />
      )}
      <span>
        <span className="font-semibold text-primary">{copy.choose}</span>{' '}
        <span className="file-pointer text-muted">{copy.orDrop}</span>
      </span>
      <span className="text-sm text-balance text-muted">{formats}</span>
      <input
        type="file"
        accept={accept}
        className="sr-only"
        disabled={isBusy}
        onChange={({ target }) => {
          take(target.files)
          // Without this reset, the user could not correct a file and choose it again.
          target.value = ''
        }}
      />
    </label>
  )
}
