import { findEachRefused } from '../../registries/find-each-refused.ts'
import { addRawKey } from '../add-raw-key.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D38',
  title: 'A secp256k1 key of another form than 0x04, X, Y is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.resources-and-their-fields/verification-method-input.5',
    '2.limits.4',
    '2.errors/did-registry.4',
  ],
  description:
    'What is registered can’t be changed any more: a cut key would verify nothing for ever.',
  sends:
    'addVerificationMethod with keys that are compressed, too short, too long, or without prefix.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const identity = registry.createIdentity()
    const { publicKey } = identity
    const send = addRawKey(registry, identity)
    return findEachRefused(
      {
        'a compressed key': send(`0x02${publicKey.slice(4, 68)}`),
        'X and Y without 0x04': send(`0x${publicKey.slice(4)}`),
        'a key without 0x': send(publicKey.slice(2)),
        'a key that is a byte short': send(publicKey.slice(0, -2)),
        'a key that is a byte too long': send(`${publicKey}00`),
        'letters that are no hex': send(`${publicKey.slice(0, -1)}g`),
        'an empty key': send(''),
      },
      {
        statuses: [400],
        control: send(publicKey),
      },
    )
  },
})
