import type { ReactNode } from 'react'
import { uploadCopy as copy } from './copy.ts'

/** Maximum number of lines that a list shows. For any further lines, the list shows only their count. */
const shownMax = 100

export type NamedLine = { readonly line: number; readonly words: string; readonly text?: string }

type Choice = { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }

type Props = {
  title: string
  lines: readonly NamedLine[]
  /** The decision that the user must make before the file can be sent. */
  choice?: Choice | undefined
}

/** Lists lines of a file with their numbers and errors. Renders nothing if the list is empty. */
export function NamedLines({ title, lines, choice }: Props) {
  if (lines.length === 0) return null
  return (
    <Question title={title} choice={choice}>
      <ShownLines lines={lines}>
        {({ line, words, text }) => (
          <li key={line} className="wrap-anywhere">
            {copy.atLine(line, words)} {text !== undefined && <span className="text-muted">{text}</span>}
          </li>
        )}
      </ShownLines>
    </Question>
  )
}

type QuestionProps = Pick<Props, 'title' | 'choice'> & { children?: ReactNode }

export function Question({ title, choice, children }: QuestionProps) {
  return (
    <div className="file-broken">
      <p className="font-semibold text-danger">{title}</p>
      {children}
      {choice !== undefined && <Checkbox {...choice} />}
    </div>
  )
}

function Checkbox({ label, isChosen, onChoose }: Choice) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
      {label}
    </label>
  )
}

type DetailsProps<Line> = {
  title: string
  lines: readonly Line[]
  /** Renders a list item. */
  children: (line: Line) => ReactNode
}

/** Collapsed list of lines, which the user can expand. Renders nothing if the list is empty. */
export function LineDetails<Line>({ title, lines, children }: DetailsProps<Line>) {
  if (lines.length === 0) return null
  return (
    <details className="file-details">
      <summary>{title}</summary>
      <ShownLines lines={lines}>{children}</ShownLines>
    </details>
  )
}

function ShownLines<Line>({ lines, children }: Pick<DetailsProps<Line>, 'lines' | 'children'>) {
  return (
    <ul className="grid gap-2 py-2 text-sm">
      {lines.slice(0, shownMax).map(children)}
      {lines.length > shownMax && <li className="text-muted">{copy.moreLines(lines.length - shownMax)}</li>}
    </ul>
  )
}
