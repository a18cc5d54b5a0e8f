import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T20',
  title: 'The type of a published attribute does not change to another role',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
  description:
    'Whoever has looked up a TI must not find a TAO there later: what was accredited is what was seen.',
  sends: 'setAttributeMetadata with issuerType TAO for an attribute that was published as TI.',
  decides: 'It is reverted or refused, and the attribute is as before.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { by, metadata } = await publish(context)
    return findAttributeUnchanged(tir, {
      what: 'Another role for a published attribute',
      ...metadata,
      attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
    })
  },
})
