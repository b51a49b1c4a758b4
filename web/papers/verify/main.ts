/**
 * The public page `/verificar` verifies, without an account, whether the bank signed a statement or a receipt
 * (docs/decisions/0074). The page is separate from the application, because the application shows the login to a
 * signed-out user at every path.
 */
import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import { readStatementKeys, statementKeysPath } from '@finanzas/contract/papers/signature.ts'
import { verifyCopy as copy } from './copy.ts'
import { type Verdict, refused, verdictOf } from './verdict.ts'
import './verify.css'

/** Maximum size of a file, which is enough for the PDF of a statement with about 40,000 rows. */
const fileBytesMax = 40 * 1024 * 1024

const input = make('input', {
  type: 'file',
  accept: '.pdf,.csv,application/pdf,text/csv',
  className: 'hidden-input',
})
const words = make('span', { className: 'choose', textContent: copy.choose })
const drop = make('label', { className: 'drop' }, [
  make('span', {}, [words, make('span', { className: 'pointer', textContent: ` ${copy.orDrop}` })]),
  make('span', { className: 'muted', textContent: copy.formats }),
  input,
])
const result = make('div', { role: 'status' })
const brandName = make('span', { translate: false })
const brand = make('a', { href: '/', className: 'brand' }, [
  make('img', { src: '/favicon.svg', alt: '' }),
  brandName,
])

document
  .querySelector('#verify')
  ?.append(
    brand,
    make('h1', { textContent: copy.heading }),
    make('p', { textContent: copy.about }),
    drop,
    result,
    make('p', { className: 'muted', textContent: copy.address(window.location.host) }),
    make('a', { href: '/login', className: 'login', textContent: copy.login }),
  )
void readBrand().then(
  (name) => {
    brandName.textContent = name
    document.title = copy.documentTitle(name)
  },
  () => {},
)

input.addEventListener('change', () => {
  void take(input.files)
})
for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'] as const)
  drop.addEventListener(type, (event) => {
    event.preventDefault()
    drop.toggleAttribute('data-over', type.startsWith('dragenter') || type === 'dragover')
    if (type === 'drop') void take(event.dataTransfer?.files ?? null)
  })

/** Number of the file that was chosen last. The verdict about an earlier file is not shown. */
let latest = 0

async function take(files: FileList | null): Promise<void> {
  const [file] = files ?? []
  if (file === undefined) return
  const turn = (latest += 1)
  show(null)
  const verdict = await verdictAbout(file)
  if (turn !== latest) return
  show(verdict)
  // Without this reset, the user could not correct a file and choose it again.
  input.value = ''
}

async function verdictAbout(file: File): Promise<Verdict> {
  if (!isSecureContext) return refused(copy.insecure)
  if (file.size > fileBytesMax) return refused(copy.tooLarge)
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    return await verdictOf(bytes, { readBankName: readBrand, readKeys })
  } catch {
    return refused(copy.failed)
  }
}

function show(verdict: Verdict | null): void {
  if (verdict === null) return result.replaceChildren(make('p', { textContent: copy.reading }))
  const { holds, sentences, facts } = verdict
  const [first, ...others] = sentences
  result.replaceChildren(
    make('p', { className: holds ? 'verdict holds' : 'verdict refused', textContent: first ?? '' }),
    make(
      'dl',
      {},
      facts.map(([label, value]) =>
        make('div', {}, [make('dt', { textContent: label }), make('dd', { textContent: value })]),
      ),
    ),
    ...others.map((sentence) => make('p', { className: 'muted', textContent: sentence })),
  )
}

async function readBrand(): Promise<string> {
  const { brandName } = (await readJson('/config.json')) as PageConfiguration
  return brandName
}

async function readKeys() {
  const keys = readStatementKeys(await readJson(statementKeysPath))
  if (keys === null) throw new Error('The bank publishes no keys.')
  return keys
}

async function readJson(path: string): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-cache', credentials: 'omit' })
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}.`)
  return response.json()
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
