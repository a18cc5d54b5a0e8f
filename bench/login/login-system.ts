import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, probeOptions, readCounts } from '../costs/counts.ts'

/** A login system, as relying party, browser and wallet see it. */
export interface LoginSystem {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userinfoEndpoint: string
  /** Scope that the relying party requests. */
  readonly scope: string
  /** The openid4vp:// link in the page. */
  linkOf(page: string): string
  /** Where the page polls the state of the login. */
  statusUrlOf(page: string): string
  /** The form that the wallet posts. */
  formOf(vpToken: string, request: PresentationRequest): Record<string, string>
}

/** The members of a presentation request that a wallet uses. */
export interface PresentationRequest {
  readonly response_uri: string
  readonly client_id: string
  readonly nonce: string
  readonly state: string
}

/** The members of a DID document that the verifier uses. */
export interface DidDocument {
  readonly verificationMethod: readonly {
    readonly id: string
    readonly publicKeyJwk: Readonly<Record<string, unknown>>
  }[]
}

/** The start options of a system; its process receives them as JSON. */
export interface LoginSetup {
  readonly client: {
    readonly clientId: string
    readonly clientSecret: string
    /** No server listens there: the driver stops before it. */
    readonly redirectUri: string
  }
  /** Address of DID registry, TIR and status lists. */
  readonly trustUrl: string
  readonly tirBaseUrl: string
  readonly credentialIssuerUrl: string
  readonly rootDid: string
  /** The verifier's registered key: DID URL and secp256k1 key. */
  readonly verifierKid: string
  readonly verifierPrivateKey: string
  /** The DID document of the credential's issuer. */
  readonly issuerDocument: DidDocument
  /** A folder for the data of this system. */
  readonly folder: string
  /** The leaner peer, without persistence and look-ups. */
  readonly isLean: boolean
}

interface RunningSystem {
  readonly url: string
  /** Only with the probe. */
  readCounts(): Promise<Counts>
  stop(): Promise<void>
}

/**
 * Starts one side in a separate process, so that relying party, browser, wallet and registries,
 * which are the same for both sides, do not count as its work.
 */
export async function startSystem(
  name: 'ours' | 'peer' | 'lean',
  setup: Omit<LoginSetup, 'folder' | 'isLean'>,
  hasProbe: boolean,
): Promise<RunningSystem> {
  const folder = await mkdtemp(join(tmpdir(), `login-${name}-`))
  const file = name === 'ours' ? 'serve-ours.ts' : 'serve-peer.ts'
  const child = fork(join(import.meta.dirname, file), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(hasProbe && { execArgv: probeOptions }),
  })
  child.send({ ...setup, folder, isLean: name === 'lean' } satisfies LoginSetup)
  const ended = once(child, 'exit')
  const answer = await Promise.race([once(child, 'message'), ended])
  const url = (answer[0] as { url?: string } | null)?.url
  if (url === undefined) throw new Error(`the process of ${name} ended before it listened`)
  return {
    url,
    readCounts: () => readCounts(child),
    async stop() {
      child.disconnect()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The other end, in that process: starts the system with the setup of the first message and answers
 * with its address. The process ends with its parent.
 */
export async function serveLogin(start: (setup: LoginSetup) => Promise<string>): Promise<void> {
  process.once('disconnect', () => process.exit(0))
  const [setup] = (await once(process, 'message')) as [LoginSetup]
  process.send?.({ url: await start(setup) })
}
