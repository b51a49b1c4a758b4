const petals = Array.from({ length: 8 }, (_, petal) => petal * 45)

/** The brand mark: a rosette of eight rings around a brass point. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`shrink-0 ${className ?? 'size-8'}`}>
      <rect width="32" height="32" rx="8" className="fill-vault" />
      <g className="fill-none stroke-on-vault" strokeWidth="1">
        {petals.map((degrees) => (
          <circle key={degrees} cx="16" cy="10.6" r="5.2" transform={`rotate(${degrees} 16 16)`} />
        ))}
      </g>
      <circle cx="16" cy="16" r="2.4" className="fill-brass-bright" />
    </svg>
  )
}
