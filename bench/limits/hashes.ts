/**
 * The limit of signing in: one stored hash verified again and again, so many at a time. Runs as a process of its own:
 * node bench/limits/hashes.ts SECONDS AT_ONCE HASH PASSWORD. Prints how many a second.
 */
import { verify } from '@node-rs/argon2'

const [, , seconds = '1', atOnce = '1', stored = '', password = ''] = process.argv
const startedAt = performance.now()
const endsAt = startedAt + Number(seconds) * 1000
let done = 0
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (performance.now() < endsAt) {
      if (!(await verify(stored, password))) throw new Error('The password is another one.')
      done += 1
    }
  }),
)
process.stdout.write(String((done * 1000) / (performance.now() - startedAt)))
