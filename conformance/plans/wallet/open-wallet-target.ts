import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { openPersonDesk } from '../../targets/adapters/person/open-person-desk.ts'
import { createWalletDriver } from '../../targets/adapters/wallet-driver.ts'
import { openKit } from '../../targets/open-kit.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { WalletContext } from './context.ts'
import { openWalletPlan } from './open-wallet-plan.ts'
import type { WalletTarget } from './z-target.ts'

/** The most verbs that one check may call. */
const mostVerbs = 4

/**
 * Opens the plan `wallet` for a target: starts the kit as the target describes, and prints the URL
 * of the page for the person who operates the wallet, if any.
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
  if (desk) say?.(describePage(desk.url, trust.addresses))
  const plan = openWalletPlan({
    server,
    trust,
    isPerson: desk !== undefined,
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
    describeProgram: kit.describeProgram,
    async close() {
      desk?.close()
      await kit.close()
    },
  }
}

/** The URL of the page, and the registries to set in the wallet. */
function describePage(url: string, addresses: OpenTrustWorld['addresses']): string {
  const { didRegistryBaseUrl, tirBaseUrl, rootDid } = addresses
  return `The wallet must trust these registries:
  DID registry  ${didRegistryBaseUrl}
  TIR           ${tirBaseUrl}
  root          ${rootDid}
Open this page on any device and keep the wallet ready:
  ${url}`
}
