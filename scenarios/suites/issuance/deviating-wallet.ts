import { takeOffer } from '#scenarios/fixtures/accept-offer.ts'
import {
  type CheckedFault,
  describeOthers,
  oneFaultPerCheck,
  referencesOf,
} from '#scenarios/fixtures/wallet-faults.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import {
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
  scenarioAlgorithms,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { issuanceFaults } from '#wallet-emulator/faults/find-faults.ts'
import { proofSignatureFaults } from '#wallet-emulator/faults/proof-faults.ts'
import type { FaultNeed, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'

/** What a default testbed does not have; the tests of the wallet emulator have it. */
const notHere: readonly FaultNeed[] = ['second-type', 'short-nonce']

interface Offer {
  readonly link: string
  readonly options: Pick<AcceptOfferOptions, 'getPin' | 'deferral'>
}

/** Makes an offer with the properties that the fault needs, and returns how a wallet accepts it. */
async function makeOffer(
  { control }: ScenarioContext,
  { needs = [] }: WalletFault,
): Promise<Offer> {
  const { offerUri: link, pin } = await control.createOffer({
    ...(needs.includes('pin') && { txCode: { length: 6, inputMode: 'numeric' } }),
    ...(needs.includes('deferral') && { deferredSeconds: 0 }),
  })
  return { link, options: { getPin: () => pin, deferral: { intervalMilliseconds: 0 } } }
}

function describeOutcome({ expected, needs = [] }: WalletFault): string {
  if (expected.at === 'nowhere') return `${expected.because}: the issuer accepts it.`
  const time = needs.includes('clock') ? "The testbed's clock moves forward. " : ''
  const error = 'error' in expected ? expected.error : ''
  return `${time}The issuer rejects it at the ${expected.at} endpoint with **${error}**, and the wallet
keeps nothing. The same wallet without the deviation gets the credential with another offer of the
same kind.`
}

function scenarioFor(checked: CheckedFault, index: number): Scenario {
  const { fault, check, rule } = checked
  const { name, description, needs = [], expected } = fault
  const isAboutAlgorithms = proofSignatureFaults.includes(fault)
  const isTaken = expected.at === 'nowhere'
  return defineScenario({
    id: `issuance/deviating-wallet-${name}`,
    title: `${isTaken ? 'Accepted' : 'Rejected'}: ${description.replace(/\.$/, '')}`,
    algorithms: fault.algorithms ?? (isAboutAlgorithms ? scenarioAlgorithms : oneAlgorithm(index)),
    ...(needs.includes('clock') ? { exclusive: true } : {}),
    description: `
${description} Everything else is correct (check ${check}, fault \`${name}\`).

Rule: ${rule}.

${describeOutcome(fault)}${describeOthers(checked)}`,
    references: referencesOf(checked),
    needs: ['clock'],

    async run(context) {
      const { step, control } = context
      const deviating = {
        ...context.createWallet({ faults: [fault] }),
        wait: (milliseconds: number) => control.advanceClock(milliseconds / 1000),
      }
      const correct = { ...deviating, faults: [] }

      const offer = await step('The issuer creates an offer', () => makeOffer(context, fault))
      if (expected.at === 'nowhere') {
        await step('A deviating wallet gets the credential', () =>
          takeOffer(deviating, offer.link, offer.options),
        )
        return
      }
      await step('The issuer rejects the deviating wallet', async () => {
        const code = expected.at === 'token' ? 'token_refused' : 'credential_refused'
        const work = acceptOffer(deviating, offer.link, offer.options)
        await expectWalletRefusal('the deviation', work, { code, ...answerOf(fault) })
        expectEqual("the wallet's credentials", await deviating.store.listCredentials(), [])
      })
      await step('Without the deviation the wallet gets the credential', async () => {
        const { link, options } = await makeOffer(context, fault)
        await takeOffer(correct, link, options)
      })
    },
  })
}

function answerOf({ expected }: WalletFault): { status?: number; error?: string } {
  return 'error' in expected ? { status: expected.status, error: expected.error } : {}
}

export const scenarios = oneFaultPerCheck(
  issuanceFaults.filter(({ needs = [] }) => !needs.some((need) => notHere.includes(need))),
).map(scenarioFor)
