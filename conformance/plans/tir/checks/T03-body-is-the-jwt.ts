import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { expectBody } from '../expect-body.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T03',
  title: 'The body of an attribute is the accreditation JWT as it was published',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.resources-and-their-fields/tir-attribute.2', '2.endpoints/tir.11'],
  description:
    'A verifier checks its signature: a single changed letter, and nobody is accredited.',
  sends: 'setAttributeData with a JWT; then GET of the attribute.',
  decides: 'attribute.body is the text of the JWT, as it is or in base64url once more.',
  needs: ['accreditor'],
  async run(context) {
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const jwt = signBody(context, metadata, by)
    await context.tir.writeData({ did, attributeId, jwt }, by.signer)
    const { attribute } = await context.tir.requireAttribute(did, attributeId)
    expectBody(attribute.body, jwt)
    return held('The body is the JWT that was published')
  },
})
