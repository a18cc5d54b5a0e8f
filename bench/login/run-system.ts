// One side of the measurement in a process of its own: takes its setup as the first message and
// answers with its address; ends with the process that started it.
import { once } from 'node:events'
import type { LoginSetup } from './login-system.ts'

process.once('disconnect', () => process.exit(0))
const [setup] = (await once(process, 'message')) as [LoginSetup]
const url =
  process.argv[2] === 'peer'
    ? await (await import('./start-peer-login.ts')).startPeerLogin(setup)
    : await (await import('./start-our-login.ts')).startOurLogin(setup)
process.send?.({ url })
