import { CountedLink } from '#navigation/counted-link.tsx'
import { useCurrentInView } from '#ui/use-current-in-view.ts'

type Section = {
  readonly section: string
  readonly to: string
  readonly label: string
  /** The page whose news the link counts. */
  readonly news?: string
}

/**
 * Links to the sections of a page. The URL contains the section, so that the same section is shown after a reload or a
 * step back.
 */
export function SectionLinks({
  label,
  sections,
  shown,
  className,
}: {
  label: string
  sections: readonly Section[]
  shown: string
  /** CSS classes, for example for margins. */
  className: string
}) {
  const row = useCurrentInView<HTMLElement>('[aria-current]', shown)
  return (
    <nav ref={row} aria-label={label} className={`flex flex-wrap gap-1 ${className}`}>
      {sections.map(({ section, to, label: name, news = '' }) => (
        <CountedLink
          key={section}
          to={to}
          page={news}
          aria-current={section === shown ? 'page' : undefined}
          className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium text-muted transition-colors hover:text-ink aria-[current=page]:border-b-brass aria-[current=page]:text-ink"
        >
          {name}
        </CountedLink>
      ))}
    </nav>
  )
}
