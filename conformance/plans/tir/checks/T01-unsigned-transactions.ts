import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { metadataOf } from '../metadata-of.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T01',
  title: 'Both build methods answer an unsigned transaction in hex',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.what-the-service-does.2',
    '2.endpoints/tir.10',
    '2.endpoints/tir.11',
    '2.resources-and-their-fields/unsigned-transaction.1',
    '2.resources-and-their-fields/unsigned-transaction.9',
  ],
  description:
    'Clients hand the members to whatever signs for them, which takes hex with 0x and nothing else; a value above zero would pay somebody.',
  sends: 'setAttributeMetadata and setAttributeData with correct parameters; nothing is signed.',
  decides:
    'Both results have to, data, gasLimit, gasPrice, chainId, nonce, value and from as 0x-hex, value 0, from as it was sent, and the same contract as to.',
  async run({ tir, didRegistry, environment }) {
    const { did: taoDid, address: from } = didRegistry.createIdentity()
    const metadata = metadataOf({ did: taoDid, attributeId: '0'.repeat(64) }, environment)
    const { did, attributeId } = metadata
    const data = { from, did, attributeId: `0x${attributeId}`, attributeData: '0x61' }
    const requests = {
      setAttributeMetadata: wireMetadata(metadata, from),
      setAttributeData: data,
    }
    const contracts = new Set<unknown>()
    for (const [method, parameters] of Object.entries(requests)) {
      const answer = await tir.post(rpcRequest(method, parameters))
      const built = requireResult(answer, method) as Record<string, unknown>
      for (const member of ['gasLimit', 'gasPrice', 'chainId', 'nonce', 'value']) {
        expectMatch(`${member} of ${method}`, built[member], /^0x[0-9a-f]+$/i)
      }
      expectMatch(`to of ${method}`, built.to, /^0x[0-9a-f]{40}$/i)
      expectMatch(`data of ${method}`, built.data, /^0x(?:[0-9a-f]{2})+$/i)
      expectEqual(`value of ${method}`, Number(built.value), 0)
      expectEqual(`from of ${method}`, String(built.from).toLowerCase(), from.toLowerCase())
      contracts.add(String(built.to).toLowerCase())
    }
    expectEqual('number of contracts', contracts.size, 1)
    return held('Both methods answer unsigned transactions of the documented form')
  },
})
