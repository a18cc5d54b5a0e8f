import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { held } from '../../../finding.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D24',
  title: 'The receipt of a change has the event’s log, with a topic hash of 32 bytes',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.events.1', '2.resources-and-their-fields/transaction-receipt.1'],
  description: 'The API pushes no events: whoever follows the registry finds them in the logs.',
  sends: 'addVerificationMethod, which emits VerificationMethodAdded.',
  decides: 'logs holds an entry of the contract whose topics[0] is 32 bytes of hex.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { vMethodId, publicKey } = registry.createIdentity()
    const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
    const body = { did: identity.did, ...key, from: identity.address }
    const built = await registry.client.build('addVerificationMethod', body)
    const { raw } = signTransaction(built, identity.privateKey)
    const { receipt } = await requireSent(registry, raw, [200])
    const [log] = (receipt?.logs ?? []) as { topics?: string[]; address?: string }[]
    expectMatch('topics[0] of the first log', log?.topics?.[0], /^0x[0-9a-f]{64}$/i)
    expectEqual('address of the log', log?.address?.toLowerCase(), built.to.toLowerCase())
    return held('The log of the event is in the receipt')
  },
})
