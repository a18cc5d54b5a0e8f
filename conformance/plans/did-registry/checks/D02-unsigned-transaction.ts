import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import { classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import type { DidRegistryContext } from '../context.ts'
import { contractBodies } from '../operations.ts'

/** Operations whose bodies the profile does not specify. */
const notShown = ['addController', 'revokeController', 'addVerificationRelationship']

export const check = defineCheck<DidRegistryContext>({
  id: 'D02',
  title: 'Every operation below /contract/ returns an unsigned transaction in hex',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.what-the-service-does.1',
    '2.resources-and-their-fields/unsigned-transaction.2',
    '2.resources-and-their-fields/unsigned-transaction.3',
    '2.resources-and-their-fields/unsigned-transaction.4',
    '2.resources-and-their-fields/unsigned-transaction.5',
    '2.resources-and-their-fields/unsigned-transaction.6',
    '2.resources-and-their-fields/unsigned-transaction.7',
    '2.resources-and-their-fields/unsigned-transaction.8',
    '2.resources-and-their-fields/unsigned-transaction.9',
  ],
  description:
    'Clients pass the members to a signing library, which accepts only hex with 0x; a value above zero would transfer money.',
  sends:
    'A correct body to each of the eleven operations, for a registered DID with its own account, and for insertFirstDidDocument with a new DID.',
  decides:
    'Each answer is 200 with to, data, gasLimit, gasPrice, chainId, nonce, value and from, all as 0x-hex, value 0 and the given from. The three operations whose bodies the document does not specify may reject the request.',
  fix: 'Answer each operation with 200 and to, data, gasLimit, gasPrice, chainId, nonce and value as 0x-hex. Set value to 0x0, and from to that of the request.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const first = { identity: registry.createIdentity(), from: registry.onboardingNode.address }
    const bodies = contractBodies(registry, identity, now(), first)
    for (const [operation, body] of Object.entries(bodies)) {
      const answer = await registry.post(`contract/${operation}`, body)
      // The profile does not specify these bodies: the kit's own assumption may be rejected.
      if (notShown.includes(operation) && classifyStatus(answer.status) === 'refused') continue
      const built = requireJson(answer, operation)
      const quantities = ['gasLimit', 'gasPrice', 'chainId', 'nonce', 'value']
      for (const member of quantities) {
        expectMatch(`${member} of ${operation}`, built[member], /^0x[0-9a-f]+$/i)
      }
      expectMatch(`to of ${operation}`, built.to, /^0x[0-9a-f]{40}$/i)
      expectMatch(`data of ${operation}`, built.data, /^0x(?:[0-9a-f]{2})+$/i)
      expectEqual(`value of ${operation}`, BigInt(String(built.value)), 0n)
      const from = String(built.from).toLowerCase()
      expectEqual(`from of ${operation}`, from, String(body.from).toLowerCase())
    }
    return held('All operations return unsigned transactions in the documented form')
  },
})
