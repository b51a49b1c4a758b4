/**
 * Lets the page open without a connection. Each build has its own cache, filled with all files of the build at once. At
 * a start the page comes from the network if possible, so an update takes effect at the next start. Files come from the
 * caches, so that an open page keeps the chunks of its build after the server has newer ones. A new worker waits until
 * no page of the previous build is open, then removes the previous cache. The cache contains no personal data (see
 * web/ledger/last-readings.ts).
 */
import { freshOrKept, kindOf, patienceMs } from './answers.ts'

type LastingEvent = Event & { waitUntil(work: Promise<unknown>): void }
type FetchEvent = LastingEvent & {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
type Worker = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void> }
  readonly location: Location
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

/** Inserted by build.ts: the build's name, and the addresses of its files. */
declare const BUILD_VERSION: string
declare const BUILD_FILES: readonly string[]

const worker = globalThis as unknown as Worker
const cacheName = `finanzas-${BUILD_VERSION}`
const shell = '/'
const configuration = '/config.json'

worker.addEventListener('install', (event) => event.waitUntil(keepBuild()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const kind = kindOf(request, worker.location.origin)
  if (kind === 'page') event.respondWith(openPage(event))
  if (kind === 'configuration') event.respondWith(configure(event))
  if (kind === 'file') event.respondWith(findFile(request))
})

async function keepBuild(): Promise<void> {
  const cache = await caches.open(cacheName)
  const current = [shell, configuration].map((path) => new Request(path, { cache: 'no-cache' }))
  await cache.addAll([...current, ...BUILD_FILES])
}

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
  // The browser requests the page while the worker starts.
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  const asking = preloadResponse.then((answer) => answer ?? fetch(request))
  return freshOrKept(asking, await keptAt(shell), late())
}

async function configure(event: FetchEvent): Promise<Response> {
  const kept = await keptAt(configuration)
  const asking = fetch(event.request)
  event.waitUntil(asking.then(keepConfiguration).catch(() => {}))
  return freshOrKept(asking, kept, late())
}

async function keepConfiguration(answer: Response): Promise<void> {
  if (!answer.ok) return
  const copy = answer.clone()
  const cache = await caches.open(cacheName)
  await cache.put(configuration, copy)
}

/** Finds a file in the cache of any build: no two builds share a file name. */
async function findFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function keptAt(path: string): Promise<Response | undefined> {
  const cache = await caches.open(cacheName)
  return cache.match(path)
}

function late(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs))
}
