import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { expectBody } from '../expect-body.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T18',
  title: 'The latest setAttributeData is the one that is read',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.endpoints/tir.11', '2.resources-and-their-fields/tir-attribute.2'],
  description: 'An accreditation is renewed under the same attributeId before it expires.',
  sends: 'setAttributeData twice for one attribute, with two JWTs.',
  decides: 'attribute.body is the second one.',
  needs: ['accreditor'],
  async run(context) {
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const [first, second] = [
      signBody(context, metadata, by, 'First'),
      signBody(context, metadata, by),
    ]
    for (const jwt of [first, second]) {
      await context.tir.writeData({ did, attributeId, jwt }, by.signer)
    }
    const { attribute } = await context.tir.requireAttribute(did, attributeId)
    expectBody(attribute.body, second)
    return held('The latest revision is read')
  },
})
