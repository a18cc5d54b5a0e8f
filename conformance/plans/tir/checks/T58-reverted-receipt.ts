import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { asPremise } from '../../../kit/as-premise.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { metadataOf } from '../metadata-of.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'
import { signSending } from '../sign-sending.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T58',
  title: 'A write that is not allowed has a receipt of status 0x0 with its reason',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.14', '2.what-the-service-does.3'],
  description:
    'The API does not tell whether a transaction succeeded: the client learns it, and why it failed, from the chain node.',
  sends: 'A publication in the name of a TAO, signed by another account.',
  decides: 'The receipt at the chain node has status 0x0 and a revertReason.',
  needs: ['accreditor'],
  async run({ tir, didRegistry, environment, accreditor }) {
    const metadata = metadataOf(await accreditor(), environment)
    const { address, privateKey } = didRegistry.createIdentity()
    const parameters = wireMetadata(metadata, address)
    const building = tir.client.build('setAttributeMetadata', parameters)
    const unsigned = await asPremise('building setAttributeMetadata (see T01)', building)
    const sending = signSending(unsigned, privateKey)
    const answer = await tir.post(rpcRequest('sendSignedTransaction', sending))
    const hash = String(requireResult(answer, 'A write that is not allowed'))
    const { status, revertReason } = await tir.awaitReceipt(hash)
    expectEqual('status of the receipt', status, '0x0')
    expectMatch('revertReason', revertReason, /^0x[0-9a-f]{8}/i)
    return held('The receipt tells that it failed, and why')
  },
})
