import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  /** A folder for the data of this system. */
  readonly folder: string
}

interface RunningSystem {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts one side in a separate process, so that relying party, browser, wallet and registries,
 * which are the same for both sides, do not count as its work.
 */
export async function startSystem(
  name: 'ours' | 'peer',
  setup: Omit<LoginSetup, 'folder'>,
): Promise<RunningSystem> {
  const folder = await mkdtemp(join(tmpdir(), `login-${name}-`))
  const child = fork(join(import.meta.dirname, `serve-${name}.ts`), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.send({ ...setup, folder } satisfies LoginSetup)
  const ended = once(child, 'exit')
  const answer = await Promise.race([once(child, 'message'), ended])
  const url = (answer[0] as { url?: string } | null)?.url
  if (url === undefined) throw new Error(`the process of ${name} ended before it listened`)
  return {
    url,
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
