/** The keys of a list and their effects, shown only on the desktop. */
export function KeyHints({ keys }: { keys: readonly (readonly [key: string, effect: string])[] }) {
  return (
    <ul aria-hidden="true" className="users-keys">
      {keys.map(([key, effect]) => (
        <li key={key}>
          <kbd className="rounded-sm border border-control bg-sunken">{key}</kbd> {effect}
        </li>
      ))}
    </ul>
  )
}
