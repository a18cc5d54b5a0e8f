import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { metadataOf } from '../metadata-of.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T02',
  title: 'setAttributeMetadata and setAttributeData, signed and sent, publish an accreditation',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.what-the-service-does.3',
    '2.endpoints/tir.10',
    '2.endpoints/tir.11',
    '2.endpoints/tir.17',
    '2.resources-and-their-fields/tir-attribute.1',
    '2.resources-and-their-fields/tir-attribute.3',
  ],
  description: 'Verifiers trust an issuer by what they find there under its DID and attributeId.',
  sends: 'Both writes by an accredited TAO for a new subject, each awaited at the chain node.',
  decides: 'Both receipts have status 0x1; the attribute has the did, and the attributeId as hash.',
  needs: ['accreditor'],
  async run(context) {
    const by = await context.accreditor()
    const metadata = metadataOf(by, context.environment)
    await context.tir.writeMetadata(metadata, by.signer)
    const { did, attributeId } = metadata
    const data = { did, attributeId, jwt: signBody(context, metadata, by) }
    await context.tir.writeData(data, by.signer)
    const { did: subject, attribute } = await context.tir.requireAttribute(did, attributeId)
    expectEqual('did', subject, did)
    expectEqual('hash', attribute.hash.toLowerCase(), attributeId)
    return held('The accreditation is published under its DID and attributeId')
  },
})
