import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'

/** Renders a `<details>` element whose content is mounted and fetches its data only when the user first opens it. */
export function LazyDetails({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 items-center justify-between gap-4 rounded-md text-sm font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown
          aria-hidden="true"
          className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      {isOpen && children}
    </details>
  )
}
