import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export interface IssuanceServer {
  /** Where an issuance begins: `POST {offersUrl}/offers`. */
  readonly offersUrl: string
  /** credential_issuer. */
  readonly issuerUrl: string
  /** Settles once the issuer has recorded the issuance of that subject. */
  recorded(subjectId: string): Promise<void>
  stop(): Promise<void>
}

/** Starts one side in a process of its own, so that both have the same core for themselves. */
export async function startServer(
  file: 'serve-ours.ts' | 'serve-oid4vc-ts.ts',
): Promise<IssuanceServer> {
  const child = fork(join(import.meta.dirname, file), { execArgv: [...process.execArgv] })
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  const addresses = await new Promise<{ offersUrl: string; issuerUrl: string }>(
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
    ...addresses,
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
