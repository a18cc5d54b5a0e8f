import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { openPersonDesk } from '../../targets/adapters/person/open-person-desk.ts'
import { createWalletDriver } from '../../targets/adapters/wallet-driver.ts'
import { openKit } from '../../targets/open-kit.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { WalletContext } from './context.ts'
import { openWalletPlan } from './open-wallet-plan.ts'
import type { WalletTarget } from './z-target.ts'

/** How often a check may drive the wallet, at most. */
const mostVerbs = 4

/**
 * Opens the plan `wallet` against a target: starts the kit where the target says, and tells where the
 * pages for a person are, if one is to be asked.
 * @throws TestbedError `not_started`
 */
export async function openWalletTarget(
  { name, description, adapter, curves, deferralPatienceSeconds, ...target }: WalletTarget,
  options: OpenPlanOptions,
): Promise<OpenPlan<WalletContext>> {
  const kit = await openKit(target, 'wallet under test', options)
  const { server, trust, environment } = kit
  const { exchanges, askPerson, say } = options
  const desk =
    adapter.type === 'person'
      ? openPersonDesk({ server, exchanges, targetName: name, askPerson })
      : undefined
  if (desk) say?.(tellPerson(desk.url, trust.addresses))
  const plan = openWalletPlan({
    server,
    trust,
    target: { name, ...(description === undefined ? {} : { description }) },
    ...(curves && { curves }),
    ...(deferralPatienceSeconds && { deferralPatienceSeconds }),
    createDriver: (driverOptions) =>
      createWalletDriver(adapter, { ...driverOptions, environment, ...(desk && { desk }) }),
  })
  const seconds = adapter.timeoutSeconds ?? (desk ? 180 : undefined)
  return {
    ...plan,
    ...(seconds === undefined ? {} : { timeLimitMilliseconds: seconds * 1000 * mostVerbs }),
    async settle() {
      await plan.settle?.()
      kit.settle()
    },
    async close() {
      desk?.close()
      await kit.close()
    },
  }
}

/** Where the page is, and what has to be set in a wallet that asks registries. */
function tellPerson(url: string, addresses: OpenTrustWorld['addresses']): string {
  const { didRegistryBaseUrl, tirBaseUrl, rootDid } = addresses
  return `The registries that the wallet has to trust:
  DID registry  ${didRegistryBaseUrl}
  TIR           ${tirBaseUrl}
  root          ${rootDid}
Open this page on any device, and keep the wallet at hand:
  ${url}`
}
