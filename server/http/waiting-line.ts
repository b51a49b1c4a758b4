/**
 * Where requests wait before anything was done for them, while as many are under way as the database finishes soon
 * (docs/decisions/0035). Who came first goes first. Whose time is over is turned away, and told so later still: a refusal
 * that costs nothing to wait for is asked for again at once, and thousands of those are what a rush is.
 */
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only an interface can be added to.
  interface FastifyContextConfig {
    /** Goes past the line: what brings something to an end, or says how the server is. */
    isNeverTurnedAway?: true
  }
}

/** Whoever finds so many before them at the database waits here. The embedded engine commits as many together. */
const aheadMax = 64
/** How long anybody waits for their turn, */
const waitMaxMs = 500
/** once there is a line for so long: a database that catches its breath, at a checkpoint, is no rush. */
const lineMinMs = 700
/** Whose turn will not come is told so after this. To have somebody wait costs nothing; to answer costs others their turn. */
const holdMs = 2000
/** Requests that may stand here at a time, turned away or not. One more is refused at once. */
export const placesMax = 5000
/** What else the database is busy with ends without a word to the line, which looks by itself while anybody stands here. */
const lookMs = 5
/** Answers at a time: they stand in the way of the database's, and who is refused together comes back together. */
const toldAtOnceMax = 16

/** What the line needs to know, and how it refuses. */
export type Doors = {
  /** How many wait for the database at this moment. */
  readonly ahead: () => number
  /** What is thrown for who waited in vain: each surface answers it with 503 and `Retry-After`. */
  readonly refusal: () => Error
}

type Place = {
  /** Lets the request go on, or fails it. */
  readonly proceed: (refusal?: Error) => void
  /** Whether nobody waits for the answer any more. */
  readonly isLeft: () => boolean
  readonly until: number
}

/** A line of requests; nothing in it knows what a request is. */
export class WaitingLine {
  readonly #doors: Doors
  readonly #places: Place[] = []
  /** Whose turn will not come, and who do not know it yet. */
  readonly #turnedAway: Place[] = []
  /** Since when somebody has been waiting. */
  #since = 0
  #looking: NodeJS.Timeout | null = null
  #refused = 0

  constructor(doors: Doors) {
    this.#doors = doors
  }

  /** Lets the request go on at once, later or never. */
  enter({ proceed, isLeft }: Pick<Place, 'proceed' | 'isLeft'>): void {
    if (this.#places.length === 0 && this.#room() > 0) {
      proceed()
    } else if (this.#standing >= placesMax) {
      this.#refuse(proceed)
    } else {
      const now = performance.now()
      if (this.#places.length === 0) this.#since = now
      this.#places.push({ proceed, isLeft, until: now + waitMaxMs })
      if (this.#looking === null) this.#lookSoon()
    }
  }

  /** Lets in as many as there is room for; to be called whenever a request was answered. */
  advance(): void {
    // Counted once: those who go on now reach the database after this.
    let room = this.#room()
    while (room > 0 && this.#places.length > 0) {
      const place = this.#places.shift()
      if (place?.isLeft() !== false) continue
      room -= 1
      place.proceed()
    }
  }

  /** How many stand here now, and how many were refused since the start. */
  load(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.#standing, refused: this.#refused }
  }

  get #standing(): number {
    return this.#places.length + this.#turnedAway.length
  }

  #room(): number {
    return aheadMax - this.#doors.ahead()
  }

  #look(): void {
    this.advance()
    const now = performance.now()
    if (now - this.#since >= lineMinMs) this.#turnAway(now)
    this.#tell(now)
    this.#looking = null
    if (this.#standing > 0) this.#lookSoon()
  }

  #turnAway(now: number): void {
    for (let place = this.#places[0]; place !== undefined && place.until <= now; place = this.#places[0]) {
      this.#places.shift()
      this.#turnedAway.push(place)
    }
  }

  #tell(now: number): void {
    for (let told = 0; told < toldAtOnceMax;) {
      const place = this.#turnedAway[0]
      if (place === undefined || place.until + holdMs > now) return
      this.#turnedAway.shift()
      if (place.isLeft()) continue
      told += 1
      this.#refuse(place.proceed)
    }
  }

  #lookSoon(): void {
    this.#looking = setTimeout(() => this.#look(), lookMs)
  }

  #refuse(proceed: Place['proceed']): void {
    this.#refused += 1
    proceed(this.#doors.refusal())
  }
}

/** Makes every request of these surfaces pass the line first. Hooks that were added before see it before, refused or not. */
export function addWaitingLine(app: FastifyInstance, line: WaitingLine): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isNeverTurnedAway === true) {
      done()
      return
    }
    line.enter({
      isLeft: () => reply.raw.destroyed,
      proceed(refusal) {
        if (refusal !== undefined) leaveBody(request, reply)
        done(refusal)
      },
    })
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    line.advance()
    done()
  })
}

/** The rest of a small body is read and thrown away, so that the connection can be used again; a large one ends it. */
function leaveBody({ headers }: FastifyRequest, reply: FastifyReply): void {
  const isSmall =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= bodyBytesMax
  if (!isSmall) void reply.header('connection', 'close')
}
