import { Link } from '#ui/address/link.tsx'

type Section = { readonly section: string; readonly to: string; readonly label: string }

/** Links to the sections of a page. The address contains the section, so that a reload or a step back keeps it. */
export function SectionLinks({
  label,
  sections,
  shown,
  className,
}: {
  label: string
  sections: readonly Section[]
  shown: string
  /** Classes for the margins. */
  className: string
}) {
  return (
    <nav aria-label={label} className={`flex flex-wrap gap-1 ${className}`}>
      {sections.map(({ section, to, label: name }) => (
        <Link
          key={section}
          to={to}
          aria-current={section === shown ? 'page' : undefined}
          className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium text-muted transition-colors hover:text-ink aria-[current=page]:border-b-brass aria-[current=page]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
