import { asPremise } from '../../../kit/as-premise.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T61',
  title: 'An attributeId with 0x is 400 when it is read',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.2', '2.errors/tir.7'],
  description: 'It is given without 0x: one address for one attribute, in credentials and caches.',
  sends: 'GET of a published attribute with 0x before its attributeId.',
  decides: 'HTTP 400.',
  needs: ['accreditor'],
  async run({ tir, accreditor }) {
    const { did, attributeId } = await accreditor()
    await asPremise('reading it without 0x', tir.requireAttribute(did, attributeId))
    const answer = await tir.getAttribute(did, `0x${attributeId}`)
    return findRefusal(answer, { what: 'An attributeId with 0x', statuses: [400] })
  },
})
