// The planted fault of the storm of sign-ins: passwords are hashed on the thread that serves everybody.
import { createRequire } from 'node:module'

const argon2 = createRequire(import.meta.url)('@node-rs/argon2')
argon2.verify = (...call) => Promise.resolve(argon2.verifySync(...call))
