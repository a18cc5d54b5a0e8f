import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
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

async function compareWithPeers(say: Say) {
  const [ours, peer] = await Promise.all([
    startServer('serve-ours.ts', profileRequest),
    startServer('serve-peer.ts', peerRequest),
  ])
  try {
    return await compare(
      {
        unit: 'issuances',
        ours: { name: 'this testbed', operation: () => issue(ours) },
        peers: [
          { name: 'oid4vc-ts', operation: () => issue(peer), atLeast: 1.5, atConcurrency: 8 },
        ],
        loads: [
          { concurrency: 1, operations: 100 },
          { concurrency: 8, operations: 300 },
        ],
      },
      say,
    )
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
  }
}

type IssuanceServer = IssuanceSystem & { stop(): Promise<void> }

/** Starts one side in a separate process, so that each side has the same core. */
async function startServer(
  file: 'serve-ours.ts' | 'serve-peer.ts',
  createCredentialRequest: IssuanceSystem['createCredentialRequest'],
): Promise<IssuanceServer> {
  const child = fork(join(import.meta.dirname, file), { execArgv: [...process.execArgv] })
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
  return {
    createOffer: () => post(`${offersUrl}/offers`),
    issuerUrl,
    createCredentialRequest,
    async recorded(subjectId) {
      if (seen.delete(subjectId)) return
      await new Promise<void>((resolve) => waiting.set(subjectId, resolve))
    },
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
