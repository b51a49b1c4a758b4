/**
 * Service worker that lets the page open without a connection. Each build has its own cache, which is filled with all
 * of the build's files at once. When the user opens the page, the browser loads it from the network if possible. An
 * update therefore takes effect at the next start. Files are loaded from the caches, so that an open page can still
 * load its own chunks after the server has newer chunks. A new worker waits until all pages of the previous build are
 * closed, and then removes the previous cache. The caches contain no personal data (see web/data/last-readings.ts).
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

/** The build's name and the URLs of the build's files. build.ts inserts both. */
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
  // Lets the browser request the page while the worker is still starting.
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

/** Looks for a file in all builds' caches, because different files never share a name. */
async function findFile(request: Request): Promise<Response> {
  return (await caches.match(request).catch(() => undefined)) ?? fetch(request)
}

/** Returns `undefined` also if the browser does not let the worker read its cache. */
async function keptAt(path: string): Promise<Response | undefined> {
  try {
    const cache = await caches.open(cacheName)
    return await cache.match(path)
  } catch {
    return undefined
  }
}

function late(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs))
}
