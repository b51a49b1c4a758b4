/** The keys of a list and their effects, shown only on the desktop. */
export function KeyHints({ keys }: { keys: readonly (readonly [key: string, effect: string])[] }) {
  return (
    <ul aria-hidden="true" className="hidden gap-5 lg:flex">
      {keys.map(([key, effect]) => (
        <li key={key}>
          <kbd className="rounded-sm border border-control bg-sunken px-1.5 py-0.5 font-sans">{key}</kbd>{' '}
          {effect}
        </li>
      ))}
    </ul>
  )
}
