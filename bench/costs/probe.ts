// Loaded with --import before the program of a server: counts what the process does, for any
// revision and any peer, because it uses only what Node offers. Answers `{ probe: true }` on the IPC
// channel with the counts since the last answer, once no exchange is in flight.
import crypto from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Counts } from './counts.ts'

const nothing = (): Omit<Counts, 'cpu'> => ({
  sqlite: 0,
  answered: {},
  sent: {},
  bytes: 0,
  statements: {},
  signed: 0,
  verified: 0,
})

let counts = nothing()

const add = (counter: Record<string, number>, key: string) => {
  counter[key] = (counter[key] ?? 0) + 1
}

let inFlight = 0
const seenBytes = new WeakMap<Socket, number>()

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  inFlight += 1
  add(counts.answered, `${request.method} ${request.url}`)
})
subscribe('http.server.response.finish', (message) => {
  const { response } = message as { response: ServerResponse }
  inFlight -= 1
  const { socket } = response.req
  const total = socket.bytesRead + socket.bytesWritten
  counts.bytes += total - (seenBytes.get(socket) ?? 0)
  seenBytes.set(socket, total)
})

subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string; origin: unknown; path: string } }
  add(counts.sent, `${request.method} ${request.path}`)
})
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: { method: string; path: string } }
  add(counts.sent, `${request.method} ${request.path}`)
})

type Method = (this: never, ...parameters: never[]) => unknown

/** Runs `around` in place of each call of a method. */
function wrap(
  target: object,
  name: string,
  around: (self: unknown, parameters: readonly unknown[], call: () => unknown) => unknown,
): void {
  const original = Reflect.get(target, name) as Method
  Reflect.set(target, name, function wrapped(this: never, ...parameters: never[]) {
    return around(this, parameters, () => original.apply(this, parameters))
  })
}

function countStatement(text: string, call: () => unknown): unknown {
  add(counts.statements, text.trim())
  const began = performance.now()
  try {
    return call()
  } finally {
    counts.sqlite += performance.now() - began
  }
}

for (const name of ['run', 'get', 'all', 'iterate']) {
  wrap(StatementSync.prototype, name, (self, _, call) =>
    countStatement((self as StatementSync).sourceSQL, call),
  )
}
wrap(DatabaseSync.prototype, 'exec', (_, [text], call) => countStatement(String(text), call))

/** Counts the signatures that `sign` makes and `verify` checks. */
function countSignatures(target: object): void {
  wrap(target, 'sign', (_self, _parameters, call) => {
    counts.signed += 1
    return call()
  })
  wrap(target, 'verify', (_self, _parameters, call) => {
    counts.verified += 1
    return call()
  })
}

countSignatures(crypto)
countSignatures(crypto.webcrypto.subtle)
syncBuiltinESMExports()

// The secp256k1 library is WebAssembly, and its exports are frozen.
const webAssembly: { Instance: new (...parameters: unknown[]) => { exports: object } } =
  Reflect.get(globalThis, 'WebAssembly')
webAssembly.Instance = class extends webAssembly.Instance {
  constructor(...parameters: unknown[]) {
    super(...parameters)
    if (!('sign' in super.exports && 'verify' in super.exports)) return
    const exported = { ...super.exports }
    countSignatures(exported)
    Object.defineProperty(this, 'exports', { value: exported })
  }
}

/** Waits until follow-up work, such as a notification after the response, is done too. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet = inFlight === 0 ? quiet + 1 : 0) await sleep(2)
}

let before = process.cpuUsage()

process.on('message', async (message) => {
  if ((message as { probe?: true }).probe !== true) return
  // From now on only the work of the program keeps the process alive.
  process.channel?.unref()
  await settle()
  const { user, system } = process.cpuUsage(before)
  process.send?.({ counts: { ...counts, cpu: (user + system) / 1000 } satisfies Counts })
  counts = nothing()
  before = process.cpuUsage()
})
