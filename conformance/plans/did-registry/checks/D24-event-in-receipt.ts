import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectTrue } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
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
  decides: 'logs holds an entry whose topics[0] is 32 bytes of hex.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { vMethodId, publicKey } = registry.createIdentity()
    const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
    const body = { did: identity.did, ...key, from: identity.address }
    const built = await registry.client.build('addVerificationMethod', body)
    const { raw } = signTransaction(built, identity.privateKey)
    const { receipt } = await requireSent(registry, raw, [200])
    const logs = [receipt?.logs].flat() as readonly { readonly topics?: readonly string[] }[]
    const named = logs.filter((log) => /^0x[0-9a-f]{64}$/i.test(String(log?.topics?.[0])))
    expectTrue('a log has a topics[0] of 32 bytes', named.length > 0, receipt?.logs)
    return held('The log of the event is in the receipt')
  },
})
