import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { expectBody } from '../expect-body.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T17',
  title: 'A revoked attribute still has its last body',
  level: 'practice',
  expectation: 'advice',
  rows: ['2.resources-and-their-fields/tir-attribute.2', '2.states-and-transitions.7'],
  description:
    'Whoever looks into an old credential can still see what was accredited, and until when.',
  sends: 'An attribute with data is revoked.',
  decides: 'attribute.body is the JWT that was published.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const jwt = signBody(context, metadata, by)
    await tir.writeData({ did, attributeId, jwt }, by.signer)
    await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
    const { attribute } = await tir.requireAttribute(did, attributeId)
    expectBody(attribute.body, jwt)
    return held('The revoked attribute still has its body')
  },
})
