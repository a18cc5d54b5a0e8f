import { randomBytes } from 'node:crypto'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D59',
  title: 'What is no signed transaction is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.14'],
  description: 'A hash for something that can never be mined lets a client wait for ever.',
  sends: 'transactions/send with no member, another type, no hex, cut hex, and random bytes.',
  decides: 'HTTP 400 for each of them.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    // One that takes no transaction at all has refused nothing in particular.
    await registry.register()
    const send = (signedRawTransaction?: unknown) => () =>
      registry.post('transactions/send', { signedRawTransaction })
    return findEachRefused(
      {
        'no signedRawTransaction': send(),
        'a number as signedRawTransaction': send(1),
        'an empty signedRawTransaction': send(''),
        'nothing but 0x': send('0x'),
        'letters that are no hex': send(`0x02${'zz'.repeat(60)}`),
        'a type and nothing else': send('0x02'),
        'random bytes': send(`0x02${randomBytes(120).toString('hex')}`),
      },
      { statuses: [400] },
    )
  },
})
