import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addMethod } from '../add-method.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { createP256Jwk } from '../create-p256-jwk.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'
import { methodOf } from '../method-of.ts'

export const check = defineDidRegistryCheck({
  id: 'D11',
  title: 'A P-256 key that is registered as a JWK is returned as it is',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.resources-and-their-fields/verification-method-input.6',
    '2.resources-and-their-fields/verification-method-input.7',
  ],
  description: 'Members such as alg tell verifiers what the key is for.',
  sends: 'addVerificationMethod with a hex-encoded JWK of P-256 that carries alg ES256 and a kid.',
  decides: 'publicKeyJwk has exactly the members that were sent.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const jwk = { ...createP256Jwk(), kid: 'key of the conformance kit' }
    const vMethodId = await addMethod(registry, identity, {
      publicKeyType: 'JsonWebKey2020',
      publicKey: jwkAsHex(jwk),
    })
    const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
    await addUse(registry, identity, { vMethodId, ...validity })
    const document = await registry.requireDocument(identity.did)
    expectEqual('publicKeyJwk', methodOf(document, vMethodId).publicKeyJwk, jwk)
    return held('The JWK is returned with all of its members')
  },
})
