import { Bell, ChevronRight, LockKeyhole, UserRound, type LucideIcon } from 'lucide-react'
import { announceNotImplemented } from '#ledger/not-implemented.ts'
import { Card } from '#ui/card.tsx'
import { profileCopy } from './copy.ts'

type Row = { title: string; text: string; icon: LucideIcon; onClick: () => void }

export function SettingsCard({ onEditPersonal }: { onEditPersonal: () => void }) {
  const rows: readonly Row[] = [
    { ...profileCopy.personal, icon: UserRound, onClick: onEditPersonal },
    { ...profileCopy.security, icon: LockKeyhole, onClick: announceNotImplemented },
    { ...profileCopy.notifications, icon: Bell, onClick: announceNotImplemented },
  ]
  return (
    <Card title={profileCopy.settingsTitle}>
      <ul className="divide-y divide-line">
        {rows.map(({ title, text, icon: Icon, onClick }) => (
          <li key={title}>
            <button
              type="button"
              onClick={onClick}
              className="flex min-h-18 w-full items-center gap-4 px-4 py-3 text-left transition-colors last:rounded-b-lg hover:bg-sunken sm:px-6"
            >
              <Icon aria-hidden="true" className="size-5 text-primary" strokeWidth={1.75} />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{title}</span>
                <span className="block text-sm text-muted">{text}</span>
              </span>
              <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
