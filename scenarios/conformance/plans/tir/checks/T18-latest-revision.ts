import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../finding.ts'
import { defineTirCheck } from '../context.ts'
import { publish } from '../publish.ts'

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
    for (const jwt of ['e30.e30.Zmlyc3Q', 'e30.e30.c2Vjb25k']) {
      await context.tir.writeData({ did, attributeId, jwt }, by.signer)
    }
    const { attribute } = await context.tir.requireAttribute(did, attributeId)
    expectEqual('body', attribute.body, 'e30.e30.c2Vjb25k')
    return held('The latest revision is read')
  },
})
