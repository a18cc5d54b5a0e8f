import type { Runtime } from '#kit/runtime.ts'
import { credentialIssuerUrlOf, tirBaseUrlOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { OnWalletEvent } from '#wallet-emulator/events.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import type { WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import type { WalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import type { WalletActivity } from './wallet-activity.ts'

/** For requests that wait for the result. A deferred credential may take longer than that. */
const longestWaitMilliseconds = 120_000

/** What the emulator needs to know of a wallet of the console. */
export interface HeldWallet {
  readonly environment: string
  readonly account: Account
  readonly store: WalletStore
  readonly faults: readonly WalletFault[]
}

interface WalletDependencies {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly runtime: Runtime
  /** Aborts what the wallets are doing. */
  readonly stopping: AbortSignal
}

/** A wallet of the emulator in its environment. The emulator is loaded with the first one. */
export async function openWallet(
  { environments, runtime, stopping }: WalletDependencies,
  { account, store, faults, environment }: HeldWallet,
  { tag, onEvent }: { readonly tag?: string; readonly onEvent?: OnWalletEvent } = {},
): Promise<{ readonly wallet: Wallet; readonly trust: WalletTrust }> {
  const { createWallet } = await import('#wallet-emulator/create-wallet.ts')
  const { createWalletTrust } = await import('#wallet-emulator/trust/wallet-trust.ts')
  const running = environments.get(environment)
  if (running === undefined) throw new TypeError(`no environment ${environment}`)
  const { context } = running
  const wallet = createWallet({
    account,
    store,
    faults,
    now: () => runtime.clock.seconds(),
    // Like a wallet of the command line next to a testbed.
    http: {
      allowPrivateAddresses: true,
      signal: stopping,
      ...(tag !== undefined && { headers: { 'x-scenario-id': tag } }),
    },
    ...(onEvent !== undefined && { onEvent }),
  })
  const trust = createWalletTrust(wallet.http, {
    environment: running.environment,
    didRegistryBaseUrl: context.urls['did-registry'],
    tirBaseUrl: tirBaseUrlOf(context),
    rootDids: [context.keys.rootTao.did],
    credentialIssuerUrls: [context.urls.issuer, credentialIssuerUrlOf(context)],
  })
  return { wallet, trust }
}

interface FoundLink {
  readonly kind: 'offer' | 'request'
  readonly link: string
  readonly pin?: string | undefined
  /** Id of the credential to present, if several match. */
  readonly credentialId?: string | undefined
}

/** Accepts an offer or answers a presentation request. */
export async function acceptOrPresent(
  { wallet, trust }: { readonly wallet: Wallet; readonly trust: WalletTrust },
  { kind, link, pin, credentialId }: FoundLink,
): Promise<Partial<WalletActivity>> {
  if (kind === 'offer') {
    const { acceptOffer } = await import('#wallet-emulator/actions/accept-offer.ts')
    const accepted = await acceptOffer(wallet, link, {
      ...trust,
      deferral: { longestWaitMilliseconds },
      getPin: (_txCode, { attempt }) => (attempt === 1 ? pin : undefined),
    })
    return { credentialIds: accepted.map(({ credential }) => credential.id) }
  }
  const { present } = await import('#wallet-emulator/actions/present.ts')
  const { credential, request, redirectUri } = await present(wallet, link, {
    ...trust,
    select: credentialId === undefined ? {} : { id: credentialId },
  })
  return {
    credentialIds: [credential.id],
    clientId: request.request.clientId,
    ...(redirectUri !== undefined && { redirectUri }),
  }
}
