import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { createWalletSession } from '../wallet-server/create-wallet-session.ts'
import { createOwnWalletDriver } from './create-own-wallet-driver.ts'

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
