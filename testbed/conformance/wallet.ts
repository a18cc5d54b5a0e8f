import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import type { CallVerbOptions, VerbAnswer } from '#conformance/targets/adapters/call-verb.ts'
import type { WalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import {
  asVerb,
  createWalletSession,
  type WalletSession,
} from '#testbed/wallet-server/create-wallet-server.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import type { FetchLike } from '#wallet-emulator/http/create-wallet-http.ts'
import { createWalletTrust, type TrustEnvironment } from '#wallet-emulator/trust/wallet-trust.ts'

interface OwnWalletOptions {
  readonly session: WalletSession
  readonly fetch: FetchLike
  /** The kit's registries and root of trust, as a user would configure a wallet for them. */
  readonly environment: TrustEnvironment & { readonly didRegistryBaseUrl: string }
}

const patienceMilliseconds = 6000
/** The kit is on the same machine: only a part that stays silent takes longer. */
const timeoutMilliseconds = 1500
/** Stops after five polls if the issuer omits an interval. */
const deferral = { intervalMilliseconds: 10, growth: 1, maximumPolls: 5 }

/** Drives the wallet emulator in this process, by the four verbs. */
function createOwnWalletDriver(
  { session, fetch, environment }: OwnWalletOptions,
  { signal: interrupted, exchanges }: Pick<CallVerbOptions, 'exchanges' | 'signal'>,
): WalletDriver {
  async function call(
    name: string,
    sent: unknown,
    work: (connected: ReturnType<typeof connect>) => Promise<unknown>,
  ): Promise<VerbAnswer> {
    const began = performance.now()
    const ends = AbortSignal.any([interrupted, AbortSignal.timeout(patienceMilliseconds)])
    const answer = await work(connect(ends)).then(
      (json) => answerOf('done', 'It was done.', json),
      (error) => answerOfError(error, ends),
    )
    exchanges.add({
      kind: 'command',
      from: 'kit',
      to: 'wallet under test',
      method: 'CALL',
      url: name,
      status: 0,
      durationMilliseconds: performance.now() - began,
      requestBody: sent,
      responseBody: { outcome: answer.outcome, reason: answer.reason, json: answer.json },
    })
    return { ...answer, source: `answer of ${name}` }
  }

  function connect(signal: AbortSignal) {
    const http = { fetch, allowPrivateAddresses: true, timeoutMilliseconds, signal }
    const wallet = createWallet({ ...session.wallet, http })
    return { wallet, trust: createWalletTrust(wallet.http, environment) }
  }

  return {
    by: 'calls',
    can: { list: true, reset: true },
    acceptOffer: ({ link, pin }) =>
      call('accept-offer', { link, pin }, async ({ wallet, trust }) => {
        const options = { ...trust, deferral, getPin: () => pin }
        const accepted = await asVerb(() => acceptOffer(wallet, link, options))
        return { credentials: accepted.map(({ credential }) => credential) }
      }),
    present: ({ link }) =>
      call('present', { link }, async ({ wallet, trust }) => {
        const { redirectUri, credential } = await asVerb(() => present(wallet, link, trust))
        return { credential_id: credential.id, redirect_uri: redirectUri }
      }),
    async list() {
      const answer = await call('list', undefined, async ({ wallet }) => ({
        credentials: await wallet.store.listCredentials(),
      }))
      const { credentials = [] } = (answer.json ?? {}) as { credentials?: readonly unknown[] }
      return { ...answer, credentials }
    },
    reset: (options) =>
      call('reset', options, async () => {
        await session.reset(options)
      }),
  }
}

const answerOf = (outcome: VerbAnswer['outcome'], reason: string, json?: unknown) => ({
  outcome,
  reason,
  json,
  text: JSON.stringify(json) ?? '',
})

function answerOfError(error: unknown, ends: AbortSignal) {
  if (ends.aborted) {
    return answerOf('timed-out', `It did not finish within ${patienceMilliseconds / 1000} seconds.`)
  }
  if (!isTestbedError(error)) {
    return { ...answerOf('failed', String(error)), hasCrashed: true as const }
  }
  const { status, code, message, extra } = error
  const json = { error: code, error_description: message, ...extra }
  return answerOf(status === 422 ? 'refused' : 'failed', message, json)
}

/** The wallet reaches the kit under this name, so that https failures can be observed. */
const kitHost = 'kit.example'

/** The plan `wallet` against the testbed's own wallet emulator, in this process. */
export async function openSelf({ exchanges }: OpenPlanOptions): Promise<OpenPlan<WalletContext>> {
  const publicUrl = `https://${kitHost}`
  const server = await startKitServer({ exchanges, caller: 'wallet under test', publicUrl })
  const trust = openTrustWorld(server, { seed: 'self', now: Math.floor(Date.now() / 1000) })
  const { didRegistryBaseUrl, tirBaseUrl, rootDid, environment } = trust.addresses
  const own = {
    session: createWalletSession({ defaults: {} }),
    environment: { environment, didRegistryBaseUrl, tirBaseUrl, rootDids: [rootDid] },
    fetch: (url: string, init: RequestInit) => {
      const { protocol, host, pathname, search } = new URL(url)
      const isKit = host === kitHost && /^https?:$/.test(protocol)
      return fetch(isKit ? `${server.localOrigin}${pathname}${search}` : url, init)
    },
  }
  return openWalletPlan({
    server,
    trust,
    target: { name: "the testbed's own wallet" },
    curves: ['secp256k1', 'Ed25519'],
    deferralPatienceSeconds: 5,
    createDriver: (options) => createOwnWalletDriver(own, options),
  })
}
