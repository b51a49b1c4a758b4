// The rooms table as Markdown, and its place in ARCHITECTURE.md.
import { rooms } from './rooms.ts'

const markers = /(<!-- rooms -->\n)[\s\S]*?(<!-- \/rooms -->)/

/** The document with the table of today between its markers; throws when it has no markers. */
export function putRoomsTable(document: string): string {
  if (!markers.test(document))
    throw new Error('ARCHITECTURE.md needs <!-- rooms --> and <!-- /rooms -->, each on a line.')
  return document.replace(markers, (_, start: string, end: string) => `${start}${roomsTable()}\n${end}`)
}

function roomsTable(): string {
  const rows = rooms.map(({ folder, belongs, imports, never }) => {
    const others = imports.map((other) => `\`${other}\``).join(', ')
    return `| \`${folder}\` | ${belongs} | ${others === '' ? '–' : others} | ${never} |`
  })
  return ['| Room | Belongs here | May import | Must never be here |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}
