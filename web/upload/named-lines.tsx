import { uploadCopy as copy } from './copy.ts'

/** Lines that a list names; of the others it says how many. */
export const namedMax = 100

export type NamedLine = { readonly line: number; readonly words: string; readonly text?: string }

type Props = {
  title: string
  lines: readonly NamedLine[]
  /** The decision that a person must make before anything is recorded. */
  choice?: { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => void } | undefined
}

/** Lines of a file by number, with what is wrong with them. Renders nothing for an empty list. */
export function NamedLines({ title, lines, choice }: Props) {
  if (lines.length === 0) return null
  return (
    <div className="file-broken">
      <p className="font-semibold text-danger">{title}</p>
      <ul className="file-lines">
        {lines.slice(0, namedMax).map(({ line, words, text }) => (
          <li key={line} className="wrap-anywhere">
            {copy.atLine(line, words)} {text !== undefined && <span className="text-muted">{text}</span>}
          </li>
        ))}
        <MoreLines count={lines.length - namedMax} />
      </ul>
      {choice !== undefined && (
        <label className="file-accept">
          <input
            type="checkbox"
            checked={choice.isChosen}
            onChange={({ target }) => choice.onChoose(target.checked)}
          />
          {choice.label}
        </label>
      )}
    </div>
  )
}

export function MoreLines({ count }: { count: number }) {
  return count > 0 ? <li className="text-muted">{copy.moreLines(count)}</li> : null
}
