import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { type CountedSide, countSides, probeOptions, readCounts } from '../costs/counts.ts'
import { compare, type Measurement, type Say } from '../harness.ts'
import { compareFlow } from '../testbed-flows.ts'
import { type IssuanceSystem, issue, post, profileRequest } from './issue.ts'

const peerRequest = (jwt: string) => ({
  credential_configuration_id: 'OrgPortalLearCredential',
  proofs: { jwt: [jwt] },
})

/**
 * Complete issuances: offer, token, proof, credential, recorded notification, with state in SQLite
 * files on both sides.
 */
export const measureIssuance: Measurement = async (say, base) => [
  ...(await compareWithPeers(say)),
  ...(await compareFlow('issue', base, say)),
]

interface Side {
  readonly name: string
  readonly file: 'serve-ours.ts' | 'serve-peer.ts'
  readonly createCredentialRequest: IssuanceSystem['createCredentialRequest']
  readonly parameters?: readonly string[]
}

const ourSide: Side = {
  name: 'this testbed',
  file: 'serve-ours.ts',
  createCredentialRequest: profileRequest,
}
const peerSide: Side = {
  name: 'oid4vc-ts',
  file: 'serve-peer.ts',
  createCredentialRequest: peerRequest,
}
const leanSide: Side = { ...peerSide, name: 'the lean peer', parameters: ['lean'] }

async function compareWithPeers(say: Say) {
  const startAll = (hasProbe: boolean) =>
    Promise.all([
      startServer({ ...ourSide, hasProbe }),
      startServer({ ...peerSide, hasProbe }),
      startServer({ ...leanSide, hasProbe }),
    ])
  const counted = await startAll(true)
  const counts = await countSides('an issuance', counted)
  for (const { stop } of counted) await stop()
  const [ours, peer, lean] = await startAll(false)
  try {
    const figures = await compare(
      {
        unit: 'issuances',
        ours: { name: ours.name, operation: ours.run },
        peers: [
          { name: peer.name, operation: peer.run, atLeast: 1.5, atConcurrency: 8 },
          { name: lean.name, operation: lean.run },
        ],
        loads: [
          { concurrency: 1, operations: 100 },
          { concurrency: 8, operations: 300 },
        ],
      },
      say,
    )
    return [...figures, ...counts]
  } finally {
    await Promise.all([ours.stop(), peer.stop(), lean.stop()])
  }
}

type IssuanceServer = CountedSide & { stop(): Promise<void> }

/** Starts one side in a separate process, so that each side has the same core. */
async function startServer({
  name,
  file,
  createCredentialRequest,
  parameters = [],
  hasProbe,
}: Side & { readonly hasProbe: boolean }): Promise<IssuanceServer> {
  const child = fork(join(import.meta.dirname, file), parameters, {
    execArgv: hasProbe ? probeOptions : [],
  })
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  const { offersUrl, issuerUrl } = await new Promise<{ offersUrl: string; issuerUrl: string }>(
    (resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${file} ended (${code})`)))
      child.once('message', (message) => resolve(message as never))
    },
  )
  child.on('message', (message) => {
    const { recorded } = message as { recorded?: string }
    if (recorded === undefined) return
    waiting.get(recorded)?.() ?? seen.add(recorded)
    waiting.delete(recorded)
  })
  const system: IssuanceSystem = {
    createOffer: () => post(`${offersUrl}/offers`),
    issuerUrl,
    createCredentialRequest,
    async recorded(subjectId) {
      if (seen.delete(subjectId)) return
      await new Promise<void>((resolve) => waiting.set(subjectId, resolve))
    },
  }
  return {
    name,
    run: () => issue(system),
    readCounts: () => readCounts(child),
    stop: () => stop(child),
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.disconnect()
  })
}
