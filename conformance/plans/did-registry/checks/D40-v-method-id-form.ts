import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D40',
  title: 'A vMethodId that is not 43 characters of base64url is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.limits.3',
    '2.resources-and-their-fields/verification-method-input.1',
    '2.errors/did-registry.4',
  ],
  description: 'It becomes the fragment of the kid in credentials, and 32 bytes on the chain.',
  sends: 'addVerificationMethod with vMethodIds of 42 and 44 characters, padded, and in base64.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const { did, address: from, vMethodId, publicKey } = registry.createIdentity()
    const key = { publicKeyType: 'secp256k1', publicKey }
    const send = (id: string) => () =>
      registry.post('contract/addVerificationMethod', { did, vMethodId: id, ...key, from })
    return findEachRefused(
      {
        'a vMethodId of 42 characters': send(vMethodId.slice(1)),
        'a vMethodId of 44 characters': send(`${vMethodId}A`),
        'padding behind the vMethodId': send(`${vMethodId}=`),
        'a vMethodId in base64': send(`+/${vMethodId.slice(2)}`),
        'an empty vMethodId': send(''),
      },
      {
        statuses: [400],
        control: send(vMethodId),
      },
    )
  },
})
