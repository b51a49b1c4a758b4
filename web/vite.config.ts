import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { serviceWorker } from './offline/build.ts'
import { publicVerification } from './verify/build.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [/^@supabase\/storage-js$/, /^\.\/lib\/web3\/ethereum$/, /^\.\/webauthn\.errors$/].map((find) => ({
      find,
      replacement: join(import.meta.dirname, 'backend/unused-client-parts.ts'),
    })),
  },
  plugins: [
    react(),
    tailwindcss(),
    inlineMark(),
    preloadFont(),
    nameClientCode(),
    serviceWorker(),
    publicVerification(),
    compressTexts(),
  ],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: {
      polyfill: false,
      // index.html loads these scripts before all others.
      resolveDependencies: (_file, scripts, { hostType }) =>
        hostType === 'html'
          ? scripts
          : scripts.filter((script) => !/\/(rolldown-runtime|early|react-dom|entry)-/.test(script)),
    },
    // The page's content security policy allows neither fonts nor scripts from `data:` URLs, and therefore no assets
    // are inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // With these groups, a page loads only a few chunks: the login, the client, the code shared by pages before
          // and after the login, and the page's own code. Without the groups, the build would have about thirty small
          // chunks.
          groups: [
            { name: 'supabase', test: /node_modules\/@supabase\/|\/unused-client-parts\.ts/ },
            // React's chunk rarely changes between releases, and browsers can therefore keep it cached. The chunk also
            // runs separately from the entry script.
            { name: 'react-dom', test: /node_modules\/(react-dom|scheduler)\//, priority: 3 },
            // The early chunk loads and runs in parallel with the entry script, not after it (see early.ts).
            {
              name: 'early',
              test: /preload-helper|node_modules\/react\/|\/web\/(early|app\/pages|backend\/(client|configuration)|storage\/device-storage)\.ts/,
              priority: 4,
            },
            {
              name: 'entry',
              test: /\/(app\/(app|copy|error-boundary)|main\.tsx)/,
              priority: 2,
            },
            {
              name: 'shared',
              // Leaves out the code that only signed-in pages need. The login would otherwise load this code, too.
              test: /\/(contract\/(?!statement|format\/(csv|tax|account|identity|uuid|transfer|fold|plain|bogota)|money|limits|categories|access\/device|wire\/functions|elsewhere|status)|web\/(?!backend\/(functions|repeatable|error-codes)|ui\/(own-script|save-file|single-keys|card|page-heading|retry-line|ghost-rows|filters-button|use-(current|deferred)|focus\/use-kept|address\/link|toast\/not-|dialog\/(dialog|lazy|use-safe)|form\/(form-dialog|search)|virtual-list)|session\/(passkey|proof|refusal))(ui|backend|session)\/)/,
              minShareCount: 2,
              priority: 1,
            },
            // Only a few users open a dialog, and therefore neither the login nor the dashboard should wait for the
            // code of dialogs.
            { name: 'dialog', test: /\/web\/ui\/(dialog\/(dialog|use-safe)|form\/form-dialog)/ },
            {
              name: 'ledger',
              // Leaves out the code that reads the journal or writes a file, because this code is loaded on demand.
              // Code in the subfolders of transactions/ is loaded with the pages that use it.
              // The column headings of files are an exception, because a separate chunk would cost more bytes.
              test: /\/contract\/(money|limits|categories|format\/(plain|bogota))|\/web\/(ui\/(single-keys|card|page-heading|retry-line|ghost-rows|use-(current|deferred)|address\/link|toast\/not-|dialog\/lazy)|ledger\/(?!read-journal)|backend\/(repeatable|error-codes)|lazy\/use|money\/(?!amount-field)|sums\/(sums|paths)|categorization\/(category-badge|category\.|copy)|transactions\/([^/]+$|files\/copy|expense\/(copy|expense-button))|format\/)|@tanstack\/(query-core|react-query)(?!.*nfiniteQuery(Observer)?\.)|lucide-react(?!.*\/(sliders-horizontal|file-(text|up)|key-round|search(-x)?|download|trash)\.)/,
              minShareCount: 2,
            },
            // The form for an expense, which the dashboard and a dialog show.
            {
              name: 'expense',
              test: /\/web\/(transactions\/expense\/expense(-days|-fields)?|money\/amount-field|sums\/limit-meter|categorization\/category-field)\./,
            },
            // Code that other pages share but the dashboard does not need.
            {
              name: 'later',
              test: /\/web\/(backend\/functions|session\/proof\/(calls|use-proof)|ui\/(form\/search|save-file|filters-button))|contract\/(wire\/functions|format\/(uuid|transfer|fold))|@tanstack\/(?!.*nfiniteQuery(Observer)?\.)|lucide-react/,
              minShareCount: 2,
            },
            // Each of these two groups is a single chunk, because the early chunk grows with the name of every chunk.
            {
              name: 'upload',
              test: /\/web\/upload\/(columns|table|read-table|content|csv|next-task|read-rows|refused-file|unread-formats|sheet\/sheet-rows)\./,
              minShareCount: 2,
            },
            {
              name: 'account',
              test: /\/contract\/(elsewhere|format\/(tax|account|identity))|\/(holder-data|alias)\./,
              minShareCount: 2,
            },
            // The lists on the administration pages, and the keyboard control of these lists.
            {
              name: 'staff-list',
              test: /\/features\/admin\/lists\/|@tanstack\/.*nfiniteQuery(Observer)?\./,
              minShareCount: 2,
            },
            // Code that the history page shares with the staff's page about a customer.
            {
              name: 'list',
              test: /\/web\/(transactions\/(list|selection)|ui\/virtual-list)\//,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})

/** Inlines the logo into the page, so that it appears as soon as the style sheet has loaded. */
function inlineMark(): Plugin {
  return {
    name: 'inline-mark',
    async transformIndexHtml(html) {
      const mark = await readFile(join(import.meta.dirname, 'public/favicon.svg'), 'utf8')
      return html.replace(
        '<img src="/favicon.svg" alt="" />',
        mark.replace('<svg', '<svg aria-hidden="true"').trim(),
      )
    },
  }
}

/** Adds a preload link, so that the browser fetches the font in parallel with the style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head-prepend',
          }))
      },
    },
  }
}

/**
 * Writes the URL of the client's script into the page. If a session is stored, the page fetches this script immediately
 * and runs it later.
 */
function nameClientCode(): Plugin {
  return {
    name: 'name-client-code',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const code = Object.values(bundle ?? {}).find(
          (output) => output.type === 'chunk' && output.name === 'supabase',
        )
        if (code === undefined) throw new Error('The client has no script of its own.')
        return [
          { tag: 'meta', attrs: { name: 'client-code', content: `/${code.fileName}` }, injectTo: 'head' },
        ]
      },
    },
  }
}

/**
 * Writes a `.br` and a `.gz` version next to every text file in the build. The server sends the version that the
 * browser accepts.
 */
function compressTexts(): Plugin {
  return {
    name: 'compress-texts',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) return
      const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|html|svg)$/.test(fileName))
      await Promise.all(
        texts.flatMap((output) => {
          const content = output.type === 'chunk' ? output.code : output.source
          const path = join(dir, output.fileName)
          return [
            writeFile(`${path}.br`, brotliCompressSync(content)),
            writeFile(`${path}.gz`, gzipSync(content, { level: 9 })),
          ]
        }),
      )
    },
  }
}
