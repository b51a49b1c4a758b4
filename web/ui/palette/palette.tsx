import type { KeyboardEvent, ReactNode } from 'react'
import { useGo } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { handleListKey, useOpenFirst } from './list-keys.ts'
import './palette.css'

/** A search result: a link to a page. */
export type Found = {
  id: string
  to: string
  title: string
  detail?: string
  /** An amount beside the title. */
  money?: ReactNode
}

export type FoundGroup<Item extends Found> = { title: string; items: readonly Item[] }

type Props<Item extends Found> = {
  title: string
  /** Name of the search field, which says what can be found. */
  hint: string
  typed: string
  onType: (typed: string) => void
  /** A sentence about the state of the search. */
  status: string
  groups: readonly FoundGroup<Item>[]
  /** Whether the results belong to the typed text. */
  isCurrent: boolean
  /** A sentence about further keys. */
  keys?: string
  onItemKey?: (event: KeyboardEvent, item: Item) => void
  onClose: () => void
}

/**
 * Dialog that Ctrl+K opens: a search field with its results below. Enter in the field opens the first result, and the
 * arrow keys move between the results.
 */
export function Palette<Item extends Found>({
  title,
  hint,
  typed,
  onType,
  status,
  groups,
  isCurrent,
  keys,
  onItemKey,
  onClose,
}: Props<Item>) {
  const go = useGo()
  const [first] = groups.flatMap(({ items }) => items)
  const openFirst = useOpenFirst(first, isCurrent, ({ to }) => {
    onClose()
    go(to)
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="palette" onKeyDown={(event) => handleListKey(event, openFirst)}>
        <SearchField label={hint} placeholder={hint} value={typed} onChange={onType} />
        <p role="status" className="text-sm text-muted">
          {status}
        </p>
        {groups
          .filter(({ items }) => items.length > 0)
          .map((group) => (
            <section key={group.title} aria-label={group.title}>
              <h3 className="text-xs font-medium text-muted">{group.title}</h3>
              <ul>
                {group.items.map((item) => (
                  <li key={item.id}>
                    <Link
                      to={item.to}
                      data-item=""
                      data-first-result={(isCurrent && item === first) || undefined}
                      className="palette-result rounded-md"
                      onClick={onClose}
                      onKeyDown={(event) => onItemKey?.(event, item)}
                    >
                      <span className="truncate font-medium">{item.title}</span>
                      <span className="text-right">{item.money}</span>
                      {item.detail !== undefined && (
                        <span className="col-span-full truncate text-sm text-muted">{item.detail}</span>
                      )}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        {keys !== undefined && <p className="palette-keys text-xs text-muted">{keys}</p>}
      </div>
    </Dialog>
  )
}
