import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'

/** A `<details>` whose content mounts and fetches when it is first opened. */
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
