/**
 * The wall clock of a running server jumps (security.md CR-06): by an hour, by a year, back, and over the ends
 * of daylight-saving time. Nobody crashes, no access token and no session lives longer than it may by the clock
 * as it is, and what is written meanwhile verifies.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { callRunningServer } from '#server/operator/client.ts'
import { type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { embeddedDataDirectory } from '#nightly/places/place.ts'
import { administrator, serverProcess } from '#nightly/places/server-process.ts'
import { type Caller, type Wire, wireOf } from '#nightly/places/wire.ts'

const hourMs = 3600_000
const yearMs = 365 * 24 * hourMs
/** What clocks that differ are forgiven (security.md SE-04), twice. */
const leewayMs = 60_000
const jumpWaitMs = 20_000
/** Every thread has looked at the clock by then, several times. */
const threadsSettleMs = 200

type Session = {
  access_token: string
  refresh_token: string
  expires_at: number
  expires_in: number
  user: { id: string }
}

/** Runs all jumps once, each from now and back. */
export async function runClock(): Promise<Figure[]> {
  const directory = await embeddedDataDirectory()
  const clock = join(directory.path, 'clock')
  const set = (shiftMs: number) => {
    writeFileSync(`${clock}.next`, String(shiftMs))
    renameSync(`${clock}.next`, clock)
  }
  set(0)
  const server = await serverProcess({
    dataDir: directory.path,
    environment: { CLOCK_FILE: clock, TZ: 'America/New_York' },
    nodeArguments: ['--import', './nightly/ledger/shifted-clock.ts'],
  })
  const failures = { crashes: [] as string[], tooLong: [] as string[], unverified: [] as string[] }
  const jumps = [hourMs, -hourMs, 2 * hourMs, yearMs, -yearMs, ...endsOfDaylightSaving()]
  try {
    await server.start()
    const wire = await wireOf(server)
    for (const jump of jumps) {
      const before = await signIn(wire)
      for (const shift of [jump, 0]) {
        set(shift)
        const now = await untilClockIs(wire, shift)
        const sentence = `${shift / hourMs} h`
        if (now === null) {
          failures.crashes.push(`${sentence}: nobody can sign in`)
          continue
        }
        await use(wire, now, sentence, failures)
        if (before !== null && shift > before.expires_in * 1000 + leewayMs)
          await useOld(wire, { session: before, shift }, failures)
        const asked = await callRunningServer(directory.path, 'verify-ledger', null)
        if ((asked?.answer as { broken?: unknown } | undefined)?.broken !== null)
          failures.unverified.push(sentence)
      }
    }
    const { code } = await server.end('SIGTERM')
    for (const sentence of Object.values(failures).flat().slice(0, 5)) console.error(sentence)
    return [
      atLeast('jumps of the clock, there and back', jumps.length, jumps.length),
      none('crashes, answers above 499, writes refused', failures.crashes),
      none('tokens and sessions that outlived their time', failures.tooLong),
      none('ledgers that did not verify', failures.unverified),
      none('the server did not end with 0', code === 0 ? 0 : 1),
    ]
  } finally {
    await server.end('SIGKILL').catch(() => undefined)
    await directory.remove()
  }
}

/** From now to a moment right before each of the next two changes of the clocks in New York. */
function endsOfDaylightSaving(): number[] {
  const offsetAt = (time: number) =>
    new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', timeZoneName: 'shortOffset' })
      .format(time)
      .split('GMT')[1]
  const found: number[] = []
  for (let ahead = 0; found.length < 2; ahead += hourMs) {
    if (offsetAt(Date.now() + ahead) !== offsetAt(Date.now() + ahead + hourMs)) found.push(ahead)
  }
  return found
}

async function signIn(wire: Wire): Promise<Session | null> {
  const answer = await wire.auth('token?grant_type=password', administrator)
  return answer?.status === 200 ? (answer.body as Session) : null
}

/** A session that the shifted clock made, or null when none comes. */
async function untilClockIs(wire: Wire, shiftMs: number): Promise<Session | null> {
  const deadline = performance.now() + jumpWaitMs
  while (performance.now() < deadline) {
    const session = await signIn(wire)
    const aheadMs = ((session?.expires_at ?? 0) - (session?.expires_in ?? 0)) * 1000 - Date.now()
    await setTimeout(threadsSettleMs)
    // A session of the moment in between may have been made by one thread's clock and judged by the other's.
    if (session !== null && Math.abs(aheadMs - shiftMs) < hourMs / 4) return signIn(wire)
  }
  return null
}

async function use(
  wire: Wire,
  session: Session,
  sentence: string,
  failures: { crashes: string[] },
): Promise<void> {
  const caller: Caller = { id: session.user.id, token: session.access_token }
  const movement = { customerId: caller.id, label: crypto.randomUUID(), amount: '1.00' }
  const written = await wire.expense(caller, movement, crypto.randomUUID())
  if (written?.status !== 201) failures.crashes.push(`${sentence}: write ${JSON.stringify(written)}`)
  const read = await wire.rest(caller, 'budgets?select=balance')
  if (read?.status !== 200) failures.crashes.push(`${sentence}: read ${JSON.stringify(read)}`)
}

/** What was given out before the jump forward is over, or renewed in order. */
async function useOld(
  wire: Wire,
  { session, shift }: { session: Session; shift: number },
  failures: { crashes: string[]; tooLong: string[] },
): Promise<void> {
  const { user, access_token, refresh_token } = session
  const sentence = `${shift / hourMs} h`
  const read = await wire.rest({ id: user.id, token: access_token }, 'budgets?select=balance')
  if (read?.status !== 401) failures.tooLong.push(`${sentence}: access token ${read?.status}`)
  const refreshed = await wire.auth('token?grant_type=refresh_token', { refresh_token })
  if (refreshed === null || refreshed.status >= 500)
    failures.crashes.push(`${sentence}: refresh ${JSON.stringify(refreshed)}`)
  if (shift >= yearMs && refreshed?.status === 200) failures.tooLong.push(`${sentence}: session`)
}
