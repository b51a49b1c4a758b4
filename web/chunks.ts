/**
 * The chunks of the page's scripts. With these chunks, a page loads only a few scripts: the login, the client, the code
 * shared by pages before and after the login, and the page's own code. Without them, the build would have about thirty
 * small chunks.
 */

/** A chunk of the modules whose path contains one of the texts `of` and none of the texts `except`. */
type Chunk = {
  readonly name: string
  readonly of: readonly string[]
  readonly except?: readonly string[]
  readonly minShareCount?: number
  readonly priority?: number
}

const beneath = (folder: string, ...paths: string[]) => paths.map((path) => `${folder}${path}`)
const infiniteQueries = ['nfiniteQuery.', 'nfiniteQueryObserver.']

export const chunks: readonly Chunk[] = [
  { name: 'supabase', of: ['node_modules/@supabase/', '/unused-client-parts.ts'] },
  // React's chunk rarely changes between releases, and browsers can therefore keep it cached. The chunk also runs
  // separately from the entry script.
  { name: 'react-dom', of: ['node_modules/react-dom/', 'node_modules/scheduler/'], priority: 3 },
  {
    // The early chunk loads and runs in parallel with the entry script, not after it (see early.ts).
    name: 'early',
    of: [
      'preload-helper',
      'node_modules/react/',
      ...beneath('/web/', 'early.ts', 'app/pages.ts', 'storage/device-storage.ts'),
      ...beneath('/web/api/', 'client.ts', 'configuration.ts'),
    ],
    priority: 4,
  },
  { name: 'entry', of: ['/app/app', '/app/copy', '/app/error-boundary', '/main.tsx'], priority: 2 },
  {
    name: 'shared',
    of: ['/contract/', '/web/ui/', '/web/api/', '/web/people/session/'],
    // The code that only signed-in pages need. The login would otherwise load this code, too.
    except: [
      ...beneath(
        '/contract/',
        'papers',
        'money',
        'limits',
        'categories',
        'transfers',
        'operations',
        'database',
      ),
      ...beneath('/contract/', 'people/device', 'wire/functions'),
      ...beneath('/contract/format/', 'csv', 'tax', 'account', 'identity', 'uuid', 'fold'),
      ...beneath('/contract/format/', 'plain', 'bogota'),
      ...beneath('/web/api/', 'functions', 'papers', 'repeatable', 'error-codes', 'read-all'),
      ...beneath('/web/ui/', 'own-script', 'save-file', 'single-keys', 'card', 'page-heading', 'retry-line'),
      ...beneath(
        '/web/ui/',
        'table',
        'ghost-rows',
        'filters-button',
        'use-current',
        'use-deferred',
        'use-first-rows',
        'use-rows-max',
        'virtual-list',
      ),
      ...beneath(
        '/web/ui/',
        'focus/use-kept',
        'address/link',
        'toast/not-',
        'form/form-dialog',
        'form/search',
      ),
      ...beneath('/web/ui/dialog/', 'dialog', 'lazy', 'use-safe', 'modal', 'question', 'use-question'),
      ...beneath('/web/ui/', 'format/', 'lazy/', 'palette/'),
      ...beneath('/web/people/session/', 'passkey', 'proof', 'refusal'),
    ],
    minShareCount: 2,
    priority: 1,
  },
  // Only a few users open a dialog, and therefore neither the login nor the dashboard should wait for the code of
  // dialogs.
  {
    name: 'dialog',
    of: [
      ...beneath('/web/ui/dialog/', 'dialog', 'modal', 'question', 'use-safe'),
      '/web/ui/form/form-dialog',
    ],
  },
  {
    name: 'data',
    of: [
      ...beneath('/contract/', 'money', 'limits', 'categories', 'database', 'format/plain', 'format/bogota'),
      ...beneath('/web/ui/', 'single-keys', 'card', 'page-heading', 'retry-line', 'ghost-rows'),
      '/web/ui/palette/use-search-key',
      ...beneath('/web/ui/', 'use-current', 'use-deferred', 'address/link', 'toast/not-', 'dialog/lazy'),
      ...beneath('/web/', 'data/', 'amounts/', 'navigation/', 'ui/lazy/use', 'ui/format/'),
      ...beneath('/web/planning/sums/', 'sums', 'paths'),
      ...beneath('/web/api/', 'repeatable', 'error-codes'),
      ...beneath('/web/categories/', 'category-badge', 'copy'),
      ...beneath(
        '/web/money/',
        'copy.',
        'transaction-row.',
        'balance/parts',
        'expense/copy',
        'expense/expense-button',
      ),
      ...beneath('@tanstack/', 'query-core', 'react-query'),
      'lucide-react',
    ],
    // The code that reads the journal or writes a file is loaded on demand.
    except: [
      ...beneath('/web/', 'data/read-journal', 'amounts/amount-field', 'ui/format/count'),
      ...beneath(
        '/icons/',
        'sliders-horizontal.',
        'file-text.',
        'file-up.',
        'key-round.',
        'search.',
        'search-x.',
      ),
      ...beneath('/icons/', 'download.', 'trash.'),
      ...infiniteQueries,
    ],
    minShareCount: 2,
  },
  // The form for an expense, which the dashboard and a dialog show.
  {
    name: 'expense',
    of: [
      ...beneath('/web/money/expense/', 'expense.', 'expense-days.', 'expense-fields.'),
      ...beneath(
        '/web/',
        'amounts/amount-field.',
        'planning/sums/limit-meter.',
        'categories/category-field.',
      ),
    ],
  },
  // Code of the pages on which a person acts: calls of functions, questions, and the proof of a person.
  {
    name: 'acts',
    of: [
      ...beneath(
        '/web/',
        'api/functions',
        'api/papers',
        'people/session/proof/use-proof',
        'ui/dialog/use-question',
      ),
      '/contract/wire/functions',
    ],
    minShareCount: 2,
  },
  // Code that other pages share but the dashboard does not need.
  {
    name: 'later',
    of: [
      ...beneath('/web/ui/', 'table', 'format/count', 'form/search', 'save-file', 'filters-button'),
      ...beneath('/web/', 'ui/use-first-rows', 'ui/use-rows-max', 'api/read-all'),
      ...beneath('/contract/', 'format/uuid', 'transfers/words', 'format/fold'),
      '@tanstack/',
      'lucide-react',
    ],
    except: infiniteQueries,
    minShareCount: 2,
  },
  // The keys of lists that a search fills, which only staff's pages and the dialog of Ctrl+K need.
  { name: 'list-keys', of: beneath('/web/ui/palette/', 'list-keys', 'use-delayed'), minShareCount: 2 },
  // The dialog of Ctrl+K, which customers and staff share, and which loads with the first press.
  { name: 'palette', of: ['/web/ui/palette/palette.tsx'], minShareCount: 2 },
  // Each of these two groups is a single chunk, because the early chunk grows with the name of every chunk.
  {
    name: 'upload',
    of: [
      ...beneath('/web/uploads/', 'columns.', 'table.', 'read-table.', 'content.', 'csv.', 'next-task.'),
      ...beneath('/web/uploads/', 'read-rows.', 'refused-file.', 'unread-formats.', 'sheet/sheet-rows.'),
    ],
    minShareCount: 2,
  },
  {
    name: 'account',
    of: [
      ...beneath(
        '/contract/',
        'transfers/account',
        'transfers/banks',
        'format/tax',
        'format/account',
        'format/identity',
      ),
      ...beneath('/', 'holder-data.', 'alias.'),
    ],
    minShareCount: 2,
  },
  // The lists on the administration pages, and the keyboard control of these lists.
  { name: 'staff-list', of: ['/web/staff/lists/', ...infiniteQueries], minShareCount: 2 },
  // Code that the history page shares with the staff's page about a customer.
  {
    name: 'list',
    of: beneath('/web/', 'money/list/', 'money/selection/', 'ui/virtual-list/'),
    minShareCount: 2,
  },
]

/** The groups for the bundler. A module belongs to the first group with the highest priority. */
export const chunkGroups = chunks.map(({ of, except = [], ...group }) => {
  const holds = (texts: readonly string[], path: string) => texts.some((text) => path.includes(text))
  return { ...group, test: (path: string) => holds(of, path) && !holds(except, path) }
})
