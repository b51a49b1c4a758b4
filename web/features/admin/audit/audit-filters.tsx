import { useId, useMemo, useState } from 'react'
import { adminCopy } from '#features/admin/copy.ts'
import { fold } from '#format/text.ts'
import { lazyCode } from '#lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { saveFile } from '#ui/save-file.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { readAllEntries, type AuditFilter } from './audit.ts'

const { auditFilters: copy } = adminCopy

type Props = {
  filter: AuditFilter
  /** Whether the page shows only entries about one person. The filter then omits the field for this person. */
  isAboutOne: boolean
  isFiltered: boolean
  namesById: ReadonlyMap<string, string>
  onChange: (filter: Partial<AuditFilter>) => void
}

export function AuditFilters({ filter, isAboutOne, isFiltered, namesById, onChange }: Props) {
  const { person, actor, action, from, to } = filter
  const nothing = { actor: null, action: null, from: null, to: null, ...(!isAboutOne && { person: null }) }
  return (
    <search className="audit-filters">
      {!isAboutOne && (
        <PersonField
          label={copy.person}
          id={person}
          namesById={namesById}
          onChoose={(id) => onChange({ person: id })}
        />
      )}
      <PersonField
        label={copy.actor}
        id={actor}
        namesById={namesById}
        onChoose={(id) => onChange({ actor: id })}
      />
      <SelectField
        label={copy.action}
        className="audit-wide"
        value={action ?? ''}
        onChange={({ target }) => onChange({ action: target.value || null })}
      >
        <option value="">{copy.everyAction}</option>
        {Object.entries(adminCopy.auditActions).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SelectField>
      <InputField
        label={copy.from}
        type="date"
        value={from ?? ''}
        onChange={({ target }) => onChange({ from: target.value || null })}
      />
      <InputField
        label={copy.to}
        type="date"
        value={to ?? ''}
        onChange={({ target }) => onChange({ to: target.value || null })}
      />
      <div className="audit-wide flex gap-3">
        <FileButton filter={filter} namesById={namesById} />
        {isFiltered && (
          <Button variant="quiet" aria-label={copy.clear} onClick={() => onChange(nothing)}>
            {copy.clearShort}
          </Button>
        )}
      </div>
    </search>
  )
}

const fileWriter = lazyCode(() => import('./audit-csv.ts'), 'auditCsv')

/** Button that downloads all entries that match the filter. */
function FileButton({ filter, namesById }: Pick<Props, 'filter' | 'namesById'>) {
  const { isBusy, run } = useTask(() =>
    showFailure({ title: copy.fileFailed, description: copy.fileFailedText }),
  )
  const download = async () => {
    const [auditCsv, { entries, isCut }] = await Promise.all([fileWriter.load(), readAllEntries(filter)])
    saveFile(copy.fileName, new Blob([auditCsv(entries, namesById)], { type: 'text/csv;charset=utf-8' }))
    if (isCut) showToast({ title: copy.file, description: copy.fileCut(entries.length) })
  }
  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => run(download)}>
      {copy.file}
    </Button>
  )
}

/** Maximum number of people that the field suggests. */
const suggestedMax = 8

type PersonProps = {
  label: string
  id: string | null
  namesById: ReadonlyMap<string, string>
  onChoose: (id: string | null) => void
}

/** Input for a name. It suggests matching people while the user types. */
function PersonField({ label, id, namesById, onChoose }: PersonProps) {
  const listId = useId()
  const people = useMemo(() => distinctNames(namesById), [namesById])
  const chosen = id === null ? '' : (people.get(id) ?? adminCopy.goneUser(id))
  const [typed, setTyped] = useState(chosen)
  const [kept, setKept] = useState(chosen)
  if (kept !== chosen) {
    setKept(chosen)
    setTyped(chosen)
  }
  const wanted = fold(typed.trim())
  const suggested =
    wanted === '' || typed === chosen
      ? []
      : [...people].filter(([, name]) => fold(name).includes(wanted)).slice(0, suggestedMax)
  const type = (text: string) => {
    setTyped(text)
    if (text === '') onChoose(null)
    for (const [found, name] of people) if (name === text) onChoose(found)
  }
  return (
    <div>
      <InputField
        label={label}
        list={listId}
        autoComplete="off"
        placeholder={copy.everybody}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(chosen)}
      />
      <datalist id={listId}>
        {suggested.map(([found, name]) => (
          <option key={found} value={name} />
        ))}
      </datalist>
    </div>
  )
}

/** Appends the first characters of the id to each name that several people share. */
function distinctNames(namesById: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const name of namesById.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    [...namesById].map(([id, name]) => [
      id,
      (counts.get(name) ?? 0) > 1 ? `${name} (${id.slice(0, 8)})` : name,
    ]),
  )
}
