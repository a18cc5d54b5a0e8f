import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D75',
  title: 'A validity that ends before it begins is refused',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  description:
    'Such a key would never be valid; times that were swapped are found before they cost a transaction.',
  sends: 'addVerificationRelationship with notAfter before notBefore.',
  decides: 'HTTP 400.',
  async run({ registry, now }) {
    const { did, vMethodId, address: from } = registry.createIdentity()
    const validity = { notBefore: now() + 3600, notAfter: now() }
    const body = { did, name: 'assertionMethod', vMethodId, from }
    const send = (times: object) => () =>
      registry.post('contract/addVerificationRelationship', { ...body, ...times })
    return findEachRefused(
      { 'notAfter before notBefore': send(validity) },
      {
        statuses: [400],
        control: send({ notBefore: validity.notAfter, notAfter: validity.notBefore }),
      },
    )
  },
})
